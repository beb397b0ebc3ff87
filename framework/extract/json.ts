// Json: parses the body and checks it against a schema.
import { assertSchema, type Issues } from './check.js';
import type { Extractor, Reads, TellingExtractor } from './extractor.js';
import { checkJsonBody } from './json-body.js';
import { rejection, type Source } from './rejection.js';
import type { StandardSchemaV1 } from './standard-schema.js';

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
  const reads: Reads = { from: 'body', schema, status: 400 };
  return { '~reads': reads, extract: (ctx) => checkJsonBody(ctx, schema, reject) } as TellingExtractor<
    StandardSchemaV1.InferOutput<Schema>
  >;
}
