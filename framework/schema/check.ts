// Checks a value against a schema, for Path, Query, Json, Valid and validate().

import { ConfigError } from '../config-error.js';
import { kindOf } from '../options/shown.js';
import { isPromise } from '../promises.js';
import type { StandardSchemaV1 } from './standard-schema.js';

export type Issues = readonly StandardSchemaV1.Issue[];

/**
 * The schema's output for a value; not a promise if the schema is synchronous.
 *
 * @throws what `reject` makes of the issues, and what the schema itself throws.
 */
export function check<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  reject: (issues: Issues) => Error,
): Output | Promise<Output> {
  const result = schema['~standard'].validate(value);
  if (!isPromise(result)) return outputOf(result, reject);
  return Promise.resolve(result).then((late) => outputOf(late, reject));
}

function outputOf<Output>(
  result: StandardSchemaV1.Result<Output>,
  reject: (issues: Issues) => Error,
): Output {
  if (result.issues) throw reject(result.issues);
  return result.value;
}

/** Checks at registration what the types may not have checked. @throws ConfigError */
export function assertSchema(extractor: string, schema: unknown): void {
  const standard = (schema as Partial<StandardSchemaV1> | null | undefined)?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw new ConfigError(
      'FW_SCHEMA',
      `${extractor} takes a Standard Schema, such as one of zod, valibot or arktype; got ${kindOf(schema)}`,
    );
  }
}
