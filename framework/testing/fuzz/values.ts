// Fuzzing: values of a type, valid, nearly valid and hostile, as arbitraries of fast-check, which shrinks them.
import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  string,
  tuple,
  uniqueArray,
} from 'fast-check';
import { type Lookup, resolvedType } from '../../api-model/type-space.js';
import { membersThrough } from '../../wire/union-of.js';
import type { ArrayType, Json, ObjectType, TupleType, WireType } from '../../wire/wire-type.js';
import { HOSTILE_KEYS, HOSTILE_NUMBERS, HOSTILE_TEXTS } from './hostile-values.js';
import { files, limitOf, numberOf, plainNumberOf, plainTextOf, textOf } from './scalar-values.js';

/** Deeper parts of a value are as small as their types allow. */
const DEEPEST = 4;
/** Where recursive types end, whatever they require. */
const BOTTOM = 10;
const LONGEST_LIST = 4;

/** Values that answers had, by the names of their fields. */
export type KnownValues = (name: string) => readonly Json[];

/** Plain values are as people give them, so that most are accepted; others are whatever the type allows. */
export type ValueStyle = 'any' | 'plain';

/** How often a known value is taken, to one that is made. */
const KNOWN_WEIGHTS: Readonly<Record<ValueStyle, number>> = { any: 2, plain: 3 };

/** Stands for a field that is left out. */
const ABSENT = Symbol('absent');

export class Values {
  readonly #lookup: Lookup;
  readonly #known: KnownValues;
  readonly #style: ValueStyle;

  constructor(lookup: Lookup, known: KnownValues, style: ValueStyle = 'any') {
    this.#lookup = lookup;
    this.#known = known;
    this.#style = style;
  }

