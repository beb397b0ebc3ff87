// Fetch: the body of a streamed response as a ReadableStream.

import { readChunks } from '../http/chunks.js';
import type { FwResponse } from '../http/response.js';
import { isEventStream } from '../streaming/event-stream.js';
import { reportCut } from './report-cut.js';
import type { WebRequestSource } from './web-request-source.js';

const encoder = new TextEncoder();

/**
 * Pulls one chunk at a time (back-pressure); cancelling stops the producer. A drain of the server ends an event stream,
 * with the signal of its request.
 */
export function toReadable(
  response: FwResponse,
  stream: AsyncIterable<Uint8Array | string>,
  source: WebRequestSource,
): ReadableStream<Uint8Array> {
  const chunks = readChunks(stream);
  let isOver = false;
  let forget: (() => void) | undefined;
  const readable = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (!isEventStream(response)) return;
        forget = source.side?.eventStreams.add(() => {
          isOver = true;
          controller.close();
          chunks.end();
          source.abort(new Error('the server is shutting down'));
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) {
            controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
            return;
          }
          forget?.();
          controller.close();
        } catch (error) {
          // What a producer throws because it is stopped is not a failure, and neither is a chunk that comes too late.
          if (isOver) return;
          forget?.();
          reportCut(response, error, source);
          controller.error(new Error('the response stream failed'));
        }
      },
      cancel() {
        isOver = true;
        forget?.();
        chunks.end();
      },
    },
    { highWaterMark: 0 },
  );
  source.streams();
  return readable;
}
