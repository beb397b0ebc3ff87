// OpenRPC: lists the params of a method: those of an object by name, those of a tuple by position.

import { lookupIn, resolve } from '../../wire/resolve.js';
import { membersOf, withoutVoid } from '../../wire/union-of.js';
import type { NamedTypes, ObjectType, TupleType, WireType } from '../../wire/wire-type.js';
import { type JsonSchema07, toJsonSchema } from '../to-json-schema.js';

/** A Content Descriptor Object of OpenRPC. */
export interface OpenRpcParam {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema07;
}

export interface OpenRpcParams {
  readonly structure: 'by-name' | 'by-position' | 'either';
  readonly params: readonly OpenRpcParam[];
  /** False if there may be other params, or if the params cannot be validated one by one. */
  readonly isWhole: boolean;
}

/** The params of an input. Those of unions of objects, records, arrays and unknown inputs cannot be listed. */
export function paramsOf(input: WireType, named: NamedTypes): OpenRpcParams {
  const members = inputMembers(input, named);
  const present = members.filter(({ kind }) => kind !== 'void');
  const mayBeAbsent = present.length < members.length;
  const [only] = present;
  if (only === undefined) return { structure: 'either', params: [], isWhole: true };
  if (present.length === 1 && only.kind === 'object') return byName(only, mayBeAbsent);
  if (present.length === 1 && only.kind === 'tuple') return byPosition(only, mayBeAbsent);
  const isAll = (...kinds: readonly string[]) => present.every(({ kind }) => kinds.includes(kind));
  const structure = isAll('object') ? 'by-name' : isAll('array', 'tuple') ? 'by-position' : 'either';
  return { structure, params: [], isWhole: false };
}

/** The members of a union, with names resolved; a name that refers only to itself is unknown. */
function inputMembers(type: WireType, named: NamedTypes): WireType[] {
  const target = resolve(type, lookupIn(named)) ?? { kind: 'unknown' };
  if (target.kind !== 'union') return [target];
  return membersOf(target).map((member) => resolve(member, lookupIn(named)) ?? { kind: 'unknown' });
}

function byName({ fields, values, rules }: ObjectType, mayBeAbsent: boolean): OpenRpcParams {
  const params = fields.map(
    ({ name, type, isOptional, description }): OpenRpcParam => ({
      name,
      ...(description !== undefined && { description }),
      required: !isOptional && !mayBeAbsent,
      schema: toJsonSchema(withoutVoid(type)),
    }),
  );
  // Required params first, which OpenRPC requires (Method Object, params).
  params.sort((a, b) => Number(b.required) - Number(a.required) || (a.name < b.name ? -1 : 1));
  const isWhole = values === undefined && rules === undefined && !mayBeAbsent;
  return { structure: 'by-name', params, isWhole };
}

function byPosition(
  { items, required = items.length, rest, rules }: TupleType,
  mayBeAbsent: boolean,
): OpenRpcParams {
  const params = items.map(
    (item, index): OpenRpcParam => ({
      name: `param${index + 1}`,
      required: index < required && !mayBeAbsent,
      schema: toJsonSchema(item),
    }),
  );
  return {
    structure: 'by-position',
    params,
    isWhole: rest === undefined && rules === undefined && !mayBeAbsent,
  };
}
