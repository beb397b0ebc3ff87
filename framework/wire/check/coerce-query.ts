// Types: converts the strings of a query string to the type of an input.
import { lookupIn, resolve } from '../resolve.js';
import { membersThrough, unionOf } from '../union-of.js';
import type { NamedTypes, WireType } from '../wire-type.js';

type Coerce = (texts: readonly string[]) => unknown;

/** Numbers as in JSON (RFC 8259, section 6): no spaces, no hexadecimal, no Infinity. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Turns `{ key: strings }` into an input to check. A string that does not match stays a string, so that the check
 * reports it. A required array that is absent is empty, and a required field that is absent and may be null is null,
 * because a query string has no other form for these.
 */
export function compileCoercion(type: WireType, named: NamedTypes): (value: unknown) => unknown {
  const members = flat(type, named).filter((one) => one.kind === 'object');
  const types = new Map<string, WireType[]>();
  const lists = new Set<string>();
  const nullable = new Set<string>();
  for (const { fields } of members) {
    for (const field of fields) {
      types.set(field.name, [...(types.get(field.name) ?? []), field.type]);
      if (field.isOptional || members.length !== 1) continue;
      if (isList(field.type, named)) lists.add(field.name);
      else if (isNullable(field.type, named)) nullable.add(field.name);
    }
  }
  const fields = new Map<string, Coerce>(
    [...types].map(([name, all]) => [name, compileField(unionOf(all), named)]),
  );
  const values = members.flatMap((one) => (one.values ? [one.values] : []));
  const others = values.length > 0 ? compileField(unionOf(values), named) : undefined;
  return (value) => {
    if (value === null || typeof value !== 'object') return value;
    const made: Record<string, unknown> = Object.create(null);
    for (const [name, sent] of Object.entries(value)) {
      const coerce = fields.get(name) ?? others;
      const texts: unknown[] = Array.isArray(sent) ? sent : [sent];
      made[name] = coerce && texts.every((one) => typeof one === 'string') ? coerce(texts as string[]) : sent;
    }
    for (const name of lists) made[name] ??= [];
    for (const name of nullable) made[name] ??= null;
    return made;
  };
}

/** The members of a type, with all names resolved. */
function flat(type: WireType, named: NamedTypes): readonly WireType[] {
  const lookup = lookupIn(named);
  return membersThrough(type, lookup).map((one) => resolve(one, lookup) ?? one);
}

/** Whether only an array matches. */
function isList(type: WireType, named: NamedTypes): boolean {
  const members = flat(type, named);
  return members.length > 0 && members.every(({ kind }) => kind === 'array');
}

function isNullable(type: WireType, named: NamedTypes): boolean {
  const kinds = flat(type, named).map(({ kind }) => kind);
  // A query string cannot represent an empty array inside of an array.
  return kinds.includes('null') && !kinds.includes('array') && !kinds.includes('tuple');
}

function compileField(type: WireType, named: NamedTypes): Coerce {
  const members = flat(type, named);
  const one = compileScalar(members);
  const array = members.find((member) => member.kind === 'array');
  const tuple = members.find((member) => member.kind === 'tuple');
  const hasScalar = members.some(({ kind }) => kind !== 'array' && kind !== 'tuple' && kind !== 'null');
  const item = array && compileScalar(flat(array.items, named));
  const items = tuple?.items.map((member) => compileScalar(flat(member, named)));
  const rest = tuple?.rest && compileScalar(flat(tuple.rest, named));
  return (texts) => {
    if (texts.length === 1 && (hasScalar || (!item && !items))) return one(texts[0] as string);
    if (item) return texts.map(item);
    if (items === undefined) return texts;
    return texts.map((text, index) => {
      const coerce = items[index] ?? rest;
      return coerce ? coerce(text) : text;
    });
  };
}

/** A string that matches as a string is not converted. */
function compileScalar(members: readonly WireType[]): (text: string) => unknown {
  const has = (...kinds: WireType['kind'][]): boolean => members.some(({ kind }) => kinds.includes(kind));
  const literals = new Set(members.flatMap((one) => (one.kind === 'literal' ? [one.value] : [])));
  const isText = has('string', 'unknown');
  const takesNumber = has('number', 'integer');
  const takesBoolean = has('boolean');
  const takesNull = has('null');
  return (text) => {
    if (isText || literals.has(text)) return text;
    if (NUMBER.test(text) && (takesNumber || literals.has(Number(text)))) return Number(text);
    if (text === 'true' && (takesBoolean || literals.has(true))) return true;
    if (text === 'false' && (takesBoolean || literals.has(false))) return false;
    return takesNull && (text === 'null' || text === '') ? null : text;
  };
}
