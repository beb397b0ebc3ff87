// Json: parses the body and checks it against a schema.
import { assertSchema, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { Extractor } from './extractor.js';
import { extractJson } from './json-body.js';

const source: Source = { field: '', whole: 'body' };
const reject = (issues: Issues) => rejection(issues, source, 'BadRequest');

/**
 * Extracts the JSON body: the handler gets the schema's output. Another media type, malformed JSON and a body that
 * the schema refuses are answered 400; with `Valid`, the last is answered 422.
 */
export function Json<Schema extends StandardSchemaV1>(
  schema: Schema,
): Extractor<StandardSchemaV1.InferOutput<Schema>> {
  assertSchema('Json()', schema);
  return {
    name: 'Json',
    describes: { body: schema, errors: { 400: 'The body is not JSON, or is invalid.' } },
    extract: extractJson<StandardSchemaV1.InferOutput<Schema>>(schema, reject),
  };
}
