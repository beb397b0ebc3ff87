// What an extractor is: the handler's arguments are what these take from the request, from left to right.
import type { Context } from '../context.js';

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
