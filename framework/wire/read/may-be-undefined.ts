// Types: whether a value that a JSON Schema describes may be `undefined`, which JSON leaves out.

import type { JsonSchema } from './schema-references.js';
import { FILE_KEYWORD } from './vendor-options.js';

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
export function mayBeUndefined(
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
