// Types: what changed between two registries, and whether the clients of the old one break.

import { canonicalText, order, shapeText } from '../canonical.js';
import { printType } from '../print/print-typescript.js';
import { type Lookup, lookupIn, resolve } from '../resolve.js';
import { membersOf } from '../union-of.js';
import type { ObjectType, ProcedureTypes, TupleType, WireField, WireType, WireTypes } from '../wire-type.js';

/*
 * | Change                                    | Input            | Output            |
 * | ----------------------------------------- | ---------------- | ----------------- |
 * | procedure removed, or of another kind     | breaks           | breaks            |
 * | field added                               | breaks, required | safe, but exposed |
 * | field removed                             | breaks (1)       | breaks            |
 * | optional field becomes required           | breaks           | safe              |
 * | required field becomes optional           | safe             | breaks            |
 * | type accepts more values                  | safe             | breaks            |
 * | type accepts fewer values, or others      | breaks           | safe, or breaks   |
 * | rule added, or refuses more               | breaks (2)       | safe              |
 * | rule removed, or refuses less             | safe             | safe              |
 *
 * An added or removed error is safe: clients treat errors that they do not know like any other
 * failure. The data of an error is compared like an output.
 *
 * (1) The server ignores it, and code that uses it does not compile with a new client. It is safe if the object now
 * accepts keys of any name, with a type that the field is assignable to.
 * (2) Limits are compared by their size. Other rules, such as `pattern`, cannot be compared in general.
 */

export interface Change {
  /** For example `getUser.output.address.city`; `[]` stands for items, `[key]` for the values of a record. */
  readonly path: string;
  readonly what: string;
  /** Clients generated from the old types fail, or code that uses them does not compile with the new types. */
  readonly isBreaking: boolean;
  /** Clients receive data that they did not receive before. */
  readonly isExposed: boolean;
}

const LONGEST_SHOWN = 80;

type Side = 'input' | 'output';

/** The changes, sorted by path; empty if the types mean the same. */
export function diffTypes(before: WireTypes, after: WireTypes): Change[] {
  const changes: Change[] = [];
  const names = new Set([...Object.keys(before.procedures), ...Object.keys(after.procedures)]);
  for (const name of names) {
    const old = Object.hasOwn(before.procedures, name) ? before.procedures[name] : undefined;
    const now = Object.hasOwn(after.procedures, name) ? after.procedures[name] : undefined;
    changes.push(...procedure(name, old, now, lookupIn(before.named), lookupIn(after.named)));
  }
  return changes.sort((a, b) => order(a.path, b.path));
}

function procedure(
  path: string,
  old: ProcedureTypes | undefined,
  now: ProcedureTypes | undefined,
  oldNames: Lookup,
  newNames: Lookup,
): Change[] {
  const change = (what: string, isBreaking: boolean): Change => ({
    path,
    what,
    isBreaking,
    isExposed: false,
  });
  if (old === undefined) return now ? [change(`new ${now.kind}`, false)] : [];
  if (now === undefined) return [change(`the ${old.kind} was removed`, true)];
  const found = old.kind === now.kind ? [] : [change(`was a ${old.kind}, is a ${now.kind}`, true)];
  for (const side of ['input', 'output'] as const) {
    const comparison = new Comparison(side, oldNames, newNames);
    comparison.compare(old[side], now[side], `${path}.${side}`);
    found.push(...comparison.changes);
  }
  return [
    ...found,
    ...errorChanges(`${path}.errors`, old.errors ?? {}, now.errors ?? {}, oldNames, newNames),
  ];
}

type Errors = NonNullable<ProcedureTypes['errors']>;

function errorChanges(path: string, old: Errors, now: Errors, oldNames: Lookup, newNames: Lookup): Change[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const at = `${path}.${name}`;
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    const after = Object.hasOwn(now, name) ? now[name] : undefined;
    if (before === undefined || after === undefined) {
      const what = before === undefined ? 'new error' : 'the error is gone';
      return [{ path: at, what, isBreaking: false, isExposed: false }];
    }
    const comparison = new Comparison('output', oldNames, newNames);
    comparison.compare(before.data, after.data, at);
    return comparison.changes;
  });
}

class Comparison {
  readonly changes: Change[] = [];
  readonly #side: Side;
  readonly #oldNames: Lookup;
  readonly #newNames: Lookup;
  /** Pairs of names that were compared, so that recursive types end. */
  readonly #seen = new Set<string>();

  constructor(side: Side, oldNames: Lookup, newNames: Lookup) {
    this.#side = side;
    this.#oldNames = oldNames;
    this.#newNames = newNames;
  }

