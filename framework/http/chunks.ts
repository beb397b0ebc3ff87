// Streaming: reads an iterable item by item, and can stop its producer at any time.

import { synchronous } from '../promises.js';

export interface Chunks<T> {
  next(): Promise<IteratorResult<T>>;
  /**
   * Stops the producer: a generator runs its `finally`, a ReadableStream is cancelled, a Node stream destroyed.
   * Resolves when it has stopped; never rejects.
   */
  end(): Promise<void>;
}

/** Rejects the read of a stream that is cut on purpose: the client must see that it is incomplete. Nothing failed. */
export class CutStream extends Error {}

/**
 * Never throws: an iterable that cannot be read rejects at the first chunk.
 *
 * A ReadableStream is read through its reader, because `return()` of its iterator waits for a pending chunk: a
 * producer that is idle when the client disconnects would never be cancelled. The iterator of a Node stream waits
 * too, and its `return()` does nothing if the iteration has not begun, so a Node stream is destroyed instead.
 */
export function readChunks<T>(stream: AsyncIterable<T>): Chunks<T> {
  try {
    return open(stream);
  } catch (error) {
    // Servers read after the head is sent, where nothing catches what is thrown.
    return { next: () => Promise.reject(error), end: async () => {} };
  }
}

function open<T>(stream: AsyncIterable<T>): Chunks<T> {
  if (stream instanceof ReadableStream) {
    const reader: ReadableStreamDefaultReader<T> = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<T>>,
      end: () => reader.cancel().then(undefined, ignore),
    };
  }
  const iterator = synchronous(
    stream[Symbol.asyncIterator](),
    'Symbol.asyncIterator of a stream returned a promise; return the iterator',
  );
  if (isNodeStream(stream)) {
    holdErrors(stream);
    return { next: () => iterator.next(), end: async () => stream.destroy() };
  }
  return { next: () => iterator.next(), end: () => stop(iterator) };
}

/** Keeps an error of a Node stream that is not yet read from ending the process; the first read reports it. */
export function holdErrors(stream: object): void {
  if (isNodeStream(stream)) stream.on('error', ignore);
}

interface NodeStream {
  on(event: 'error', listener: () => void): unknown;
  destroy(): void;
}

/** Checks the members instead of the class, because the core does not import Node's modules. */
function isNodeStream(stream: object): stream is NodeStream {
  const { on, destroy } = stream as Partial<NodeStream>;
  return typeof on === 'function' && typeof destroy === 'function';
}

/** Also catches what a hand-written iterator throws synchronously: the caller is often a socket event. */
async function stop(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    // Stryker disable next-line OptionalChaining: calling undefined throws, which is caught too
    await iterator.return?.();
  } catch {
    // Nobody reads any more, so a failure while stopping is not reported.
  }
}

function ignore(): void {}
