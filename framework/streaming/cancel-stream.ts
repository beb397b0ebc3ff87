// Streaming: tells the producer of a body that nobody will read (the rest of) it.

/** Ends an async iterable: a generator runs its `finally`, a ReadableStream is cancelled. */
export function cancelStream(stream: AsyncIterable<unknown>): void {
  const ended = stream[Symbol.asyncIterator]().return?.();
  // A producer that fails while it is being stopped has no reader left to tell.
  ended?.then(undefined, () => {});
}