  /** Values of the type; a few break rules that cannot be made by construction. @param name of the field, if it is one */
  valid(type: WireType, name = '', depth = 0): Arbitrary<unknown> {
    const made = this.#made(type, name, depth);
    const given = [
      ...(type.notes?.examples ?? []),
      ...(type.notes?.default === undefined ? [] : [type.notes.default]),
    ];
    const known = isScalar(resolvedType(type, this.#lookup)) ? this.#known(name) : [];
    return oneof(
      { weight: 4, arbitrary: made },
      ...(given.length > 0 ? [{ weight: 1, arbitrary: constantFrom<unknown>(...given) }] : []),
      ...(known.length > 0
        ? [{ weight: 4 * KNOWN_WEIGHTS[this.#style], arbitrary: constantFrom<unknown>(...known) }]
        : []),
    );
  }

  /** A value of the type with one part that is something else, is missing or too much. */
  nearlyValid(type: WireType, name = '', depth = 0): Arbitrary<unknown> {
    const target = resolvedType(type, this.#lookup);
    const wrong = oneof(constant(null), constantFrom<unknown>(...HOSTILE_TEXTS), ...others(target));
    if (depth > DEEPEST) return wrong;
    if (target.kind === 'object' && target.fields.length > 0) {
      const inside = target.fields.map((field) => this.#withWrongField(target, field.name, depth));
      return oneof(
        { weight: 6, arbitrary: oneof(...inside) },
        { weight: 1, arbitrary: this.#withMore(target, name, depth) },
        { weight: 1, arbitrary: wrong },
      );
    }
    if (target.kind === 'array') {
      const item = this.nearlyValid(target.items, name, depth + 1);
      return oneof(
        wrong,
        array(item, { minLength: 1, maxLength: 2 }),
        array(this.valid(target.items, name, depth + 1), { maxLength: 30 }),
      );
    }
    if (target.kind === 'union') {
      const members = membersThrough(target, this.#lookup);
      if (members.length > 0)
        return oneof(wrong, ...members.map((one) => this.nearlyValid(one, name, depth + 1)));
    }
    return wrong;
  }

  #made(type: WireType, name: string, depth: number): Arbitrary<unknown> {
    const { rules = {} } = type;
    switch (type.kind) {
      case 'ref':
        return depth > BOTTOM
          ? constant(null)
          : this.valid(resolvedType(type, this.#lookup), name, depth + 1);
      case 'literal':
        return constant(type.value);
      case 'null':
        return constant(null);
      case 'void':
        return constant(undefined);
      case 'boolean':
        return boolean();
      case 'string':
        return this.#style === 'plain' ? plainTextOf(rules) : textOf(rules);
      case 'number':
      case 'integer':
        return (this.#style === 'plain' ? plainNumberOf : numberOf)(rules, type.kind === 'integer');
      case 'array':
        return this.#array(type, name, depth);
      case 'tuple':
        return this.#tuple(type, name, depth);
      case 'object':
        return this.#object(type, depth);
      case 'union':
        return this.#union(type, name, depth);
      case 'file':
        return files();
      default:
        return anything();
    }
  }

  #array({ items, rules = {} }: ArrayType, name: string, depth: number): Arbitrary<unknown> {
    const least = limitOf(rules.minItems, 0);
    const most = Math.min(limitOf(rules.maxItems, LONGEST_LIST), Math.max(LONGEST_LIST, least));
    const maxLength = depth > DEEPEST ? least : most;
    const item = this.valid(items, singular(name), depth + 1);
    const length = { minLength: least, maxLength };
    return rules.uniqueItems === true
      ? uniqueArray(item, { ...length, selector: (value) => JSON.stringify(value) ?? '' })
      : array(item, length);
  }

  #tuple(
    { items, required = items.length, rest }: TupleType,
    name: string,
    depth: number,
  ): Arbitrary<unknown> {
    const all = items.map((item) => this.valid(item, name, depth + 1));
    const more =
      rest === undefined ? constant([]) : array(this.valid(rest, name, depth + 1), { maxLength: 2 });
    return tuple(integer({ min: required, max: items.length }), tuple(...all), more).map(
      ([count, values, others]) => (count < items.length ? values.slice(0, count) : [...values, ...others]),
    );
  }

  #object(type: ObjectType, depth: number): Arbitrary<unknown> {
    const parts = type.fields.map(({ name, type: field, isOptional }) => {
      const value = this.valid(field, name, depth + 1);
      if (!isOptional) return value;
      if (depth > DEEPEST) return constant(ABSENT);
      return oneof({ weight: 1, arbitrary: constant(ABSENT) }, { weight: 2, arbitrary: value });
    });
    const { values } = type;
    const others =
      values === undefined || depth > DEEPEST
        ? constant({})
        : dictionary(keys(), this.valid(values, '', depth + 1), { maxKeys: 3 });
    return tuple(tuple(...parts), others).map(([made, more]) => objectOf(type, made, more));
  }

  #union(type: WireType, name: string, depth: number): Arbitrary<unknown> {
    const members = membersThrough(type, this.#lookup);
    const flat = members.filter(({ kind }) => kind !== 'ref' && kind !== 'object' && kind !== 'array');
    const usable = depth > DEEPEST && flat.length > 0 ? flat : members;
    if (usable.length === 0) return constant(null);
    return oneof(...usable.map((member) => this.valid(member, name, depth + 1)));
  }

  #withWrongField(type: ObjectType, wrong: string, depth: number): Arbitrary<unknown> {
    const parts = type.fields.map(({ name, type: field, isOptional }) => {
      if (name !== wrong) return this.valid(field, name, depth + 1);
      const value = this.nearlyValid(field, name, depth + 1);
      return isOptional
        ? value
        : oneof({ weight: 1, arbitrary: constant(ABSENT) }, { weight: 4, arbitrary: value });
    });
    return tuple(...parts).map((made) => objectOf(type, made, {}));
  }

  #withMore(type: ObjectType, name: string, depth: number): Arbitrary<unknown> {
    return tuple(this.valid(type, name, depth), keys(), anything()).map(([made, key, value]) =>
      objectOf({ ...type, fields: [] }, [], { ...(made as object), ...own(key, value) }),
    );
  }
}

/** Any value of JSON. */
export function anything(): Arbitrary<unknown> {
  return oneof(
    constantFrom<unknown>(null, '', 0, [], {}, true, -1, '0', [[]], [null]),
    constantFrom<unknown>(...HOSTILE_TEXTS),
    constantFrom<unknown>(...HOSTILE_NUMBERS),
    jsonValue({ maxDepth: 2 }),
  );
}

function others({ kind }: WireType): Arbitrary<unknown>[] {
  const all: readonly (readonly [WireType['kind'][], Arbitrary<unknown>])[] = [
    [['string'], constantFrom<unknown>('', 'x', 'x'.repeat(5000))],
    [['number', 'integer'], constantFrom<unknown>(...HOSTILE_NUMBERS, 1.5)],
    [['boolean'], boolean()],
    [['array', 'tuple'], constantFrom<unknown>([], [null], [{}])],
    [['object'], constantFrom<unknown>({}, { a: 1 })],
  ];
  const [same, different] = [
    all.filter(([kinds]) => kinds.includes(kind)),
    all.filter(([kinds]) => !kinds.includes(kind)),
  ];
  return [...different, ...same].map(([, arbitrary]) => arbitrary);
}

function keys(): Arbitrary<string> {
  return oneof(
    { weight: 1, arbitrary: constantFrom(...HOSTILE_KEYS) },
    { weight: 2, arbitrary: string({ maxLength: 8 }) },
  );
}

/** A field may be called `__proto__`. */
function objectOf(type: ObjectType, made: readonly unknown[], more: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const set = (name: string, value: unknown) =>
    Object.defineProperty(result, name, { value, enumerable: true, writable: true, configurable: true });
  for (const [name, value] of Object.entries(more)) set(name, value);
  for (const [index, { name }] of type.fields.entries()) {
    if (made[index] !== ABSENT && made[index] !== undefined) set(name, made[index]);
  }
  return result;
}

function own(name: string, value: unknown): object {
  return Object.defineProperty({}, name, { value, enumerable: true });
}

/** What is in a field `ids` is known as `id`. */
function singular(name: string): string {
  return name.endsWith('s') ? name.slice(0, -1) : name;
}

function isScalar({ kind }: WireType): boolean {
  return kind === 'string' || kind === 'number' || kind === 'integer';
}
