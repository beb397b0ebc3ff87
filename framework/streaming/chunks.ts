// Streaming: reads an iterable item by item, and can end its producer at any moment.

export interface Chunks<T> {
  next(): Promise<IteratorResult<T>>;
  /** Tells the producer that nobody reads on: a generator runs its `finally`, a ReadableStream is cancelled. */
  end(): void;
}

/**
 * Never throws: an iterable that cannot be read fails at the first chunk.
 *
 * A ReadableStream is read through its reader: the `return` of its iterator waits for a chunk that is asked
 * for, so a producer that is silent when the client leaves would never hear of it. The iterator of a Node stream
 * waits likewise, and does nothing at all where it was not begun.
 */
export function readChunks<T>(stream: AsyncIterable<T>): Chunks<T> {
  try {
    return open(stream);
  } catch (error) {
    // Servers read after the head is sent, where a throw would have nowhere to go.
    return { next: () => Promise.reject(error), end: ignore };
  }
}

function open<T>(stream: AsyncIterable<T>): Chunks<T> {
  if (stream instanceof ReadableStream) {
    const reader: ReadableStreamDefaultReader<T> = stream.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<T>>,
      end: () => void reader.cancel().then(undefined, ignore),
    };
  }
  const iterator = stream[Symbol.asyncIterator]();
  if (isNodeStream(stream)) {
    holdErrors(stream);
    return { next: () => iterator.next(), end: () => stream.destroy() };
  }
  return { next: () => iterator.next(), end: () => void stop(iterator) };
}

/** Keeps an error that a Node stream has before it is read from ending the process; the first read tells it. */
export function holdErrors(stream: object): void {
  if (isNodeStream(stream)) stream.on('error', ignore);
}

interface NodeStream {
  on(event: 'error', listener: () => void): unknown;
  destroy(): void;
}

/** Asked of its members: the core knows no runtime. */
function isNodeStream(stream: object): stream is NodeStream {
  const { on, destroy } = stream as Partial<NodeStream>;
  return typeof on === 'function' && typeof destroy === 'function';
}

/** Also where a hand-written iterator throws at once: whoever calls is often an event of the socket. */
async function stop(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    ignore();
  }
}

/** A producer that fails while it is being stopped has no reader left to tell. */
function ignore(): void {}
