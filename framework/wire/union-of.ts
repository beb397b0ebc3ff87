// Types: builds unions without redundant members.
import { type Lookup, lookupIn, resolve } from './resolve.js';
import type { NamedTypes, ObjectType, Scalar, WireType } from './wire-type.js';

/** The type without values. */
export const NEVER: WireType = { kind: 'union', members: [] };

const TRUE = JSON.stringify({ kind: 'literal', value: true });
const FALSE = JSON.stringify({ kind: 'literal', value: false });

/**
 * The union of types, in the given order: flattened, without duplicates, with `true | false` as boolean. A single type
 * is returned as it is, no type is `NEVER`, and a union with `unknown` is `unknown`.
 */
export function unionOf(types: readonly WireType[]): WireType {
  const byText = new Map<string, WireType>();
  for (const type of types.flatMap(membersOf)) {
    if (type.kind === 'unknown') return type;
    const text = JSON.stringify(type);
    if (!byText.has(text)) byText.set(text, type);
  }
  if (byText.has(TRUE) && byText.has(FALSE)) {
    byText.delete(TRUE);
    byText.delete(FALSE);
    const boolean: WireType = { kind: 'boolean' };
    byText.set(JSON.stringify(boolean), boolean);
  }
  const members = [...byText.values()];
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : { kind: 'union', members };
}

/** The members of a union without a description of its own, or the type alone. */
export function membersOf(type: WireType): readonly WireType[] {
  return type.kind === 'union' ? type.members.flatMap(membersOf) : [type];
}

/** The members of a type, also of named unions; other names stay names. A name that refers to itself has none. */
export function membersThrough(
  type: WireType,
  lookup: Lookup,
  seen: ReadonlySet<string> = new Set(),
): WireType[] {
  if (type.kind === 'union') return type.members.flatMap((one) => membersThrough(one, lookup, seen));
  if (type.kind !== 'ref') return [type];
  if (seen.has(type.name)) return [];
  const target = resolve(type, lookup);
  return target?.kind === 'union' ? membersThrough(target, lookup, new Set(seen).add(type.name)) : [type];
}

export function isNever(type: WireType): boolean {
  return type.kind === 'union' && type.members.length === 0;
}

/** The type without `void`, which stands for an absent key; `NEVER` if nothing remains. */
export function withoutVoid(type: WireType): WireType {
  return allowsVoid(type) ? unionOf(membersOf(type).filter(({ kind }) => kind !== 'void')) : type;
}

export function allowsVoid(type: WireType): boolean {
  return membersOf(type).some(({ kind }) => kind === 'void');
}

/** The type with null instead of `void`, because `undefined` in an array is written as null. */
export function voidAsNull(type: WireType): WireType {
  if (!allowsVoid(type)) return type;
  return unionOf(membersOf(type).map((one) => (one.kind === 'void' ? { kind: 'null' } : one)));
}

interface Discriminant {
  readonly field: string;
  /** The member of the union for each value of the field. */
  readonly members: ReadonlyMap<Scalar, WireType>;
}

/** Undefined if a member is not an object, or no field has different literals in each of them. */
export function discriminantOf(members: readonly WireType[], named: NamedTypes): Discriminant | undefined {
  const lookup = lookupIn(named);
  const objects = members.map((member) => resolve(member, lookup));
  if (members.length < 2 || !objects.every((one): one is ObjectType => one?.kind === 'object'))
    return undefined;
  for (const { name } of objects[0]?.fields ?? []) {
    const found = membersBy(name, objects, members);
    if (found) return { field: name, members: found };
  }
  return undefined;
}

function membersBy(
  field: string,
  objects: readonly ObjectType[],
  members: readonly WireType[],
): ReadonlyMap<Scalar, WireType> | undefined {
  const byValue = new Map<Scalar, WireType>();
  for (const [index, { fields }] of objects.entries()) {
    const own = fields.find(({ name }) => name === field);
    const member = members[index];
    if (own === undefined || own.isOptional || member === undefined) return undefined;
    const literals = membersOf(own.type);
    if (literals.length === 0) return undefined;
    for (const literal of literals) {
      if (literal.kind !== 'literal' || byValue.has(literal.value)) return undefined;
      byValue.set(literal.value, member);
    }
  }
  return byValue;
}
