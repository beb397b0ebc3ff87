// Extractors: their values become the arguments of a handler, from left to right.
import type { Context } from '../context/context.js';
import type { RequestBody } from '../context/request-body.js';
import { chained, MappedPromise } from '../promises.js';
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

/** How such an extractor makes its value of the body. */
export interface BodyReader<T> {
  /** Gives the content, or rejects. @throws FwError if it is not accepted */
  open(body: RequestBody): Promise<string | Uint8Array>;
  /** The value of the content. @throws FwError if it is not accepted */
  read(content: string | Uint8Array): T | Promise<T>;
}

const READER: unique symbol = Symbol('reader');

/** Makes the function `extract` of such an extractor; routes use what `readerOf` finds instead. */
export function extractBy<T>(reader: BodyReader<T>): (ctx: Context) => Promise<T> {
  return Object.assign(async (ctx: Context) => readThen(reader, ctx, (value) => value), { [READER]: reader });
}

/** What `extractBy` was given for this extractor; undefined for others. */
export function readerOf({
  extract,
}: Extractor & { extract: { [READER]?: BodyReader<unknown> } }): BodyReader<unknown> | undefined {
  return extract[READER];
}

/** What `next` makes of the value, in the same turn. */
export function readThen<T, To>(
  reader: BodyReader<T>,
  ctx: Context,
  next: (value: T) => To | Promise<To>,
): MappedPromise<To> {
  return new MappedPromise(reader.open(ctx.req.body), (content: string | Uint8Array) =>
    chained(reader.read(content), next),
  );
}
