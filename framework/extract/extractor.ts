// Extractors: their values become the arguments of a handler, from left to right.
import type { Context } from '../context/context.js';
import type { ExtractorDescription } from './description.js';

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
  /** For people, such as in the trace of `fw dev`. */
  readonly name?: string;
  /** What it reads and how it refuses, for OpenAPI documents; nothing if absent. */
  readonly describes?: ExtractorDescription;
}

/** An extractor of one path parameter, which must be in the route's pattern. */
export interface ParamExtractor<T, Name extends string> extends Extractor<T> {
  readonly '~param': Name;
}
