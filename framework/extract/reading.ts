// Extractors of the body: a route goes on with the value in the same turn, which takes fewer promises than `extract`.
import type { Context } from '../context/context.js';
import type { MappedPromise } from '../promises.js';
import type { Extractor } from './extractor.js';

/** Reads a value, and gives what `next` makes of it in the same turn. */
export type Read<T> = <To>(ctx: Context, next: (value: T) => To | Promise<To>) => MappedPromise<To>;

const READ: unique symbol = Symbol('read');

/** Makes the function `extract` of such an extractor; routes use what `readOf` finds instead. */
export function extractBy<T>(read: Read<T>): (ctx: Context) => Promise<T> {
  return Object.assign(async (ctx: Context) => read(ctx, (value) => value), { [READ]: read });
}

/** What `extractBy` was given for this extractor; undefined for others. */
export function readOf({
  extract,
}: Extractor & { extract: { [READ]?: Read<unknown> } }): Read<unknown> | undefined {
  return extract[READ];
}
