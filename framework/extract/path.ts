// Path: checks path parameters against a schema.

import type { Context } from '../context/context.js';
import { checkValue } from '../options/check.js';
import { filled } from '../options/rules.js';
import { assertSchema, check, type Issues } from '../schema/check.js';
import { rejection, type Source } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { callSite } from '../tracing/call-site.js';
import type { ExtractorDescription } from './description.js';
import type { Extractor, ParamExtractor } from './extractor.js';

const refusal = { 400: 'A path parameter is invalid.' };

function sourceHere(): Source {
  return { field: 'path parameter ', whole: 'path parameters', place: callSite(Path) };
}

/**
 * Extracts the path parameters: all of them as one object, or the one with the given name. The schema gets strings
 * and may convert them. Parameters that it refuses are answered 400.
 *
 * ```ts
 * app.get('/users/:id', Path('id', z.coerce.number()), (id) => users.get(id));
 * ```
 */
export function Path<Schema extends StandardSchemaV1>(
  schema: Schema,
): Extractor<StandardSchemaV1.InferOutput<Schema>>;
export function Path<Name extends string, Schema extends StandardSchemaV1>(
  name: Name,
  schema: Schema,
): ParamExtractor<StandardSchemaV1.InferOutput<Schema>, Name>;
export function Path(
  ...args: [schema: StandardSchemaV1] | [name: string, schema: StandardSchemaV1]
): Extractor {
  return args.length === 1 ? allParams(args[0]) : oneParam(args[0], args[1]);
}

function allParams(schema: StandardSchemaV1): Extractor {
  assertSchema('Path()', schema);
  const source = sourceHere();
  const reject = (issues: Issues) => rejection(issues, source, 'BadRequest');
  const describes: ExtractorDescription = { path: schema, errors: refusal };
  return { name: 'Path', describes, extract: (ctx) => check(schema, ctx.req.params(), reject) };
}

function oneParam(name: string, schema: StandardSchemaV1): ParamExtractor<unknown, string> {
  checkValue('Path', 'the name', name, filled);
  assertSchema(`Path('${name}')`, schema);
  const source = sourceHere();
  const reject = (issues: Issues) => {
    const named = issues.map(({ message, path = [] }) => ({ message, path: [name, ...path] }));
    return rejection(named, source, 'BadRequest');
  };
  const describes: ExtractorDescription = { path: { [name]: schema }, errors: refusal };
  const extract = (ctx: Context) => check(schema, ctx.req.param(name), reject);
  return { '~param': name, name: `Path('${name}')`, describes, extract };
}
