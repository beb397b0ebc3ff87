// Schemas among other values.
import { isStandard } from '../options/standard.js';
import type { StandardSchemaV1 } from './standard-schema.js';

/** Whether a value is a Standard Schema, and not an object of schemas. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return isStandard(value);
}
