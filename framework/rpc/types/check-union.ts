// Types: the check of unions: by the value's kind, then by the field that tells objects apart, then by trying.
import type { Compiler } from './check.js';
import { type Check, got, INVALID, literalText } from './check-walk.js';
import { discriminantOf } from './discriminant.js';
import { lookupIn, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { NamedTypes, Scalar, UnionType, WireType } from './wire-type.js';

const MOST_SHOWN = 8;

type Kind = 'null' | 'void' | 'boolean' | 'number' | 'string' | 'array' | 'object';

export function compileUnion(type: UnionType, compiler: Compiler): Check {
  const members = flatten(type, compiler.named, new Set());
  const literals = new Set(
    members.flatMap((one) => (one.kind === 'literal' && !one.rules ? [one.value] : [])),
  );
  const byKind = new Map<Kind, Check>();
  const kinds: readonly Kind[] = ['null', 'void', 'boolean', 'number', 'string', 'array', 'object'];
  const expected = `expected ${expectedText(members)}`;
  for (const kind of kinds) {
    const fitting = members.filter((one) => mayBe(one, kind, compiler.named) && one.kind !== 'literal');
    if (kind === 'object') mostFieldsFirst(fitting, compiler.named);
    if (fitting.length > 0) byKind.set(kind, compileSome(fitting, compiler, expected));
  }
  return (value, walk) => {
    if (literals.has(value as Scalar)) return value;
    const check = byKind.get(kindOf(value)) ?? (value === null ? byKind.get('void') : undefined);
    return check ? check(value, walk) : walk.fail(`${expected}, ${got(value, literals.size > 0)}`);
  };
}

/** One that fits tells what is wrong itself; of several, the discriminant finds the one. */
function compileSome(members: readonly WireType[], compiler: Compiler, expected: string): Check {
  const checks = members.map(compiler.compile);
  const [only] = checks;
  if (checks.length === 1 && only) return only;
  const discriminant = discriminantOf(members, compiler.named);
  if (discriminant) {
    const { field } = discriminant;
    const byValue = new Map<unknown, Check | undefined>(
      [...discriminant.members].map(([value, member]) => [value, checks[members.indexOf(member)]]),
    );
    const choices = `expected ${choice([...discriminant.members.keys()].map(literalText))}`;
    return (value, walk) => {
      const object = value as Readonly<Record<string, unknown>>;
      const told = Object.hasOwn(object, field) ? object[field] : undefined;
      const check = byValue.get(told);
      return check ? check(value, walk) : walk.failAt(field, `${choices}, ${got(told, true)}`);
    };
  }
  return (value, walk) => {
    for (const check of checks) {
      const checked = walk.probe(check, value);
      if (checked !== INVALID) return checked;
    }
    return walk.fail(`${expected}, ${got(value)} that is none of them`);
  };
}

/**
 * An object that fits several members keeps the fields of the one that knows most of them, in whatever order they
 * are written: compilers have orders of their own.
 */
function mostFieldsFirst(members: WireType[], named: NamedTypes): void {
  const known = new Map<WireType, number>(
    members.map((one) => {
      const type = resolve(one, lookupIn(named));
      if (type?.kind !== 'object') return [one, Number.POSITIVE_INFINITY];
      const required = type.fields.filter(({ isOptional }) => !isOptional).length;
      return [one, type.values ? Number.POSITIVE_INFINITY : required + type.fields.length / 10_000];
    }),
  );
  members.sort((a, b) => (known.get(b) ?? 0) - (known.get(a) ?? 0) || 0);
}

/** The members, through names; a name that means itself has none. */
function flatten(type: WireType, named: NamedTypes, seen: ReadonlySet<string>): WireType[] {
  if (type.kind === 'union') return membersOf(type).flatMap((one) => flatten(one, named, seen));
  if (type.kind !== 'ref') return [type];
  if (seen.has(type.name)) return [];
  const target = resolve(type, lookupIn(named));
  if (target === undefined) {
    throw new Error(`the type '${type.name}' is not defined; define it, or write it out`);
  }
  // Names are kept where they can be: they are compiled once.
  return target.kind === 'union' ? flatten(target, named, new Set(seen).add(type.name)) : [type];
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (value === undefined) return 'void';
  if (Array.isArray(value)) return 'array';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object';
}

function mayBe(member: WireType, kind: Kind, named: NamedTypes): boolean {
  const type = resolve(member, lookupIn(named));
  switch (type?.kind) {
    case 'unknown':
      return true;
    case 'tuple':
      return kind === 'array';
    case 'integer':
      return kind === 'number';
    default:
      return type?.kind === kind;
  }
}

function expectedText(members: readonly WireType[]): string {
  const texts = members.map((one) => {
    if (one.kind === 'literal') return literalText(one.value);
    if (one.kind === 'ref') return one.name;
    return one.kind === 'void' ? 'nothing' : one.kind === 'tuple' ? 'array' : one.kind;
  });
  return texts.length === 0 ? 'no value' : choice([...new Set(texts)]);
}

function choice(texts: readonly string[]): string {
  const shown = texts.slice(0, MOST_SHOWN);
  if (texts.length > MOST_SHOWN) shown.push(`one of ${texts.length - MOST_SHOWN} more`);
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}
