// What an extractor is: the handler's arguments are what these take from the request, from left to right.
import type { Context } from '../context.js';
import type { StandardSchemaV1 } from './standard-schema.js';

/**
 * Takes one argument of a handler from the request. Throw an `FwError` to refuse it.
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

/** An extractor of one path parameter, which the route's pattern must have. */
export interface ParamExtractor<T, Name extends string> extends Extractor<T> {
  readonly '~param': Name;
}

/** What an extractor reads and by which schema, for documents about the routes. */
export interface Reads {
  readonly from: 'path' | 'query' | 'body';
  readonly schema: StandardSchemaV1;
  /** Of the one path parameter. */
  readonly param?: string;
  /** Of a mismatch. */
  readonly status: 400 | 422;
}

/** An extractor that tells what it reads. */
export interface TellingExtractor<T = unknown> extends Extractor<T> {
  readonly '~reads': Reads;
}
