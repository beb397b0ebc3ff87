// Fuzzing: fields of an answer that its type does not have, such as the hash of a password that came along with a row.
import { type Lookup, resolvedType } from '../../api-model/type-space.js';
import { membersThrough } from '../../wire/union-of.js';
import type { ObjectType, WireType } from '../../wire/wire-type.js';

const DEEPEST = 20;

/** The paths of fields that are not declared, such as `items.0.passwordHash`. */
export function undeclaredFields(
  type: WireType,
  lookup: Lookup,
  value: unknown,
  at = '',
  depth = 0,
): string[] {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
  const target = resolvedType(type, lookup);
  const inner = (one: WireType, key: string, item: unknown): string[] =>
    undeclaredFields(one, lookup, item, at === '' ? key : `${at}.${key}`, depth + 1);
  if (target.kind === 'array' && Array.isArray(value))
    return value.flatMap((item, index) => inner(target.items, String(index), item));
  if (target.kind === 'tuple' && Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const one = target.items[index] ?? target.rest;
      return one === undefined ? [] : inner(one, String(index), item);
    });
  }
  if (target.kind === 'union') {
    // The member that says most about the value.
    const fitting = membersThrough(target, lookup).filter((one) => isFor(resolvedType(one, lookup), value));
    const all = fitting.map((one) => undeclaredFields(one, lookup, value, at, depth + 1));
    return all.sort((one, other) => one.length - other.length)[0] ?? [];
  }
  return target.kind === 'object' && !Array.isArray(value) ? ofObject(target, value, at, inner) : [];
}

function isFor({ kind }: WireType, value: object): boolean {
  return (
    kind === 'unknown' || (Array.isArray(value) ? kind === 'array' || kind === 'tuple' : kind === 'object')
  );
}

function ofObject(
  { fields, values, rules }: ObjectType,
  value: object,
  at: string,
  inner: (type: WireType, key: string, item: unknown) => string[],
): string[] {
  const isOpen =
    values !== undefined ||
    (rules?.additionalProperties !== undefined && rules.additionalProperties !== false);
  return Object.entries(value).flatMap(([key, item]) => {
    const field = fields.find(({ name }) => name === key);
    if (field !== undefined) return inner(field.type, key, item);
    if (values !== undefined) return inner(values, key, item);
    return isOpen ? [] : [at === '' ? key : `${at}.${key}`];
  });
}
