// Types: makes Dates of the texts of an input where its schema takes Dates, which JSON cannot hold.
import { type Lookup, lookupIn, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { NamedTypes, WireType } from './wire-type.js';

type Revive = (value: unknown) => unknown;

/** RFC 3339, section 5.6: a date and a time with its offset. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Gives a copy of the value with Dates in place of texts, along what holds one; a text that is not a date stays as
 * it is, so that the schema can refuse it. Undefined where the type has no Date. In a union, a text stays one
 * where another member takes texts.
 */
export function compileRevival(type: WireType, named: NamedTypes): Revive | undefined {
  const lookup = lookupIn(named);
  if (!holdsDate(type, lookup, new Set())) return undefined;
  /** By name: recursive types meet themselves. */
  const known = new Map<string, { revive: Revive | undefined }>();

  function compile(one: WireType): Revive | undefined {
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
        return union(membersOf(one));
      case 'ref':
        return reference(one.name);
      default:
        return undefined;
    }
  }

  function reference(name: string): Revive | undefined {
    const present = known.get(name);
    if (present !== undefined) return (value) => (present.revive ? present.revive(value) : value);
    const entry: { revive: Revive | undefined } = { revive: undefined };
    known.set(name, entry);
    const target = resolve({ kind: 'ref', name }, lookup);
    entry.revive = target && compile(target);
    return entry.revive;
  }

  function union(members: readonly WireType[]): Revive | undefined {
    const takesText = members.some((one) => {
      const target = resolve(one, lookup);
      return target?.kind === 'string' && target.isDate !== true;
    });
    const revivals = members
      .filter((one) => !(takesText && one.kind === 'string'))
      .map(compile)
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
    // Own keys alone, and without a prototype: a key may be called __proto__.
    const copy: Record<string, unknown> = Object.assign(Object.create(null), value);
    for (const [name, revive] of revivals) if (Object.hasOwn(copy, name)) copy[name] = revive(copy[name]);
    if (values === undefined) return copy;
    for (const name of Object.keys(copy)) if (!fields.has(name)) copy[name] = values(copy[name]);
    return copy;
  };
}
