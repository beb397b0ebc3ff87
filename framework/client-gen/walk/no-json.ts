// Inference: built-in types of JavaScript and Node that JSON cannot represent, and what to use instead.

const BYTES = 'use a base64 string';

const FILE = 'use it in the input of a mutation, or a base64 string';

const REMEDIES: Readonly<Record<string, string>> = {
  Map: 'use an object, or an array of pairs',
  ReadonlyMap: 'use an object, or an array of pairs',
  Set: 'use an array',
  ReadonlySet: 'use an array',
  WeakMap: 'use an object',
  WeakSet: 'use an array',
  WeakRef: 'use the object that it refers to',
  RegExp: 'use its source, a string',
  Error: 'use its message, a string',
  Promise: 'await it before you return it',
  PromiseLike: 'await it before you return it',
  Iterable: 'use an array',
  Iterator: 'use an array',
  IteratorObject: 'use an array',
  IterableIterator: 'use an array',
  ArrayIterator: 'use an array',
  MapIterator: 'use an array',
  SetIterator: 'use an array',
  Generator: 'use an array',
  AsyncIterable: 'stream it from a separate route',
  AsyncIterator: 'stream it from a separate route',
  AsyncIterableIterator: 'stream it from a separate route',
  AsyncGenerator: 'stream it from a separate route',
  ReadableStream: 'stream it from a separate route',
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
  Buffer: BYTES,
  Blob: FILE,
  File: FILE,
  FormData: 'use an object',
  URLSearchParams: 'use an object',
  Headers: 'use an object',
  Function: 'leave it out',
  Object: 'use Record<string, unknown>',
  String: 'use string',
  Number: 'use number',
  Boolean: 'use boolean',
};

/** The remedy for a type that JSON cannot represent; undefined for other types. */
export function remedyFor(builtIn: string): string | undefined {
  // Own keys only, because a type may be called `toString`.
  if (Object.hasOwn(REMEDIES, builtIn)) return REMEDIES[builtIn];
  return /^(?:Big)?(?:Uint|Int|Float)\d+(?:Clamped)?Array$/.test(builtIn) ? BYTES : undefined;
}
