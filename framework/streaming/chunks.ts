// Streaming: reads a body chunk by chunk, and can end its producer at any moment.

type Chunk = Uint8Array | string;

export interface Chunks {
  next(): Promise<IteratorResult<Chunk>>;
  /** Tells the producer that nobody reads on: a generator runs its `finally`, a ReadableStream is cancelled. */
  end(): void;
}

/**
 * A ReadableStream is read through its reader: the `return` of its iterator waits for a chunk that is asked
 * for, so a producer that is silent when the client leaves would never hear of it.
 */
export function readChunks(stream: AsyncIterable<Chunk>): Chunks {
  if (stream instanceof ReadableStream) {
    const reader: ReadableStreamDefaultReader<Chunk> = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<Chunk>>,
      end: () => void reader.cancel().then(undefined, ignore),
    };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return { next: () => iterator.next(), end: () => void iterator.return?.().then(undefined, ignore) };
}

/** A producer that fails while it is being stopped has no reader left to tell. */
function ignore(): void {}
