// Inference: the types of JavaScript whose first type argument is what an async iteration gives.

export const ITERABLES: ReadonlySet<string> = new Set([
  'AsyncGenerator',
  'AsyncIterable',
  'AsyncIterableIterator',
  'AsyncIterator',
  'AsyncIteratorObject',
  'ReadableStream',
  'ReadableStreamAsyncIterator',
]);

/** The method that makes a type an async iterable, as compilers name it. */
export function isAsyncIterator(name: string): boolean {
  return /^__@asyncIterator(?:@|$)/.test(name);
}

/** What `tracked(id, value)` returns; its type argument is the event. */
export const TRACKED = 'Tracked';
