// Query: checks the query string against a schema.
import { chained } from '../promises.js';
import { assertSchema, check, type Issues } from '../schema/check.js';
import { keyOf, rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { Extractor } from './extractor.js';

const source: Source = { field: 'query parameter ', whole: 'query' };

type Queries = Readonly<Record<string, string[]>>;

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
  return {
    name: 'Query',
    describes: { query: schema, errors: { 400: 'A query parameter is invalid.' } },
    extract: (ctx) => checkQuery<StandardSchemaV1.InferOutput<Schema>>(schema, ctx.req.queries()),
  };
}

/**
 * A Standard Schema does not expose what it expects, only what it refuses. So keys that occur once and were refused
 * are tried as arrays; those that are refused as arrays too are strings again in the last run, so that its issues
 * describe what the client sent.
 */
function checkQuery<Output>(
  schema: StandardSchemaV1<unknown, Output>,
  queries: Queries,
): Output | Promise<Output> {
  const { validate } = schema['~standard'];
  return chained(validate(shape(queries, [])), (plain) => {
    if (!plain.issues) return plain.value;
    const refused = refusedKeys(plain.issues).filter((key) => queries[key]?.length === 1);
    if (refused.length === 0) throw reject(plain.issues);
    return chained(validate(shape(queries, refused)), (listed) => {
      if (!listed.issues) return listed.value;
      const stillRefused = new Set(refusedKeys(listed.issues));
      const lists = refused.filter((key) => !stillRefused.has(key));
      if (lists.length === 0) throw reject(plain.issues);
      return check(schema, shape(queries, lists), reject);
    });
  });
}

function reject(issues: Issues) {
  return rejection(issues, source, 'BadRequest');
}

/** Single values as strings, or as arrays for the keys of `lists`. No prototype, because clients choose the keys. */
function shape(queries: Queries, lists: readonly string[]): Record<string, string | string[]> {
  const shaped: Record<string, string | string[]> = Object.create(null);
  for (const [key, values] of Object.entries(queries)) {
    const [first] = values;
    shaped[key] = values.length === 1 && first !== undefined ? first : [...values];
  }
  for (const key of lists) shaped[key] = [...(queries[key] ?? [])];
  return shaped;
}

/** Keys whose value itself was refused, not something inside it. */
function refusedKeys(issues: Issues): string[] {
  const keys = new Set<string>();
  for (const { path = [] } of issues) {
    if (path.length === 1 && path[0] !== undefined) keys.add(String(keyOf(path[0])));
  }
  return [...keys];
}
