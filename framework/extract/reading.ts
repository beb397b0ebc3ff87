// Extractors of the body: a route goes on with the value in the same turn, which takes fewer promises than `extract`.
import type { Context } from '../context/context.js';
import type { RequestBody } from '../context/request-body.js';
import { chained, MappedPromise } from '../promises.js';
import type { Extractor } from './extractor.js';

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
