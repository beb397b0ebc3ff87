// Streaming: what a handler or a procedure gives and is not sent, such as a stream where none can be sent.
import { holdErrors, readChunks } from './chunks.js';
import { FwResponse } from './response.js';

/** Stops the producer of a response, a web Response or a stream, which nobody reads. Nothing for any other value. */
export function endUnsent(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  try {
    if (value instanceof FwResponse) value.discard();
    else end(streamOf(value));
  } catch {
    // A Proxy, or a getter that throws.
  }
}

function streamOf(value: object): object {
  const { body } = value as { body?: unknown };
  return body instanceof ReadableStream ? body : value;
}

/** Whether it is a stream, such as a generator, a ReadableStream or a Readable of Node.js. */
export function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function end(stream: object): void {
  if (!isStream(stream)) return;
  holdErrors(stream);
  void readChunks(stream).end();
}
