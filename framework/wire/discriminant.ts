// Types: the discriminant, the field that distinguishes the objects of a union.
import { lookupIn, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { NamedTypes, ObjectType, Scalar, WireType } from './wire-type.js';

export interface Discriminant {
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
