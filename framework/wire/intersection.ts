// Types: `A & B` of TypeScript and `allOf` of JSON Schema, as one type.
import { type Lookup, resolve } from './resolve.js';
import { NEVER, unionOf } from './union-of.js';
import type { ObjectType, WireField, WireRules, WireType } from './wire-type.js';

/** The maximum number of combinations of union members; more are considered a mistake. */
const MOST_COMBINATIONS = 256;

/**
 * The type of the values that have both types; undefined if it cannot be determined. A scalar and an object become the
 * scalar, because such objects are brands.
 */
export function intersectionOf(a: WireType, b: WireType, lookup: Lookup): WireType | undefined {
  return intersect(a, b, { lookup, open: [] });
}

interface Joining {
  readonly lookup: Lookup;
  /** The pairs that are being joined: the intersection of two recursive types would never end, and has no name. */
  readonly open: readonly (readonly [WireType, WireType])[];
}

function intersect(a: WireType, b: WireType, joining: Joining): WireType | undefined {
  const { lookup } = joining;
  if (a.kind === 'ref' && b.kind === 'ref' && a.name === b.name) return a;
  if (b.kind === 'unknown') return a;
  if (a.kind === 'unknown') return b;
  const left = resolve(a, lookup);
  const right = resolve(b, lookup);
  if (left === undefined || right === undefined) return undefined;
  if (left.kind === 'union' || right.kind === 'union') return distribute(left, right, joining);
  if (joining.open.some(([one, other]) => one === left && other === right)) return undefined;
  const inside: Joining = { lookup, open: [...joining.open, [left, right]] };
  if (left.kind === 'object' && right.kind === 'object') return objects(left, right, inside);
  if (left.kind === 'array' && right.kind === 'array') {
    const items = intersect(left.items, right.items, inside);
    return items && { ...left, ...right, ...rulesOfBoth(left, right), items };
  }
  if (isScalar(left) && isScalar(right)) return scalars(left, right);
  if (isScalar(left) && right.kind === 'object') return a;
  if (isScalar(right) && left.kind === 'object') return b;
  return undefined;
}

function isScalar({ kind }: WireType): boolean {
  return ['literal', 'string', 'number', 'integer', 'boolean', 'null'].includes(kind);
}

function scalars(a: WireType, b: WireType): WireType {
  if (a.kind === 'literal' && b.kind === 'literal') return a.value === b.value ? a : NEVER;
  if (a.kind === 'literal') return holds(b, a) ? a : NEVER;
  if (b.kind === 'literal') return holds(a, b) ? b : NEVER;
  if (a.kind === b.kind) return { ...a, ...b, ...rulesOfBoth(a, b) };
  if (a.kind === 'integer' && b.kind === 'number') return { ...a, ...rulesOfBoth(a, b) };
  if (b.kind === 'integer' && a.kind === 'number') return { ...b, ...rulesOfBoth(a, b) };
  return NEVER;
}

function holds(scalar: WireType, literal: WireType & { kind: 'literal' }): boolean {
  if (scalar.kind === 'integer') return Number.isInteger(literal.value);
  return scalar.kind === typeof literal.value;
}

function rulesOfBoth(a: WireType, b: WireType): { rules?: WireRules } {
  return a.rules || b.rules ? { rules: { ...a.rules, ...b.rules } } : {};
}

function distribute(a: WireType, b: WireType, joining: Joining): WireType | undefined {
  const left = a.kind === 'union' ? a.members : [a];
  const right = b.kind === 'union' ? b.members : [b];
  if (left.length * right.length > MOST_COMBINATIONS) return undefined;
  const members: WireType[] = [];
  for (const one of left) {
    for (const other of right) {
      const both = isApart(one, other, joining.lookup) ? NEVER : intersect(one, other, joining);
      if (both === undefined) return undefined;
      members.push(both);
    }
  }
  return unionOf(members);
}

/** No value is both null (or nothing) and something else, nor both an array and an object. */
function isApart(a: WireType, b: WireType, lookup: Lookup): boolean {
  const left = resolve(a, lookup)?.kind;
  const right = resolve(b, lookup)?.kind;
  const group = (kind: WireType['kind'] | undefined): string =>
    kind === 'tuple' ? 'array' : kind === 'null' || kind === 'void' || kind === 'array' ? kind : 'other';
  return group(left) !== group(right) && left !== 'unknown' && right !== 'unknown';
}

function objects(a: ObjectType, b: ObjectType, joining: Joining): WireType | undefined {
  const fields = new Map<string, WireField>(a.fields.map((field) => [field.name, field]));
  for (const field of b.fields) {
    const known = fields.get(field.name);
    const type = known ? intersect(known.type, field.type, joining) : field.type;
    if (type === undefined) return undefined;
    fields.set(field.name, {
      ...known,
      ...field,
      type,
      isOptional: field.isOptional && (known?.isOptional ?? true),
    });
  }
  const values = a.values && b.values && intersect(a.values, b.values, joining);
  if (a.values && b.values && values === undefined) return undefined;
  // `additionalProperties: false` applies to the fields of one type, not to those of both.
  const { additionalProperties: _, ...rules } = { ...a.rules, ...b.rules };
  const { rules: _a, ...left } = a;
  const { rules: _b, ...right } = b;
  return {
    ...left,
    ...right,
    ...(Object.keys(rules).length > 0 && { rules }),
    kind: 'object',
    fields: [...fields.values()],
    ...(values && { values }),
  };
}
