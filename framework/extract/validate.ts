// validate(): the schema check for values that no extractor takes.
import { isPromise } from '../chain.js';
import { assertSchema, check } from './check.js';
import { rejection, type Source } from './rejection.js';
import type { StandardSchemaV1 } from './standard-schema.js';

const source: Source = { field: '', whole: 'value' };

/**
 * The schema's output for a value.
 *
 * ```ts
 * const event = validate(Event, JSON.parse(line));
 * ```
 *
 * @throws FwError ValidationError (400) whose message has one line per refused field.
 * @throws Error when the schema is asynchronous.
 */
export function validate<Schema extends StandardSchemaV1>(
  schema: Schema,
  value: unknown,
): StandardSchemaV1.InferOutput<Schema> {
  assertSchema('validate()', schema);
  const output = check(schema, value, (issues) => rejection(issues, source, 'ValidationError'));
  if (isPromise(output)) {
    // Nobody else handles what it rejects with.
    output.then(undefined, () => {});
    // zod retries a check that threw asynchronously, so that the two cannot be told apart here.
    throw new Error(
      'validate() is synchronous, but the schema answered with a promise: it has asynchronous checks, or one of its checks threw',
    );
  }
  return output;
}
