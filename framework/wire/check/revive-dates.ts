// Types: converts strings of an input to Dates if its schema expects Dates, which JSON cannot represent.
import { type Lookup, lookupIn, resolve } from '../resolve.js';
import { membersThrough } from '../union-of.js';
import type { NamedTypes, WireType } from '../wire-type.js';

type Revive = (value: unknown) => unknown;

/** RFC 3339, section 5.6: a date and a time with its offset. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns a function that copies a value with Dates instead of strings; undefined if the type has no Date. A string
 * that is not a date is kept, so that the schema can refuse it. In a union, a string is kept if another member accepts
 * strings.
 */
export function compileRevival(type: WireType, named: NamedTypes): Revive | undefined {
  const lookup = lookupIn(named);
  if (!holdsDate(type, lookup, new Set())) return undefined;
  /** What was made for a type, so that recursive types end: by name, or as a member of a named union. */
  const known = new Map<WireType, Revive | undefined>();

  function compile(type: WireType): Revive | undefined {
    const one = resolve(type, lookup);
    if (one === undefined) return undefined;
    if (known.has(one)) return known.get(one);
    let revive: Revive | undefined;
    known.set(one, (value) => (revive ?? asItIs)(value));
    revive = compileBare(one);
    known.set(one, revive);
    return revive;
  }

  function compileBare(one: WireType): Revive | undefined {
    switch (one.kind) {
      case 'string':
        return one.isDate ? date : undefined;
      case 'array':
        return list([], compile(one.items));
      case 'tuple':
        return list(one.items.map(compile), one.rest && compile(one.rest));
      case 'object':
        return object(
          new Map(one.fields.map((field) => [field.name, compile(field.type)])),
          one.values && compile(one.values),
        );
      case 'union':
        return union(one);
      default:
        return undefined;
    }
  }

  function union(type: WireType): Revive | undefined {
    const members = membersThrough(type, lookup).map((one) => resolve(one, lookup));
    const takesText = members.some((one) => one?.kind === 'string' && one.isDate !== true);
    const revivals = members
      .map((one) => (one === undefined || (takesText && one.kind === 'string') ? undefined : compile(one)))
      .filter((one) => one !== undefined);
    if (revivals.length === 0) return undefined;
    return (value) => revivals.reduce((revived, revive) => revive(revived), value);
  }

  return compile(type);
}

function holdsDate(type: WireType, lookup: Lookup, seen: Set<string>): boolean {
  const inside = (one: WireType | undefined): boolean => one !== undefined && holdsDate(one, lookup, seen);
  switch (type.kind) {
    case 'string':
      return type.isDate === true;
    case 'array':
      return inside(type.items);
    case 'tuple':
      return type.items.some(inside) || inside(type.rest);
    case 'object':
      return type.fields.some((field) => inside(field.type)) || inside(type.values);
    case 'union':
      return type.members.some(inside);
    case 'ref':
      if (seen.has(type.name)) return false;
      seen.add(type.name);
      return inside(lookup(type.name));
    default:
      return false;
  }
}

function asItIs(value: unknown): unknown {
  return value;
}

function date(value: unknown): unknown {
  if (typeof value !== 'string' || !DATE_TIME.test(value)) return value;
  const made = new Date(value);
  return Number.isNaN(made.getTime()) ? value : made;
}

function list(items: readonly (Revive | undefined)[], rest: Revive | undefined): Revive | undefined {
  if (rest === undefined && items.every((one) => one === undefined)) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return value;
    return value.map((one, index) => {
      const revive = index < items.length ? items[index] : rest;
      return revive ? revive(one) : one;
    });
  };
}

function object(
  fields: ReadonlyMap<string, Revive | undefined>,
  values: Revive | undefined,
): Revive | undefined {
  const revivals = [...fields].filter((entry): entry is [string, Revive] => entry[1] !== undefined);
  if (revivals.length === 0 && values === undefined) return undefined;
  return (value) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || value instanceof Date)
      return value;
    // Own keys only, and without a prototype, because a key may be called __proto__.
    const copy: Record<string, unknown> = Object.assign(Object.create(null), value);
    for (const [name, revive] of revivals) if (Object.hasOwn(copy, name)) copy[name] = revive(copy[name]);
    if (values === undefined) return copy;
    for (const name of Object.keys(copy)) if (!fields.has(name)) copy[name] = values(copy[name]);
    return copy;
  };
}
