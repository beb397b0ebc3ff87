// Checks a value against a schema: the step that Path, Query, Json, Valid and validate() share.
import { isPromise } from '../chain.js';
import type { FwError } from '../errors.js';
import type { StandardSchemaV1 } from './standard-schema.js';

export type Issues = readonly StandardSchemaV1.Issue[];

/**
 * The schema's output for a value, at once where the schema is synchronous.
 *
 * @throws what `reject` makes of the issues, and whatever the schema itself throws.
 */
export function check<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  value: unknown,
  reject: (issues: Issues) => FwError,
): Output | Promise<Output> {
  const settle = (result: StandardSchemaV1.Result<Output>): Output => {
    if (result.issues) throw reject(result.issues);
    return result.value;
  };
  return chained(schema['~standard'].validate(value), settle);
}

/** `value.then(next)`, or `next(value)` at once where the value is no promise. */
export function chained<A, B>(value: A | Promise<A>, next: (value: A) => B | Promise<B>): B | Promise<B> {
  return isPromise(value) ? Promise.resolve(value as Promise<A>).then(next) : next(value as A);
}

/** @throws Error at registration, where the type check was passed over. */
export function assertSchema(extractor: string, schema: unknown): void {
  const standard = (schema as Partial<StandardSchemaV1> | null | undefined)?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw new Error(
      `${extractor} takes a Standard Schema, such as one of zod, valibot or arktype; got ${kindOf(schema)}`,
    );
  }
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}
