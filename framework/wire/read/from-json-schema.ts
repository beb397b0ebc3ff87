// Types: converts JSON Schema (draft 2020-12, as zod, valibot and arktype write it) to wire types.
import { intersectionOf } from '../intersection.js';
import { isNever, NEVER, unionOf } from '../union-of.js';
import type { Json, WireField, WireRules, WireType } from '../wire-type.js';
import { type JsonSchema, notesOf, rulesOf, SCALAR_KINDS, SchemaReferences } from './schema-references.js';
import { SchemaTypeError } from './schema-type-error.js';
import { DATE_KEYWORD, FILE_KEYWORD, UNREPRESENTABLE_KEYWORD } from './vendor-options.js';

export type { JsonSchema } from './schema-references.js';

export interface SchemaOptions {
  /** The side that the schema describes: a field with a default is optional in an input, but not in an output. */
  readonly io: 'input' | 'output';
  /** The name of a recursive type without an id; `Recursive` by default. */
  readonly fallback?: string | undefined;
  /** Receives the parts that the validation library cannot represent in JSON Schema, see vendor-options.ts. */
  readonly unrepresentable?: UnrepresentablePart[] | undefined;
}

/** A part of a schema that JSON cannot represent. */
export interface UnrepresentablePart {
  /** For example `user.tags[]`; empty for the schema itself. */
  readonly path: string;
  /** For example `a bigint`. */
  readonly what: string;
}

/** What the functions that read objects and arrays need to read the schemas inside. */
interface SchemaReader {
  readonly io: 'input' | 'output';
  readonly read: (schema: JsonSchema, path: readonly string[]) => WireType;
  /** Whether a value may be `undefined`, for which JSON has nothing. */
  readonly mayBeUndefined: (schema: JsonSchema) => boolean;
}

/**
 * The wire type of a schema. `not` is ignored, because wire types cannot express it, except `not: {}`, which no value
 * matches.
 *
 * @param names receives the named types: schemas with an `id` or `$id`, definitions under their key, and recursive
 * types.
 * @throws SchemaTypeError if the schema has no wire type, or two types have the same name.
 */
export function fromJsonSchema(
  schema: JsonSchema,
  names: Record<string, WireType>,
  { io, fallback = 'Recursive', unrepresentable = [] }: SchemaOptions = { io: 'input' },
): WireType {
  return new TypeReader(schema, names, { io, fallback, unrepresentable }).read(schema, []);
}

type SchemaObject = Exclude<JsonSchema, boolean>;

class TypeReader implements SchemaReader {
  readonly io: 'input' | 'output';
  readonly #names: Record<string, WireType>;
  readonly #references: SchemaReferences;
  readonly #unrepresentable: UnrepresentablePart[];

  constructor(
    schema: JsonSchema,
    names: Record<string, WireType>,
    {
      io,
      fallback,
      unrepresentable,
    }: { io: 'input' | 'output'; fallback: string; unrepresentable: UnrepresentablePart[] },
  ) {
    this.io = io;
    this.#names = names;
    this.#unrepresentable = unrepresentable;
    this.#references = new SchemaReferences(schema, names, fallback, (one, path) => this.#body(one, path));
  }

  read(one: JsonSchema, path: readonly string[]): WireType {
    if (one === true) return { kind: 'unknown' };
    if (one === false) return NEVER;
    if (one === null || typeof one !== 'object' || Array.isArray(one)) {
      throw new SchemaTypeError(`a JSON Schema is an object, true or false; got ${JSON.stringify(one)}`);
    }
    return this.#references.named(one, path);
  }

