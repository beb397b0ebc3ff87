// A model of an API: schemas of an OpenAPI document as wire types. It never fails: what cannot be read is `unknown`,
// with the reason as its description.
import { intersectionOf } from '../wire/intersection.js';
import { NEVER, unionOf } from '../wire/union-of.js';
import type { Json, WireField, WireType } from '../wire/wire-type.js';
import { keysOf, valueAt } from './references.js';
import { notesOf, rulesOf } from './schema-notes.js';
import type { Lookup } from './type-space.js';
import { type Fields, fieldsOf, isFields, listOf, member, textOf } from './unknown-value.js';

/** Deeper schemas are not read: no page could show them. */
const DEEPEST = 60;
const SCALARS = ['null', 'boolean', 'number', 'integer', 'string'] as const;

/** The side of a call: `readOnly` fields are only in answers, `writeOnly` fields only in requests. */
export type Side = 'input' | 'output';

/** What the functions that read objects and arrays need to read the schemas inside. */
interface SchemaReader {
  readonly side: Side;
  readonly read: (schema: unknown, depth: number) => WireType;
}

export class SchemaTypes implements SchemaReader {
  readonly side: Side;
  readonly #document: unknown;
  /** Undefined while a type is being read. */
  readonly #named = new Map<string, WireType | undefined>();
  readonly #names = new Map<string, string>();
  readonly #references = new Map<string, string>();

  constructor(document: unknown, side: Side) {
    this.#document = document;
    this.side = side;
  }

  /** The type of a name that `read` has given. */
  readonly lookup: Lookup = (name) => {
    const reference = this.#references.get(name);
    if (reference === undefined) return undefined;
    if (!this.#named.has(name)) {
      this.#named.set(name, undefined);
      const { value, problem } = valueAt(this.#document, reference);
      this.#named.set(name, problem === undefined ? this.read(value, 0) : unreadable(problem));
    }
    return this.#named.get(name);
  };

  readonly read = (schema: unknown, depth = 0): WireType => {
    if (schema === false) return NEVER;
    if (schema === true || schema === undefined) return { kind: 'unknown' };
    if (!isFields(schema)) return unreadable('the schema is not an object');
    if (depth > DEEPEST) return unreadable('nested too deeply to be shown');
    const type = this.#body(schema, depth);
    const description = textOf(schema.description);
    const notes = notesOf(schema);
    if (description === undefined && notes === undefined) return type;
    return { ...type, ...(description !== undefined && { description }), ...(notes && { notes }) };
  };

  #body(schema: Fields, depth: number): WireType {
    const reference = textOf(schema.$ref);
    if (reference !== undefined) return this.#reference(reference);
    const parts = [this.#own(schema, depth)];
    for (const list of [schema.oneOf, schema.anyOf]) {
      if (Array.isArray(list)) parts.push(unionOf(list.map((one) => this.read(one, depth + 1))));
    }
    for (const one of listOf(schema.allOf)) parts.push(this.read(one, depth + 1));
    const type = this.#joined(parts.filter((part) => part !== undefined));
    return schema.nullable === true ? unionOf([type, { kind: 'null' }]) : type;
  }

  #own(schema: Fields, depth: number): WireType | undefined {
    if (schema.not === true || (isFields(schema.not) && Object.keys(schema.not).length === 0)) return NEVER;
    if (schema.const !== undefined) return constant(schema.const as Json, 0);
    if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => constant(value as Json, 0)));
    const { type } = schema;
    if (Array.isArray(type)) return unionOf(type.map((one) => this.#ofType(one, schema, depth)));
    if (type !== undefined) return this.#ofType(type, schema, depth);
    if (isFields(schema.properties) || isFields(schema.additionalProperties))
      return objectType(schema, depth, this);
    return schema.items !== undefined || schema.prefixItems !== undefined
      ? arrayType(schema, depth, this)
      : undefined;
  }

  #ofType(type: unknown, schema: Fields, depth: number): WireType {
    if (type === 'object') return objectType(schema, depth, this);
    if (type === 'array') return arrayType(schema, depth, this);
    if (type === 'string' && schema.format === 'binary') return { kind: 'file' };
    const kind = SCALARS.find((known) => known === type);
    if (kind === undefined) return unreadable(`no type is called ${JSON.stringify(type)?.slice(0, 60)}`);
    const rules = rulesOf(schema, kind);
    return { kind, ...(rules && { rules }) };
  }

  #joined(parts: readonly WireType[]): WireType {
    const [first = { kind: 'unknown' } as const, ...others] = parts;
    let joined: WireType = first;
    for (const part of others) {
      const both = intersectionOf(joined, part, this.lookup);
      if (both === undefined) return unreadable('the parts of allOf cannot be shown as one type');
      joined = both;
    }
    return joined;
  }

  /** Schemas elsewhere than in the components have the last part of their reference as a name. */
  #reference(reference: string): WireType {
    const known = this.#names.get(reference);
    if (known !== undefined) return { kind: 'ref', name: known };
    const { problem } = valueAt(this.#document, reference);
    if (problem !== undefined) return unreadable(problem);
    const base = keysOf(reference).at(-1) || 'Document';
    let name = base;
    for (let count = 2; this.#references.has(name); count++) name = `${base}${count}`;
    this.#names.set(reference, name);
    this.#references.set(name, reference);
    return { kind: 'ref', name };
  }
}

