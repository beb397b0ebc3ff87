// Types: whether every value of one type is one of another. Rules such as `maxLength` are left out.
import { type Lookup, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { ObjectType, TupleType, WireType } from './wire-type.js';

/** Names in `from` are looked up in `fromNames`, those in `to` in `toNames`. */
export function isAssignable(from: WireType, to: WireType, fromNames: Lookup, toNames: Lookup): boolean {
  // What is being compared is taken as assignable: a recursive type fails elsewhere, if at all.
  const known = new Map<string, boolean>();

  function compare(a: WireType, b: WireType): boolean {
    if (a.kind !== 'ref' || b.kind !== 'ref') return compareTargets(a, b);
    const pair = `${a.name} ${b.name}`;
    const found = known.get(pair);
    if (found !== undefined) return found;
    known.set(pair, true);
    const fitting = compareTargets(a, b);
    known.set(pair, fitting);
    return fitting;
  }

  function compareTargets(a: WireType, b: WireType): boolean {
    const left = resolve(a, fromNames);
    const right = resolve(b, toNames);
    if (left === undefined || right === undefined) return false;
    if (right.kind === 'unknown') return true;
    if (left.kind === 'union') return left.members.every((one) => compare(one, b));
    if (right.kind === 'union') return fitsSome(left, right);
    return fits(left, right);
  }

  function fitsSome(a: WireType, b: WireType): boolean {
    const members = membersOf(b);
    if (members.some((one) => compare(a, one))) return true;
    if (a.kind !== 'boolean') return false;
    return [true, false].every((value) =>
      members.some((one) => one.kind === 'literal' && one.value === value),
    );
  }

  function fits(a: WireType, b: WireType): boolean {
    if (a.kind === 'literal') {
      if (b.kind === 'literal') return a.value === b.value;
      return b.kind === 'integer' ? Number.isInteger(a.value) : b.kind === typeof a.value;
    }
    if (a.kind === 'integer') return b.kind === 'integer' || b.kind === 'number';
    if (a.kind === 'object' && b.kind === 'object') return fitsObject(a, b);
    if (a.kind === 'array' && b.kind === 'array') return compare(a.items, b.items);
    if (a.kind === 'tuple' && b.kind === 'array') {
      return [...a.items, ...(a.rest ? [a.rest] : [])].every((item) => compare(item, b.items));
    }
    if (a.kind === 'tuple' && b.kind === 'tuple') return fitsTuple(a, b);
    return a.kind === b.kind && a.kind !== 'array' && a.kind !== 'object';
  }

  function fitsTuple(a: TupleType, b: TupleType): boolean {
    const required = a.required ?? a.items.length;
    if (required < (b.required ?? b.items.length)) return false;
    if (a.rest && !(b.rest && compare(a.rest, b.rest))) return false;
    return a.items.every((item, index) => {
      const other = b.items[index] ?? b.rest;
      return other !== undefined && compare(item, other);
    });
  }

  function fitsObject(a: ObjectType, b: ObjectType): boolean {
    for (const field of b.fields) {
      const own = a.fields.find(({ name }) => name === field.name);
      if (own === undefined && !field.isOptional) return false;
      if (own && ((own.isOptional && !field.isOptional) || !compare(own.type, field.type))) return false;
    }
    if (b.values === undefined) return true;
    const { values } = b;
    const others = a.fields.filter(({ name }) => !b.fields.some((field) => field.name === name));
    return others.every(({ type }) => compare(type, values)) && (!a.values || compare(a.values, values));
  }

  return compare(from, to);
}
