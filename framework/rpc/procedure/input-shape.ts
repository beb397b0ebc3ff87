// RPC: the top level of an input's type, which decides how absent and positional params are read.
import type { NamedTypes, WireType } from '../../wire/wire-type.js';

export interface InputShape {
  /** The procedure reads no input. */
  readonly isVoid: boolean;
  /** The procedure accepts `undefined`. */
  readonly isOptional: boolean;
  /** The procedure accepts null. Params cannot be null: absent params stand for it. */
  readonly isNullable: boolean;
  /** Only positional params can match. */
  readonly wantsList: boolean;
  /** No params can match, because params are objects or arrays. */
  readonly isScalar: boolean;
  /** The type of an input that is not absent. */
  readonly value: WireType | undefined;
}

const unknownShape: InputShape = {
  isVoid: false,
  isOptional: false,
  isNullable: false,
  wantsList: false,
  isScalar: false,
  value: undefined,
};

export function inputShape(type: WireType | undefined, named: NamedTypes): InputShape {
  if (type === undefined) return unknownShape;
  const members = flatten(type, named, new Set());
  const present = members.filter(({ kind }) => kind !== 'void');
  const isOptional = present.length < members.length;
  const values = present.filter(({ kind }) => kind !== 'null');
  return {
    isVoid: isOptional && present.length === 0,
    isOptional,
    isNullable: values.length < present.length,
    wantsList: values.length > 0 && values.every(({ kind }) => kind === 'array' || kind === 'tuple'),
    isScalar: present.length > 0 && present.every(isScalar),
    value: isOptional ? { kind: 'union', members: present } : type,
  };
}

function isScalar({ kind }: WireType): boolean {
  return !['object', 'array', 'tuple', 'unknown', 'ref'].includes(kind);
}

/** The members of a union, with names resolved; a name that is unknown, or refers only to itself, stays a name. */
function flatten(type: WireType, named: NamedTypes, seen: Set<string>): WireType[] {
  if (type.kind === 'union') return type.members.flatMap((member) => flatten(member, named, seen));
  if (type.kind !== 'ref' || seen.has(type.name) || !Object.hasOwn(named, type.name)) return [type];
  const target = named[type.name] as WireType;
  return flatten(target, named, new Set(seen).add(type.name));
}
