// Types: makes of a query's texts what the type of an input wants.
import { lookupIn, resolve } from './resolve.js';
import { membersOf, unionOf } from './union-of.js';
import type { NamedTypes, WireType } from './wire-type.js';

type Coerce = (texts: readonly string[]) => unknown;

/** JSON's own spelling of numbers: no spaces, no hexadecimal, no Infinity. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Turns `{ key: texts }` into an input to check. What does not fit stays a text, so that the check can say so.
 * A list that is required and absent is empty, and what may be null is null: a query cannot say that otherwise.
 */
export function compileCoercion(type: WireType, named: NamedTypes): (value: unknown) => unknown {
  const members = objectsOf(type, named);
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

function objectsOf(type: WireType, named: NamedTypes): (WireType & { kind: 'object' })[] {
  const target = resolve(type, lookupIn(named));
  if (target?.kind === 'object') return [target];
  return target?.kind === 'union' ? target.members.flatMap((one) => objectsOf(one, named)) : [];
}

function flat(type: WireType, named: NamedTypes): readonly WireType[] {
  const target = resolve(type, lookupIn(named)) ?? type;
  return target.kind === 'union' ? membersOf(target).flatMap((one) => flat(one, named)) : [target];
}

/** Whether only a list fits. */
function isList(type: WireType, named: NamedTypes): boolean {
  const members = flat(type, named);
  return members.length > 0 && members.every(({ kind }) => kind === 'array');
}

function isNullable(type: WireType, named: NamedTypes): boolean {
  const kinds = flat(type, named).map(({ kind }) => kind);
  // Of a list nobody could tell whether it is empty.
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
    const [first] = texts;
    if (texts.length === 1 && first !== undefined && (hasScalar || (!item && !items))) return one(first);
    if (item) return texts.map(item);
    if (items) return texts.map((text, index) => (items[index] ?? rest)?.(text) ?? text);
    return texts;
  };
}

/** A text that fits as it is stays one. */
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
