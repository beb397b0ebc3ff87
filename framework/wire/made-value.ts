// Types: values that are made of a type: an example for readers, and what a form begins with.
import { type Lookup, resolve } from './resolve.js';
import { membersOf } from './union-of.js';
import type { Json, ObjectType, WireRules, WireType } from './wire-type.js';

/** Deeper parts of an example are left out. */
const DEEPEST = 6;

/** A value of the type, with its optional fields. */
export function exampleOf(type: WireType, lookup: Lookup): Json {
  return new Maker(lookup, true).make(type, 0) ?? null;
}

/**
 * What a form begins with: the required parts, with their defaults and examples. Undefined for what the user must fill
 * in.
 */
export function initialOf(type: WireType, lookup: Lookup): unknown {
  return new Maker(lookup, false).make(type, 0);
}

class Maker {
  readonly #lookup: Lookup;
  readonly #isExample: boolean;
  /** The names that are being made, so that recursive types end. */
  readonly #open: string[] = [];

  constructor(lookup: Lookup, isExample: boolean) {
    this.#lookup = lookup;
    this.#isExample = isExample;
  }

  make(type: WireType, depth: number): Json | undefined {
    const { notes } = type;
    const [first] = notes?.examples ?? [];
    if (notes?.default !== undefined) return notes.default;
    if (first !== undefined) return first;
    switch (type.kind) {
      case 'ref':
        return this.#named(type.name, depth);
      case 'literal':
        return type.value;
      case 'null':
        return null;
      case 'boolean':
        return this.#isExample;
      case 'string':
        return this.#isExample ? exampleText(type.rules ?? {}) : '';
      case 'number':
      case 'integer':
        return this.#isExample ? exampleNumber(type.rules ?? {}) : undefined;
      case 'array':
        return this.#items(type.items, Number(type.rules?.minItems ?? 0), depth);
      case 'tuple':
        return type.items
          .slice(0, this.#isExample ? undefined : type.required)
          .map((item) => this.make(item, depth + 1) ?? null);
      case 'object':
        return this.#object(type, depth);
      case 'union':
        return this.#union(type, depth);
      default:
        return this.#isExample && type.kind === 'unknown' ? {} : undefined;
    }
  }

  #named(name: string, depth: number): Json | undefined {
    if (this.#open.includes(name) || depth > DEEPEST) return undefined;
    this.#open.push(name);
    const made = this.make(resolve({ kind: 'ref', name }, this.#lookup) ?? { kind: 'unknown' }, depth);
    this.#open.pop();
    return made;
  }

  #items(type: WireType, least: number, depth: number): Json[] {
    const count = this.#isExample ? Math.max(1, Math.min(least, 3)) : Math.min(least, 20);
    const item = count === 0 || depth > DEEPEST ? undefined : this.make(type, depth + 1);
    if (item === undefined && this.#isExample) return [];
    return Array.from({ length: count }, () => structuredClone(item) as Json);
  }

  #object({ fields, values }: ObjectType, depth: number): Json {
    const made: Record<string, Json> = {};
    for (const { name, type, isOptional } of fields) {
      if (isOptional && (!this.#isExample || depth > DEEPEST)) continue;
      const value = this.make(type, depth + 1);
      // A field may be called __proto__.
      if (value !== undefined)
        Object.defineProperty(made, name, { value, enumerable: true, writable: true, configurable: true });
    }
    if (this.#isExample && fields.length === 0 && values !== undefined && depth < DEEPEST) {
      const value = this.make(values, depth + 1);
      if (value !== undefined) made.key = value;
    }
    return made;
  }

  /** The first member that is something. */
  #union(type: WireType, depth: number): Json | undefined {
    const members = membersOf(type).filter(({ kind }) => kind !== 'void');
    const present = members.filter(({ kind }) => kind !== 'null');
    if (!this.#isExample && present.length < members.length) return null;
    for (const member of present) {
      const made = this.make(member, depth);
      if (made !== undefined) return made;
    }
    return members.length > present.length ? null : undefined;
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'ada@example.org',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  uri: 'https://example.org/',
  ipv4: '192.0.2.1',
  hostname: 'example.org',
  byte: 'aGVsbG8=',
};

function exampleText({ format, minLength, maxLength }: WireRules): string {
  const text = typeof format === 'string' && Object.hasOwn(TEXTS, format) ? (TEXTS[format] ?? '') : undefined;
  if (text !== undefined) return text;
  const least = Math.min(Number(minLength ?? 0), 200);
  const most = Number(maxLength ?? 200);
  return 'text'.padEnd(least, ' text').slice(0, Math.max(0, most));
}

function exampleNumber({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: WireRules): number {
  if (typeof minimum === 'number') return minimum;
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + Number(multipleOf ?? 1);
  if (typeof maximum === 'number') return Math.min(maximum, 1);
  if (typeof exclusiveMaximum === 'number') return Math.min(exclusiveMaximum - 1, 1);
  return Number(multipleOf ?? 1);
}
