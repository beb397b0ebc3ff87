// validate(): checks values that do not come from an extractor.
import { synchronous } from '../promises.js';
import { assertSchema, check } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';

const source: Source = { field: '', whole: 'value' };

/**
 * Checks a value against a schema and returns the schema's output.
 *
 * ```ts
 * const event = validate(Event, JSON.parse(line));
 * ```
 *
 * @throws FwError `ValidationError` (400) whose message has one line for each refused field.
 * @throws Error if the schema is asynchronous.
 */
export function validate<Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): StandardSchemaV1.InferOutput<Schema> {
  assertSchema('validate()', schema);
  return synchronous(
    check(schema, value, (issues) => rejection(issues, source, 'ValidationError')),
    // zod retries a check that threw asynchronously, so the two cannot be distinguished here.
    'validate() is synchronous, but the schema answered with a promise: it has asynchronous checks, or one of its checks threw',
  );
}
