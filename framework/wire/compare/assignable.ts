// Types: whether a type is assignable to another, that is, whether every value of it is also a value of the other.
// Rules such as `maxLength` are ignored.
import { type Lookup, resolve } from '../resolve.js';
import { membersOf } from '../union-of.js';
import type { ObjectType, TupleType, WireType } from '../wire-type.js';

/** Whether `from` is assignable to `to`. Names in `from` are resolved by `fromNames`, those in `to` by `toNames`. */
export function isAssignable(from: WireType, to: WireType, fromNames: Lookup, toNames: Lookup): boolean {
  return new Assignment(fromNames, toNames).compare(from, to);
}

class Assignment {
  readonly #fromNames: Lookup;
  readonly #toNames: Lookup;
  /**
   * The results for pairs of names. A pair that is still being compared counts as assignable, so that recursive types
   * end: if they differ, another part of them is not assignable.
   */
  readonly #known = new Map<string, boolean>();
  /** The pairs that are being compared where one is not a name: recursion can also lead through a union's members. */
  readonly #open = new Map<WireType, Set<WireType>>();

  constructor(fromNames: Lookup, toNames: Lookup) {
    this.#fromNames = fromNames;
    this.#toNames = toNames;
  }

  compare(a: WireType, b: WireType): boolean {
    if (a.kind !== 'ref' || b.kind !== 'ref') return this.#compareParts(a, b);
    const pair = `${a.name} ${b.name}`;
    const found = this.#known.get(pair);
    if (found !== undefined) return found;
    this.#known.set(pair, true);
    const fitting = this.#compareTargets(a, b);
    this.#known.set(pair, fitting);
    return fitting;
  }

  #compareParts(a: WireType, b: WireType): boolean {
    const others = this.#open.get(a) ?? new Set();
    if (others.has(b)) return true;
    this.#open.set(a, others.add(b));
    const fitting = this.#compareTargets(a, b);
    others.delete(b);
    return fitting;
  }

  #compareTargets(a: WireType, b: WireType): boolean {
    const left = resolve(a, this.#fromNames);
    const right = resolve(b, this.#toNames);
    if (left === undefined || right === undefined) return false;
    if (right.kind === 'unknown') return true;
    if (left.kind === 'union') return left.members.every((one) => this.compare(one, b));
    if (right.kind === 'union') return this.#fitsSome(left, right);
    return this.#fits(left, right);
  }

  #fitsSome(a: WireType, b: WireType): boolean {
    const members = membersOf(b);
    if (members.some((one) => this.compare(a, one))) return true;
    return (
      a.kind === 'boolean' && [true, false].every((value) => this.compare({ kind: 'literal', value }, b))
    );
  }

  #fits(a: WireType, b: WireType): boolean {
    if (a.kind === 'literal') {
      if (b.kind === 'literal') return a.value === b.value;
      return b.kind === 'integer' ? Number.isInteger(a.value) : b.kind === typeof a.value;
    }
    if (a.kind === 'integer') return b.kind === 'integer' || b.kind === 'number';
    if (a.kind === 'object' && b.kind === 'object') return this.#fitsObject(a, b);
    if (a.kind === 'array' && b.kind === 'array') return this.compare(a.items, b.items);
    if (a.kind === 'tuple' && b.kind === 'array') {
      return [...a.items, ...(a.rest ? [a.rest] : [])].every((item) => this.compare(item, b.items));
    }
    if (a.kind === 'tuple' && b.kind === 'tuple') return this.#fitsTuple(a, b);
    return a.kind === b.kind && a.kind !== 'array' && a.kind !== 'object';
  }

  #fitsTuple(a: TupleType, b: TupleType): boolean {
    const required = a.required ?? a.items.length;
    if (required < (b.required ?? b.items.length)) return false;
    if (a.rest && !(b.rest && this.compare(a.rest, b.rest))) return false;
    return a.items.every((item, index) => {
      const other = b.items[index] ?? b.rest;
      return other !== undefined && this.compare(item, other);
    });
  }

  #fitsObject(a: ObjectType, b: ObjectType): boolean {
    for (const field of b.fields) {
      const own = a.fields.find(({ name }) => name === field.name);
      if (!field.isOptional && (own === undefined || own.isOptional)) return false;
      const type = own?.type ?? a.values;
      if (type && !this.compare(type, field.type)) return false;
    }
    if (b.values === undefined) return true;
    const { values } = b;
    const others = a.fields.filter(({ name }) => !b.fields.some((field) => field.name === name));
    return (
      others.every(({ type }) => this.compare(type, values)) && (!a.values || this.compare(a.values, values))
    );
  }
}