function unreadable(description: string): WireType {
  return { kind: 'unknown', description };
}

/** The type that only this value has. */
function constant(value: Json, depth: number): WireType {
  if (value === null) return { kind: 'null' };
  if (typeof value !== 'object') return { kind: 'literal', value: value as string | number | boolean };
  if (depth > DEEPEST) return { kind: 'unknown' };
  if (Array.isArray(value)) return { kind: 'tuple', items: value.map((one) => constant(one, depth + 1)) };
  const fields = Object.entries(value).map(([name, one]) => ({
    name,
    type: constant(one as Json, depth + 1),
    isOptional: false,
  }));
  return { kind: 'object', fields };
}

/** Objects and arrays of a schema of OpenAPI. */
function objectType(schema: Fields, depth: number, reader: SchemaReader): WireType {
  const properties = fieldsOf(schema.properties);
  const required = new Set(listOf(schema.required).filter((name) => typeof name === 'string'));
  const fields: WireField[] = [];
  for (const [name, one] of Object.entries(properties)) {
    if (member(one, reader.side === 'input' ? 'readOnly' : 'writeOnly') === true) continue;
    const { description, ...type } = reader.read(one, depth + 1);
    fields.push({
      name,
      type,
      isOptional: !required.has(name),
      ...(description !== undefined && { description }),
    });
  }
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue;
    fields.push({ name, type: { kind: 'unknown' }, isOptional: false });
  }
  const values = valuesOf(schema, fields.length === 0, depth, reader);
  const rules = {
    ...rulesOf(schema, 'object'),
    ...(isClosed(schema, reader) && { additionalProperties: false }),
  };
  return {
    kind: 'object',
    fields,
    ...(values && { values }),
    ...(Object.keys(rules).length > 0 && { rules }),
  };
}

/** A request with other keys is refused. */
function isClosed({ additionalProperties, patternProperties }: Fields, { side }: SchemaReader): boolean {
  return side === 'input' && additionalProperties === false && patternProperties === undefined;
}

/** An object that says nothing of its fields takes any. */
function valuesOf(
  schema: Fields,
  isBare: boolean,
  depth: number,
  reader: SchemaReader,
): WireType | undefined {
  const { additionalProperties: others } = schema;
  const types = Object.values(fieldsOf(schema.patternProperties)).map((one) => reader.read(one, depth + 1));
  if (isFields(others)) types.push(reader.read(others, depth + 1));
  else if (others === true || (others === undefined && isBare && types.length === 0))
    types.push({ kind: 'unknown' });
  return types.length === 0 ? undefined : unionOf(types);
}

function arrayType(schema: Fields, depth: number, reader: SchemaReader): WireType {
  const rules = rulesOf(schema, 'array');
  const first = listOf(schema.prefixItems).map((one) => reader.read(one, depth + 1));
  if (first.length === 0) {
    return { kind: 'array', items: reader.read(schema.items, depth + 1), ...(rules && { rules }) };
  }
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0;
  return {
    kind: 'tuple',
    items: first,
    required: Math.max(0, Math.min(least, first.length)),
    ...(schema.items !== false && { rest: reader.read(schema.items, depth + 1) }),
  };
}
