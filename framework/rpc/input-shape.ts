// RPC: what an input is made of at its top, which decides how absent and positional params are read.
import type { NamedTypes, WireType } from './types/wire-type.js';

export interface InputShape {
  /** The procedure reads no input. */
  readonly isVoid: boolean;
  /** The procedure takes `undefined` too. */
  readonly isOptional: boolean;
  /** The procedure takes null too, which params cannot be: it is said by none. */
  readonly isNullable: boolean;
  /** Only positional params can match. */
  readonly wantsList: boolean;
  /** No params can match: they are objects or arrays. */
  readonly isScalar: boolean;
  /** The type of an input that is there. */
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

/** The members of a union, through names; a name that is not known, or that means itself, stays one. */
function flatten(type: WireType, named: NamedTypes, seen: Set<string>): WireType[] {
  if (type.kind === 'union') return type.members.flatMap((member) => flatten(member, named, seen));
  if (type.kind !== 'ref' || seen.has(type.name) || !Object.hasOwn(named, type.name)) return [type];
  const target = named[type.name] as WireType;
  return flatten(target, named, new Set(seen).add(type.name));
}
