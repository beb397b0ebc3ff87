// Inference: built-in types of JavaScript and Node that JSON cannot represent, and what to use instead.

const BYTES = 'take base64 as a string';

const REMEDIES: Readonly<Record<string, string>> = {
  Map: 'take an object, or an array of pairs',
  ReadonlyMap: 'take an object, or an array of pairs',
  Set: 'take an array',
  ReadonlySet: 'take an array',
  WeakMap: 'take an object',
  WeakSet: 'take an array',
  WeakRef: 'take what it refers to',
  RegExp: 'take its source as a string',
  Error: 'take its message as a string',
  Promise: 'await it first',
  PromiseLike: 'await it first',
  Iterable: 'take an array',
  Iterator: 'take an array',
  IteratorObject: 'take an array',
  IterableIterator: 'take an array',
  ArrayIterator: 'take an array',
  MapIterator: 'take an array',
  SetIterator: 'take an array',
  Generator: 'take an array',
  AsyncIterable: 'stream it from a route of its own',
  AsyncIterator: 'stream it from a route of its own',
  AsyncIterableIterator: 'stream it from a route of its own',
  AsyncGenerator: 'stream it from a route of its own',
  ReadableStream: 'stream it from a route of its own',
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
  Buffer: BYTES,
  Blob: BYTES,
  File: BYTES,
  FormData: 'take an object',
  URLSearchParams: 'take an object',
  Headers: 'take an object',
  Function: 'leave it out',
  Object: 'take Record<string, unknown>',
  String: 'write string',
  Number: 'write number',
  Boolean: 'write boolean',
};

/** The remedy for a type that JSON cannot represent; undefined for other types. */
export function remedyFor(builtIn: string): string | undefined {
  // Own keys only, because a type may be called `toString`.
  if (Object.hasOwn(REMEDIES, builtIn)) return REMEDIES[builtIn];
  return /^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(builtIn) ? BYTES : undefined;
}
