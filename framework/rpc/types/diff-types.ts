// Types: what changed between two registries, and whether the clients of the old one break.
import { isAssignable } from './assignable.js';
import { canonicalText, shapeText } from './canonical.js';
import { printType } from './print-typescript.js';
import { type Lookup, lookupIn, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { ObjectType, ProcedureTypes, WireField, WireType, WireTypes } from './wire-type.js';

/*
 * | Change                                    | Input            | Output            |
 * | ----------------------------------------- | ---------------- | ----------------- |
 * | procedure gone, or of another kind        | breaks           | breaks            |
 * | field added                               | breaks, required | safe, but exposed |
 * | field removed                             | breaks (1)       | breaks            |
 * | optional field is required now            | breaks           | safe              |
 * | required field is optional now            | safe             | breaks            |
 * | type takes more values                    | safe             | breaks            |
 * | type takes fewer values, or others        | breaks           | safe, or breaks   |
 * | rule set, or it refuses more              | breaks (2)       | safe              |
 * | rule gone, or it refuses less             | safe             | safe              |
 *
 * (1) The server drops it unread, and a client that is generated anew does not compile. It is safe where the
 * object takes keys of any name now, of a type that the field fits.
 * (2) Limits are compared by their size. Of other rules, such as `pattern`, nobody can tell in general.
 */

export interface Change {
  /** Such as `getUser.output.address.city`; `[]` stands for items, `[key]` for the values of a record. */
  readonly path: string;
  readonly what: string;
  /** Clients made from the old types fail, or fail to compile. */
  readonly isBreaking: boolean;
  /** Clients see something that they did not see before. */
  readonly isExposed: boolean;
}

const LONGEST_SHOWN = 80;

type Side = 'input' | 'output';

/** The changes, sorted by path; none where the types mean the same. */
export function diffTypes(before: WireTypes, after: WireTypes): Change[] {
  const changes: Change[] = [];
  const names = new Set([...Object.keys(before.procedures), ...Object.keys(after.procedures)]);
  for (const name of names) {
    const old = Object.hasOwn(before.procedures, name) ? before.procedures[name] : undefined;
    const now = Object.hasOwn(after.procedures, name) ? after.procedures[name] : undefined;
    changes.push(...procedure(name, old, now, lookupIn(before.named), lookupIn(after.named)));
  }
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
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
  if (now === undefined) return [change(`the ${old.kind} is gone`, true)];
  const found = old.kind === now.kind ? [] : [change(`was a ${old.kind}, is a ${now.kind}`, true)];
  for (const side of ['input', 'output'] as const) {
    const comparison = new Comparison(side, oldNames, newNames);
    comparison.compare(old[side], now[side], `${path}.${side}`);
    found.push(...comparison.changes);
  }
  return found;
}

class Comparison {
  readonly changes: Change[] = [];
  readonly #side: Side;
  readonly #oldNames: Lookup;
  readonly #newNames: Lookup;
  /** Pairs of names that were compared: recursive types meet themselves. */
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
    else if (old.kind === 'union' || now.kind === 'union') this.#unions(before, after, path);
    else this.#values(before, after, path);
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
    else if (old.values) this.#add(`${path}[key]`, 'other keys are gone', true);
    else if (now.values) this.#add(`${path}[key]`, 'other keys are there now', false, !isInput);
  }

  /** One of the names that a record takes now is still taken; a result need not have it any more. */
  #goneField(field: WireField, values: WireType | undefined, path: string): void {
    if (values === undefined) {
      this.#add(path, 'the field is gone', true);
      return;
    }
    this.compare(field.type, values, path);
    if (this.#side === 'output' && !field.isOptional) this.#add(path, 'is one of the other keys now', true);
  }

  /** Members that stayed are compared; where one of each remains, what changed is inside of it. */
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
      // One name may mean other things by now, and rules may have changed.
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

  /** A name for a union is its members; others stay names. */
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

  /** One name may mean two things, and TypeScript has no integer: then what is behind is told. */
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
      this.#add(path, is === undefined ? `${name} is gone, was ${was}` : changed, isBreaking);
    }
  }
}

/** Whether everything that the rule took before, it takes now. */
function isRelaxed(name: string, before: unknown, after: unknown): boolean {
  if (after === undefined) return true;
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  if (/^(?:max|exclusiveMax)/.test(name)) return after >= before;
  if (/^(?:min|exclusiveMin)/.test(name)) return after <= before;
  return name === 'multipleOf' && Number.isInteger(before / after);
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line;
}