  compare(before: WireType, after: WireType, path: string): void {
    if (before.kind === 'ref' && after.kind === 'ref') {
      const pair = `${before.name} ${after.name}`;
      if (this.#seen.has(pair)) return;
      this.#seen.add(pair);
    }
    const old = resolve(before, this.#oldNames);
    const now = resolve(after, this.#newNames);
    if (old === undefined || now === undefined) return;
    if (old.kind === 'object' && now.kind === 'object') this.#objects(old, now, path);
    else if (old.kind === 'array' && now.kind === 'array') this.compare(old.items, now.items, `${path}[]`);
    else if (old.kind === 'union' || now.kind === 'union') {
      this.#unions(before, after, path);
      // The rules belong to the members, and were compared there.
      return;
    } else this.#values(before, after, path);
    this.#rules(old, now, path);
  }

  #add(path: string, what: string, isBreaking: boolean, isExposed = false): void {
    this.changes.push({ path, what, isBreaking, isExposed });
  }

  #objects(old: ObjectType, now: ObjectType, path: string): void {
    const isInput = this.#side === 'input';
    const before = new Map<string, WireField>(old.fields.map((field) => [field.name, field]));
    for (const field of now.fields) {
      const at = `${path}.${field.name}`;
      const known = before.get(field.name);
      before.delete(field.name);
      if (known === undefined) {
        const kind = field.isOptional ? 'optional' : 'required';
        this.#add(at, `new ${kind} field`, isInput && !field.isOptional, !isInput);
        continue;
      }
      if (known.isOptional !== field.isOptional) {
        this.#add(at, field.isOptional ? 'is optional now' : 'is required now', isInput !== field.isOptional);
      }
      this.compare(known.type, field.type, at);
    }
    for (const [name, field] of before) this.#goneField(field, now.values, `${path}.${name}`);
    if (old.values && now.values) this.compare(old.values, now.values, `${path}[key]`);
    else if (old.values) this.#add(`${path}[key]`, 'other keys were removed', true);
    else if (now.values) this.#add(`${path}[key]`, 'other keys were added', false, !isInput);
  }

  /** A removed field that the values of a record now accept is safe in an input; in a result it may be missing. */
  #goneField(field: WireField, values: WireType | undefined, path: string): void {
    if (values === undefined) {
      this.#add(path, 'the field was removed', true);
      return;
    }
    this.compare(field.type, values, path);
    if (this.#side === 'output' && !field.isOptional)
      this.#add(path, 'is one of the other keys now, and may be missing', true);
  }

  /** Compares the members that both unions have; if one of each remains, compares these two. */
  #unions(old: WireType, now: WireType, path: string): void {
    const byShape = new Map<string, WireType[]>();
    for (const member of this.#members(now, this.#newNames)) {
      const shape = shapeText(member);
      byShape.set(shape, [...(byShape.get(shape) ?? []), member]);
    }
    const gone: WireType[] = [];
    for (const member of this.#members(old, this.#oldNames)) {
      const alike = byShape.get(shapeText(member)) ?? [];
      const text = canonicalText(member);
      const index = alike.findIndex((one) => canonicalText(one) === text);
      const [same] = alike.splice(Math.max(index, 0), 1);
      // The name may refer to another type now, and rules may have changed.
      if (same === undefined) gone.push(member);
      else if (same.kind === 'ref' || index === -1) this.compare(member, same, path);
    }
    const come = [...byShape.values()].flat();
    if (gone.length === 0 && come.length === 0) return;
    const [left, right] = [gone[0], come[0]];
    if (gone.length === 1 && come.length === 1 && left && right && this.#isStructured(left, right)) {
      this.compare(left, right, path);
    } else this.#values(old, now, path);
  }

  /** The members of a union, also of a named one; other names stay names. */
  #members(type: WireType, names: Lookup): readonly WireType[] {
    const target = resolve(type, names);
    return target?.kind === 'union' ? membersOf(target) : [type];
  }

  #isStructured(left: WireType, right: WireType): boolean {
    const old = resolve(left, this.#oldNames)?.kind;
    return old === resolve(right, this.#newNames)?.kind && (old === 'object' || old === 'array');
  }

  #values(old: WireType, now: WireType, path: string): void {
    const takesMore = isAssignable(old, now, this.#oldNames, this.#newNames);
    const takesLess = isAssignable(now, old, this.#newNames, this.#oldNames);
    if (takesMore && takesLess) return;
    const isBreaking = this.#side === 'input' ? !takesMore : !takesLess;
    this.#add(path, this.#difference(old, now), isBreaking);
  }

  /** If both types print alike (a name with two meanings, an integer), prints what they stand for. */
  #difference(old: WireType, now: WireType): string {
    const target = resolve(old, this.#oldNames) ?? old;
    const newTarget = resolve(now, this.#newNames) ?? now;
    const texts = [
      [printType(old), printType(now)],
      [printType(target), printType(newTarget)],
      [canonicalText(target), canonicalText(newTarget)],
    ] as const;
    const [was, is] = texts.find(([one, other]) => one !== other) ?? texts[0];
    return `was ${oneLine(was)}, is ${oneLine(is)}`;
  }

  #rules(old: WireType, now: WireType, path: string): void {
    const names = new Set([...Object.keys(old.rules ?? {}), ...Object.keys(now.rules ?? {})]);
    for (const name of [...names].sort()) {
      const [before, after] = [old.rules?.[name], now.rules?.[name]];
      const [was, is] = [JSON.stringify(before), JSON.stringify(after)];
      if (was === is) continue;
      const changed = was === undefined ? `${name} is ${is}` : `${name} is ${is}, was ${was}`;
      const isBreaking = this.#side === 'input' && !isRelaxed(name, before, after);
      this.#add(path, is === undefined ? `${name} was removed, was ${was}` : changed, isBreaking);
    }
  }
}

/** Whether a changed rule accepts everything that it accepted before. */
function isRelaxed(name: string, before: unknown, after: unknown): boolean {
  if (after === undefined) return true;
  const [was, is] = [Number(before), Number(after)];
  if (/max/i.test(name)) return is > was;
  if (/min/i.test(name)) return is < was;
  return name === 'multipleOf' && Number.isInteger(was / is);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}

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
