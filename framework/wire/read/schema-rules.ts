// Types: the keywords of a JSON Schema that restrict a type more than TypeScript can express.
import { mapParts } from '../resolve.js';
import type { Json, WireNotes, WireRules, WireType } from '../wire-type.js';
import type { JsonSchema } from './schema-references.js';

export const SCALAR_KINDS = ['null', 'boolean', 'number', 'integer', 'string'] as const;

const STRING = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'];
const NUMBER = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const ARRAY = ['minItems', 'maxItems', 'uniqueItems'];
const OBJECT = ['minProperties', 'maxProperties'];
const ALL: readonly string[] = [...STRING, ...NUMBER, ...ARRAY, ...OBJECT];

/** The rules of a schema and of those parts of its `allOf` that have only rules. */
export function rulesOf(
  schema: Exclude<JsonSchema, boolean>,
  all: readonly JsonSchema[],
): WireRules | undefined {
  // The size of a tuple follows from its items.
  const isTuple = Array.isArray(schema.prefixItems);
  const rules: Record<string, Json> = {};
  for (const name of ALL) {
    const value = schema[name];
    if (value === undefined || (isTuple && ARRAY.includes(name) && name !== 'uniqueItems')) continue;
    rules[name] = value as Json;
  }
  const keys = schema.propertyNames;
  const pattern = keys !== null && typeof keys === 'object' && 'pattern' in keys && keys.pattern;
  if (typeof pattern === 'string') rules.propertyNames = { pattern };
  const parts = all.map(fixedRules).filter((one) => one !== undefined);
  if (parts.length > 0) rules.allOf = parts;
  return Object.keys(rules).length === 0 ? undefined : rules;
}

/** The rules of a schema that has only rules, as zod writes several patterns; undefined for other schemas. */
function fixedRules(schema: JsonSchema): WireRules | undefined {
  const names = Object.keys(schema);
  return names.length > 0 && names.every((name) => ALL.includes(name)) ? (schema as WireRules) : undefined;
}

/**
 * The annotations of a schema, without its description; undefined if it has none. An output has no defaults. In OpenAPI
 * `readOnly` means that no request has the field, and `writeOnly` that no response has it, but the schema of an input
 * demands what it names, as that of an output gives it: zod writes `readOnly` for `.readonly()`.
 */
export function notesOf(schema: Exclude<JsonSchema, boolean>, io: 'input' | 'output'): WireNotes | undefined {
  const { title, default: value, examples } = schema;
  const notes: Record<string, unknown> = {
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(value !== undefined && io === 'input' && { default: value }),
    ...(Array.isArray(examples) && examples.length > 0 && { examples }),
  };
  const flags = ['deprecated', io === 'input' ? 'writeOnly' : 'readOnly'] as const;
  for (const name of flags) if (schema[name] === true) notes[name] = true;
  return Object.keys(notes).length === 0 ? undefined : (notes as WireNotes);
}

/** The type without `readOnly` and `writeOnly`: a named type may stand in inputs and in outputs. */
export function withoutSides(type: WireType): WireType {
  const { notes, ...bare } = mapParts(type, withoutSides);
  const { readOnly: _, writeOnly: __, ...others } = notes ?? {};
  return Object.keys(others).length === 0 ? bare : { ...bare, notes: others };
}
