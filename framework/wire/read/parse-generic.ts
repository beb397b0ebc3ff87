// Types: `Array<T>`, `Record<K, V>`, `Pick<T, K>` and the like in a type string.

import { resolve } from '../resolve.js';
import { isNever, membersOf, voidAsNull, withoutVoid } from '../union-of.js';
import type { ObjectType, WireType } from '../wire-type.js';
import type { TypeReader } from './parse-type.js';
import type { Token } from './tokens.js';

type Read = (reader: TypeReader, name: Token, args: readonly [WireType, WireType]) => WireType;

interface Generic {
  readonly parameters: 1 | 2;
  readonly read: Read;
}

const array: Generic = {
  parameters: 1,
  read: (_reader, _name, [items]) => ({ kind: 'array', items: voidAsNull(items) }),
};
const itself: Generic = { parameters: 1, read: (_reader, _name, [type]) => type };
const optional = (isOptional: boolean): Generic => ({
  parameters: 1,
  read: (reader, name, [type]) => {
    const object = objectOf(reader, name, type);
    return { ...object, fields: object.fields.map((field) => ({ ...field, isOptional })) };
  },
});

const GENERICS: Readonly<Record<string, Generic>> = {
  Array: array,
  ReadonlyArray: array,
  Promise: itself,
  Readonly: itself,
  Partial: optional(true),
  Required: optional(false),
  Record: { parameters: 2, read: record },
  Pick: { parameters: 2, read: (reader, name, [type, keys]) => part(reader, name, type, keys, true) },
  Omit: { parameters: 2, read: (reader, name, [type, keys]) => part(reader, name, type, keys, false) },
};

export function readGeneric(reader: TypeReader, name: Token): WireType {
  const { tokens } = reader;
  const generic = Object.hasOwn(GENERICS, name.text) ? GENERICS[name.text] : undefined;
  if (generic === undefined) {
    const known = Object.keys(GENERICS).join(', ');
    throw tokens.error(
      `the generic type ${name.text} is not known; write it out, or take one of ${known}`,
      name,
    );
  }
  tokens.take();
  const args = [reader.type()];
  while (tokens.skip(',')) args.push(reader.type());
  tokens.expect('>', 'close the type arguments');
  const [first, second] = args;
  if (args.length !== generic.parameters || first === undefined) {
    const wants = generic.parameters === 1 ? 'one type argument' : 'two type arguments';
    throw tokens.error(`${name.text} takes ${wants}, got ${args.length}; write as many`, name);
  }
  return generic.read(reader, name, [first, second ?? first]);
}

function record(reader: TypeReader, name: Token, [key, value]: readonly [WireType, WireType]): WireType {
  const keys = resolve(key, reader.lookup);
  if (keys?.kind === 'string' || keys?.kind === 'number') {
    // In TypeScript, this is an object without keys.
    return isNever(value)
      ? { kind: 'object', fields: [] }
      : { kind: 'object', fields: [], values: withoutVoid(value) };
  }
  const type = withoutVoid(value);
  const fields = keyNames(reader, name, key).map((field) => ({
    name: field,
    type,
    isOptional: type !== value,
  }));
  return { kind: 'object', fields };
}

function part(reader: TypeReader, name: Token, type: WireType, keys: WireType, isKept: boolean): WireType {
  const object = objectOf(reader, name, type);
  const names = new Set(keyNames(reader, name, keys));
  if (isKept) {
    const has = new Set(object.fields.map((field) => field.name));
    const missing = [...names].find((one) => !has.has(one));
    if (missing !== undefined && object.values === undefined) {
      throw reader.tokens.error(
        `Pick: there is no field '${missing}'; name one of ${[...has].join(', ')}`,
        name,
      );
    }
  }
  return { ...object, fields: object.fields.filter((field) => names.has(field.name) === isKept) };
}

function objectOf({ tokens, lookup }: TypeReader, name: Token, type: WireType): ObjectType {
  const object = resolve(type, lookup);
  if (object?.kind === 'object') return object;
  const got = type.kind === 'ref' ? `${type.name}, which is not an object type known here` : `another type`;
  throw tokens.error(`${name.text} takes an object type, got ${got}; write its fields out`, name);
}

function keyNames({ tokens, lookup }: TypeReader, name: Token, keys: WireType): string[] {
  return membersOf(resolve(keys, lookup) ?? keys).map((member) => {
    if (member.kind === 'literal' && typeof member.value !== 'boolean') return String(member.value);
    throw tokens.error(`the keys of ${name.text} must be string or literals such as 'a' | 'b'`, name);
  });
}
