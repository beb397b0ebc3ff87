// Types: the check of unions: by the kind of the value, then by the discriminant, then by trying each member.

import { lookupIn, resolve } from '../resolve.js';
import { discriminantOf, membersThrough } from '../union-of.js';
import type { NamedTypes, Scalar, UnionType, WireType } from '../wire-type.js';
import type { Compiler } from './check-closures.js';
import { type Check, got, INVALID, literalText } from './check-walk.js';

const MOST_SHOWN = 8;

/** The results of `kindOf` for JSON values and files. */
const KINDS = ['null', 'void', 'boolean', 'number', 'string', 'array', 'file', 'object'] as const;

export function compileUnion(type: UnionType, compiler: Compiler): Check {
  const members = knownMembers(type, compiler.named);
  const literals = new Set(members.flatMap((one) => (one.kind === 'literal' ? [one.value] : [])));
  const byKind = new Map<string, Check>();
  const expected = `expected ${expectedText(members)}`;
  for (const kind of KINDS) {
    const fitting = members.filter((one) => mayBe(one, kind, compiler.named));
    mostFieldsFirst(fitting, compiler.named);
    if (fitting.length > 0) byKind.set(kind, compileSome(fitting, compiler, expected));
  }
  return (value, walk) => {
    if (literals.has(value as Scalar)) return value;
    const check = byKind.get(kindOf(value)) ?? (value === null ? byKind.get('void') : undefined);
    return check ? check(value, walk) : walk.fail(`${expected}, ${got(value, literals.size > 0)}`);
  };
}

/** A single member reports what is wrong itself; of several members, the discriminant selects one. */
function compileSome(members: readonly WireType[], compiler: Compiler, expected: string): Check {
  const checks = members.map((member) => compiler.compile(member));
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
      const tag = Object.hasOwn(object, field) ? object[field] : undefined;
      const check = byValue.get(tag);
      return check ? check(value, walk) : walk.failAt(field, `${choices}, ${got(tag, true)}`);
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
 * An object that matches several members keeps the fields of the member that knows most of its fields, regardless of
 * the order of the members, which depends on the compiler.
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

/**
 * Names of literals are resolved, because literals are selected by value; other names are kept: each is compiled
 * once.
 */
function knownMembers(type: UnionType, named: NamedTypes): WireType[] {
  const lookup = lookupIn(named);
  return membersThrough(type, lookup).map((one) => {
    const target = resolve(one, lookup);
    if (one.kind === 'ref' && target === undefined) {
      throw new Error(`the type '${one.name}' is not defined; define it, or write it out`);
    }
    return target?.kind === 'literal' ? target : one;
  });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'void';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' && value instanceof Blob ? 'file' : typeof value;
}

function mayBe(member: WireType, kind: string, named: NamedTypes): boolean {
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
