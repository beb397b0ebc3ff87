// Types: prints wire types as JSON Schema draft-07, which OpenRPC uses.
import { order } from '../wire/canonical.js';
import { isNever, membersOf, withoutVoid } from '../wire/union-of.js';
import type { Json, ObjectType, TupleType, UnionType, WireType } from '../wire/wire-type.js';
import { componentName } from './to-openapi.js';

/** A schema of draft-07. */
export type JsonSchema07 = { [keyword: string]: Json };

/** The schema of a type; references lead to `#/components/schemas/…`. */
export function toJsonSchema(type: WireType): JsonSchema07 {
  const schema = bare(type);
  const { rules, notes, description } = type;
  if (rules === undefined && notes === undefined && description === undefined) return schema;
  const more: JsonSchema07 = { ...rules, ...notes, ...(description !== undefined && { description }) };
  // Draft-07 ignores the siblings of a $ref, and rules may have their own allOf.
  return '$ref' in schema ? { ...more, allOf: [schema, ...listed(rules?.allOf)] } : { ...schema, ...more };
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function bare(type: WireType): JsonSchema07 {
  switch (type.kind) {
    case 'unknown':
      return {};
    case 'void':
      return { type: 'null' };
    case 'file':
      return { type: 'string', format: 'binary' };
    case 'literal':
      return { type: typeof type.value, const: type.value };
    case 'ref':
      return { $ref: `#/components/schemas/${componentName(type.name)}` };
    case 'array':
      return { type: 'array', items: toJsonSchema(type.items) };
    case 'tuple':
      return tuple(type);
    case 'object':
      return object(type);
    case 'union':
      return union(type);
    default:
      return { type: type.kind };
  }
}

function tuple({ items, required = items.length, rest }: TupleType): JsonSchema07 {
  return {
    type: 'array',
    // Draft-07 does not allow an empty array of items.
    ...(items.length > 0 && { items: items.map(toJsonSchema) }),
    minItems: required,
    ...(rest === undefined
      ? { maxItems: items.length }
      : { [items.length > 0 ? 'additionalItems' : 'items']: toJsonSchema(rest) }),
  };
}

function object({ fields, values }: ObjectType): JsonSchema07 {
  const sorted = [...fields].sort((a, b) => order(a.name, b.name));
  const required = sorted.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  // Without a prototype, because a field may be called __proto__.
  const properties: JsonSchema07 = Object.create(null);
  for (const { name, type, description } of sorted) {
    const own = withoutVoid(type);
    properties[name] = toJsonSchema(description === undefined ? own : { ...own, description });
  }
  return {
    type: 'object',
    ...(sorted.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(values && { additionalProperties: toJsonSchema(values) }),
  };
}

function union(type: UnionType): JsonSchema07 {
  if (isNever(type)) return { not: {} };
  const schemas = membersOf(type).map(toJsonSchema);
  const texts = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const unique = [...texts].sort(([a], [b]) => order(a, b)).map(([, schema]) => schema);
  const [only] = unique;
  return unique.length === 1 && only !== undefined ? only : { anyOf: unique };
}
