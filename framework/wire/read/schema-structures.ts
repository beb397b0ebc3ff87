// Types: objects, records, arrays and tuples of a JSON Schema.

import { isNever, unionOf } from '../union-of.js';
import type { WireField, WireType } from '../wire-type.js';
import type { SchemaReader } from './from-json-schema.js';
import type { JsonSchema } from './schema-references.js';

type Schema = Exclude<JsonSchema, boolean>;

/** Unknown keys are dropped, unless the schema declares them. */
export function readObject(schema: Schema, path: readonly string[], reader: SchemaReader): WireType {
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

export function readArray(schema: Schema, path: readonly string[], reader: SchemaReader): WireType {
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
