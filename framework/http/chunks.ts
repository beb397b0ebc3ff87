// Streaming: reads an iterable item by item, and can stop its producer at any time.

import { kindOf, shown } from '../options/shown.js';
import { synchronous } from '../promises.js';
import type { FwHeaders } from './headers.js';

export interface Chunks<T> {
  next(): Promise<IteratorResult<T>>;
  /**
   * Stops the producer: a generator runs its `finally`, a ReadableStream is cancelled, a Node stream destroyed.
   * Resolves when it has stopped; never rejects.
   */
  end(): Promise<void>;
}

/** @throws TypeError if what a stream gave is neither a text nor bytes */
export function checkChunk(chunk: unknown): void {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return;
  throw new TypeError(`a stream gave ${kindOf(chunk)}; give texts, and bytes as a Uint8Array or a Buffer`);
}

/**
 * The error of a stream of another length than that of its response.
 *
 * @param headers of the response: often it is one of fetch, whose body is decoded
 */
export function wrongLength(declared: number, what: 'more' | 'less', headers?: FwHeaders): Error {
  const hint =
    headers?.has('Content-Encoding') === true
      ? '; if it is the body of a response of fetch, return that response, or leave out Content-Encoding and Content-Length'
      : '';
  return new Error(`the stream yielded ${what} than its Content-Length of ${declared} bytes${hint}`);
}

/** Rejects the read of a stream that is cut on purpose: the client must see that it is incomplete. Nothing failed. */
export class CutStream extends Error {}

/**
 * Never throws: an iterable that cannot be read rejects at the first chunk.
 *
 * A ReadableStream is read through its reader, because `return()` of its iterator waits for a pending chunk: a
 * producer that is idle when the client disconnects would never be cancelled. The iterator of a Node stream waits
 * too, and its `return()` does nothing if the iteration has not begun, so a Node stream is destroyed instead.
 *
 * @param name what the messages of its errors call it
 */
export function readChunks<T>(stream: AsyncIterable<T>, name = 'a stream'): Chunks<T> {
  try {
    return open(stream, name);
  } catch (error) {
    // Servers read after the head is sent, where nothing catches what is thrown.
    return { next: () => Promise.reject(error), end: async () => {} };
  }
}

function open<T>(stream: AsyncIterable<T>, name: string): Chunks<T> {
  if (stream instanceof ReadableStream) {
    if (stream.locked) throw new Error(`${name} is already being read; return it unread`);
    const reader: ReadableStreamDefaultReader<T> = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<T>>,
      end: () => reader.cancel().then(undefined, ignore),
    };
  }
  const iterator = synchronous(
    stream[Symbol.asyncIterator](),
    `Symbol.asyncIterator of ${name} returned a promise; return the iterator`,
  );
  if (isNodeStream(stream)) {
    holdErrors(stream);
    return { next: () => iterator.next(), end: async () => stream.destroy() };
  }
  return { next: () => nextOf(iterator, name), end: () => stop(iterator) };
}

/** As `for await` has it: what is not a result would be read as an item without a value, again and again. */
async function nextOf<T>(iterator: AsyncIterator<T>, name: string): Promise<IteratorResult<T>> {
  const result: unknown = await iterator.next();
  if (typeof result === 'object' && result !== null) return result as IteratorResult<T>;
  throw new TypeError(`next() of ${name} gave ${shown(result)}; give { done, value }`);
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
