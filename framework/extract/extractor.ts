// Extractors: their values become the arguments of a handler, from left to right.
import type { Context } from '../context/context.js';
import type { MappedPromise } from '../promises.js';
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

/** Reads a value, and gives what `next` makes of it in the same turn. */
export type Read<T> = <To>(ctx: Context, next: (value: T) => To | Promise<To>) => MappedPromise<To>;

const READ: unique symbol = Symbol('read');

/** The function `extract` of an extractor; a route goes on by `readOf`, which takes fewer promises. */
export function extractBy<T>(read: Read<T>): (ctx: Context) => Promise<T> {
  return Object.assign(async (ctx: Context) => read(ctx, (value) => value), { [READ]: read });
}

/** How to read the value of an extractor that was made by `extractBy`; undefined for others. */
export function readOf({
  extract,
}: Extractor & { extract: { [READ]?: Read<unknown> } }): Read<unknown> | undefined {
  return extract[READ];
}