  mayBeUndefined(one: JsonSchema): boolean {
    return mayBeUndefined(one, (reference) => this.#references.target(reference));
  }

  /** The type of the content of a schema, without its name. */
  #body(one: SchemaObject, path: readonly string[]): WireType {
    const what = one[UNREPRESENTABLE_KEYWORD];
    if (typeof what === 'string') {
      this.#unrepresentable.push({ path: path.join('.').replaceAll('.[', '['), what });
      return { kind: 'unknown' };
    }
    if (one[FILE_KEYWORD] === true) {
      const { description } = one;
      return { kind: 'file', ...(typeof description === 'string' && description !== '' && { description }) };
    }
    const parts: WireType[] = [];
    const ref = one.$ref;
    if (ref !== undefined) parts.push(this.read(this.#references.target(ref), path));
    const own = this.#ownType(one, path);
    if (own) parts.push(own);
    for (const list of [one.anyOf, one.oneOf]) {
      if (Array.isArray(list)) parts.push(unionOf(list.map((member) => this.read(member, path))));
    }
    const all = Array.isArray(one.allOf) ? (one.allOf as JsonSchema[]) : [];
    for (const part of all) parts.push(this.read(part, path));
    const rules = rulesOf(one, all);
    const joined = this.#join(parts, path);
    const type = one.nullable === true ? unionOf([joined, { kind: 'null' }]) : joined;
    const { description } = one;
    const notes = notesOf(one, this.io);
    return {
      ...(rules ? narrowed(type, rules) : type),
      ...(typeof description === 'string' && description !== '' && { description }),
      ...(notes && { notes }),
    };
  }

  #ownType(one: SchemaObject, path: readonly string[]): WireType | undefined {
    const excluded = one.not;
    if (excluded === true || (isRecord(excluded) && Object.keys(excluded).length === 0)) return NEVER;
    if (one.const !== undefined) return constant(one.const as Json);
    if (Array.isArray(one.enum)) return unionOf(one.enum.map((value) => constant(value as Json)));
    const { type } = one;
    if (Array.isArray(type)) return unionOf(type.map((kind) => this.#ofKind(kind, one, path)));
    if (type !== undefined) return this.#ofKind(type, one, path);
    if (isRecord(one.properties) || isRecord(one.additionalProperties) || isRecord(one.patternProperties)) {
      return readObject(one, path, this);
    }
    return one.items !== undefined || one.prefixItems !== undefined ? readArray(one, path, this) : undefined;
  }

  #ofKind(kind: unknown, one: SchemaObject, path: readonly string[]): WireType {
    if (kind === 'object') return readObject(one, path, this);
    if (kind === 'array') return readArray(one, path, this);
    const scalar = SCALAR_KINDS.find((known) => known === kind);
    if (scalar !== undefined) {
      return { kind: scalar, ...(one[DATE_KEYWORD] === true && { isDate: true as const }) };
    }
    throw new SchemaTypeError(
      `${at(path)} has the type ${JSON.stringify(kind)}, which JSON Schema does not define; use one such as "string"`,
    );
  }

  #join(parts: readonly WireType[], path: readonly string[]): WireType {
    return parts.reduce<WireType>(
      (joined, part) => {
        const both = intersectionOf(joined, part, (name) =>
          Object.hasOwn(this.#names, name) ? this.#names[name] : undefined,
        );
        if (both !== undefined) return both;
        throw new SchemaTypeError(
          `${at(path)} combines types whose intersection cannot be determined; write it as one type`,
        );
      },
      { kind: 'unknown' },
    );
  }
}

function at(path: readonly string[]): string {
  return path.length === 0 ? 'the schema' : `the schema of '${path.join('.')}'`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Adds rules to a type. A union has no rules itself: they are added to each of its members. */
function narrowed(type: WireType, rules: WireRules): WireType {
  if (type.kind === 'union') return { ...type, members: type.members.map((one) => narrowed(one, rules)) };
  if (type.kind === 'ref' || type.kind === 'literal' || type.kind === 'null') return type;
  return { ...type, rules: { ...type.rules, ...rules } };
}

/** The type that only this value has. */
function constant(value: Json): WireType {
  if (value === null) return { kind: 'null' };
  if (Array.isArray(value)) return { kind: 'tuple', items: value.map(constant) };
  if (typeof value !== 'object') return { kind: 'literal', value: value as string | number | boolean };
  const fields = Object.entries(value).map(([name, one]) => ({
    name,
    type: constant(one as Json),
    isOptional: false,
  }));
  return { kind: 'object', fields };
}

/** Keywords of schemas that accept some kinds of values only. */
const DECIDING = [
  'type',
  'enum',
  'const',
  'properties',
  'additionalProperties',
  'patternProperties',
  'items',
  'prefixItems',
  FILE_KEYWORD,
] as const;

/**
 * True for a schema that accepts anything, and for `{ not: {} }`, which is written for `undefined`; for a union if one
 * of its members may be.
 *
 * @param target the schema that a reference leads to
 */
function mayBeUndefined(
  schema: JsonSchema,
  target: (reference: unknown) => JsonSchema,
  seen: ReadonlySet<JsonSchema> = new Set(),
): boolean {
  if (typeof schema === 'boolean') return schema;
  if (seen.has(schema)) return false;
  if (DECIDING.some((keyword) => schema[keyword] !== undefined)) return false;
  const inside = new Set(seen).add(schema);
  const may = (one: JsonSchema): boolean => mayBeUndefined(one, target, inside);
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined && !may(target($ref))) return false;
  const unions = [anyOf, oneOf].filter((list) => Array.isArray(list));
  return unions.every((list) => list.some(may)) && (!Array.isArray(allOf) || allOf.every(may));
}

type Schema = Exclude<JsonSchema, boolean>;

/** Unknown keys are dropped, unless the schema declares them. */
function readObject(schema: Schema, path: readonly string[], reader: SchemaReader): WireType {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const fields = new Map<string, WireField>();
  for (const [name, one] of Object.entries(properties)) {
    fields.set(name, field(name, one, required, [...path, name], reader));
  }
  const others = othersOf(schema, path, reader);
  const listed = enumOf(schema.propertyNames) ?? [];
  const missing = reader.io === 'output' && othersAreOptional(schema, reader);
  for (const name of [...listed, ...required]) {
    if (fields.has(name)) continue;
    const type = others ?? { kind: 'unknown' };
    fields.set(name, { name, type, isOptional: missing || !required.has(name) });
  }
  const isShut = others !== undefined && isNever(others);
  const values = listed.length > 0 || isShut ? undefined : others;
  // In an output it only means that the schema drops unknown keys, on which clients must not rely.
  const isClosed =
    reader.io === 'input' &&
    (listed.length > 0 || isShut || (schema.additionalProperties === false && !values));
  return {
    kind: 'object',
    fields: [...fields.values()],
    ...(values && { values }),
    ...(isClosed && { rules: { additionalProperties: false } }),
  };
}

function field(
  name: string,
  schema: JsonSchema,
  required: ReadonlySet<string>,
  path: readonly string[],
  reader: SchemaReader,
): WireField {
  const { description, ...type } = reader.read(schema, path);
  const hasDefault = (schema as Schema).default !== undefined;
  // JSON leaves out what is undefined.
  const isLeftOut = reader.io === 'output' && reader.mayBeUndefined(schema);
  return {
    name,
    type,
    isOptional: hasDefault ? reader.io === 'input' : isLeftOut || !required.has(name),
    ...(description !== undefined && { description }),
  };
}

/** The names of a record whose keys are literals; undefined if there may be others. */
function enumOf(names: unknown): readonly string[] | undefined {
  if (names === null || typeof names !== 'object') return undefined;
  const { enum: several, const: one, anyOf } = names as Readonly<Record<string, unknown>>;
  if (Array.isArray(anyOf)) {
    const lists = anyOf.map(enumOf);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  const values: unknown[] = Array.isArray(several) ? several : [one];
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

/** Whether the values of a record may be undefined. */
function othersAreOptional({ additionalProperties: others }: Schema, reader: SchemaReader): boolean {
  return others !== undefined && reader.mayBeUndefined(others as JsonSchema);
}

function othersOf(schema: Schema, path: readonly string[], reader: SchemaReader): WireType | undefined {
  const types: WireType[] = [];
  const patterns = schema.patternProperties;
  if (patterns !== null && typeof patterns === 'object') {
    for (const one of Object.values(patterns)) types.push(reader.read(one as JsonSchema, [...path, '[key]']));
  }
  const others = schema.additionalProperties;
  if (others !== undefined && others !== false)
    types.push(reader.read(others as JsonSchema, [...path, '[key]']));
  return types.length === 0 ? undefined : unionOf(types);
}

function readArray(schema: Schema, path: readonly string[], reader: SchemaReader): WireType {
  const { prefixItems, items, minItems } = schema;
  const rest = items as JsonSchema | undefined;
  if (!Array.isArray(prefixItems)) {
    return {
      kind: 'array',
      items: rest === undefined ? { kind: 'unknown' } : reader.read(rest, [...path, '[]']),
    };
  }
  const known = prefixItems.map((item, index) => reader.read(item as JsonSchema, [...path, String(index)]));
  const least = typeof minItems === 'number' ? minItems : 0;
  const required = Math.min(least, known.length);
  // valibot omits `items` if nothing may follow, arktype if it cannot describe what does.
  const follows = rest === undefined ? least > known.length : rest !== false;
  return {
    kind: 'tuple',
    items: known,
    ...(required < known.length && { required }),
    ...(follows && {
      rest: rest === undefined ? ({ kind: 'unknown' } as const) : reader.read(rest, [...path, '[]']),
    }),
  };
}
