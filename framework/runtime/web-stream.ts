// Fetch: the body of a streamed response as a ReadableStream.

import { checkChunk, readChunks, wrongLength } from '../http/chunks.js';
import type { FwResponse } from '../http/response.js';
import { isEventStream } from '../streaming/event-stream.js';
import { reportCut } from './report-cut.js';
import type { WebRequestSource } from './web-request-source.js';

const encoder = new TextEncoder();

/**
 * Pulls one chunk at a time (back-pressure); cancelling stops the producer. A drain of the server ends an event stream,
 * with the signal of its request; other streams are cut if they are open at the end of the grace period.
 */
export function toReadable(
  response: FwResponse,
  stream: AsyncIterable<Uint8Array | string>,
  source: WebRequestSource,
): ReadableStream<Uint8Array> {
  const chunks = readChunks(stream);
  // NaN without one, so that comparisons with it are false. That of an event stream is not sent.
  const declared = isEventStream(response) ? Number.NaN : Number(response.headers.get('Content-Length'));
  let sent = 0;
  let isOver = false;
  let forget: (() => void) | undefined;
  const readable = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const { side } = source;
        const isEnded = isEventStream(response);
        forget = (isEnded ? side?.eventStreams : side?.otherStreams)?.add(() => {
          isOver = true;
          if (isEnded) controller.close();
          else controller.error(undefined);
          chunks.end();
          source.abort(new Error('the server is shutting down'));
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (!done) {
            checkChunk(value);
            const bytes = typeof value === 'string' ? encoder.encode(value) : value;
            sent += bytes.byteLength;
            if (sent > declared) throw wrongLength(declared, 'more', response.headers);
            controller.enqueue(bytes);
            return;
          }
          if (sent < declared) throw wrongLength(declared, 'less', response.headers);
          forget?.();
          controller.close();
        } catch (error) {
          // What a producer throws because it is stopped is not a failure, and neither is a chunk that comes too late.
          if (isOver) return;
          forget?.();
          void chunks.end();
          reportCut(response, error, source);
          // It is reported, and the servers of Bun and Deno would print any other error a second time.
          const isPrinted = source.side?.otherStreams !== undefined;
          controller.error(isPrinted ? undefined : new Error('the response stream failed'));
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
