// Extractors whose value is read: a route goes on with it in the turn in which it has come.
import type { Context } from '../context/context.js';
import type { MappedPromise } from '../promises.js';
import type { Extractor } from './extractor.js';

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
