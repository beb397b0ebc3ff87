// The page about an API: objects and arrays of a schema of OpenAPI.
import { unionOf } from '../../../wire/union-of.js';
import type { WireField, WireType } from '../../../wire/wire-type.js';
import { rulesOf } from './schema-notes.js';
import type { SchemaReader } from './schema-types.js';
import { type Fields, fieldsOf, isFields, listOf, member } from './unknown-value.js';

export function objectType(schema: Fields, depth: number, reader: SchemaReader): WireType {
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

export function arrayType(schema: Fields, depth: number, reader: SchemaReader): WireType {
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
