// Extractors: their values become the arguments of a handler, from left to right.
import type { Context } from '../context/context.js';
import type { StandardSchemaV1 } from './standard-schema.js';

/**
 * Makes one argument of a handler from the request; may return a promise. Throw an `FwError` to refuse the request.
 *
 * ```ts
 * const Tenant: Extractor<string> = {
 *   extract: (ctx) => ctx.req.header('x-tenant') ?? 'public',
 * };
 * app.get('/items', Tenant, (tenant) => itemsOf(tenant));
 * ```
 */
export interface Extractor<T = unknown> {
  extract(ctx: Context): T | Promise<T>;
}

/** An extractor of one path parameter, which must be in the route's pattern. */
export interface ParamExtractor<T, Name extends string> extends Extractor<T> {
  readonly '~param': Name;
}

/** What an extractor reads, with which schema; for OpenAPI documents. */
export interface Reads {
  readonly from: 'path' | 'query' | 'body';
  readonly schema: StandardSchemaV1;
  /** The name, for an extractor of one path parameter. */
  readonly param?: string;
  /** The status of the answer if the schema refuses. */
  readonly status: 400 | 422;
}

/** An extractor that describes what it reads. */
export interface TellingExtractor<T = unknown> extends Extractor<T> {
  readonly '~reads': Reads;
}
