// Query: checks the query string against a schema.
import { assertSchema, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import { checkFields } from './check-fields.js';
import type { Extractor } from './extractor.js';

/**
 * Extracts the query as one object: a string for each key, or an array of strings if the key repeats or the schema
 * expects an array. The schema may convert strings to other types. A query that it refuses is answered 400.
 *
 * ```ts
 * const Search = z.object({ page: z.coerce.number().default(1), tag: z.array(z.string()).optional() });
 * app.get('/items', Query(Search), ({ page, tag }) => find(page, tag));
 * ```
 *
 * If the schema refuses the string of a key that occurs once, it is run again with an array, so it may run up to
 * three times for one request.
 */
export function Query<Schema extends StandardSchemaV1>(
  schema: Schema,
): Extractor<StandardSchemaV1.InferOutput<Schema>> {
  assertSchema('Query()', schema);
  const source: Source = { field: 'query parameter ', whole: 'query', place: callSite(Query) };
  const reject = (issues: Issues) => rejection(issues, source, 'BadRequest');
  return {
    name: 'Query',
    describes: { query: schema, errors: { 400: 'A query parameter is invalid.' } },
    extract: (ctx) =>
      checkFields<string, StandardSchemaV1.InferOutput<Schema>>(schema, ctx.req.queries(), reject),
  };
}
