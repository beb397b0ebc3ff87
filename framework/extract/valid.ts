// Valid: parses the body (400) and validates it against a schema (422).
import { assertSchema, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import type { Extractor } from './extractor.js';
import { extractJson } from './json.js';

/**
 * Extracts the JSON body: the handler gets the schema's output. Another media type and malformed JSON are answered
 * 400, a body that the schema refuses 422 (`ValidationError`).
 *
 * ```ts
 * app.post('/users', Valid(z.object({ email: z.email() })), ({ email }) => create(email));
 * ```
 */
export function Valid<Schema extends StandardSchemaV1>(
  schema: Schema,
): Extractor<StandardSchemaV1.InferOutput<Schema>> {
  assertSchema('Valid()', schema);
  const source: Source = { field: '', whole: 'body', place: callSite(Valid) };
  const reject = (issues: Issues) => rejection(issues, source, 'ValidationError', 422);
  return {
    name: 'Valid',
    describes: { body: schema, errors: { 400: 'The body is not JSON.', 422: 'The body is invalid.' } },
    extract: extractJson<StandardSchemaV1.InferOutput<Schema>>(schema, reject),
  };
}
