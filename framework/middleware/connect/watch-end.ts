// Interop: notifies adapted middleware when the complete response was taken, or will not be taken.

import { readChunks } from '../../http/chunks.js';
import type { FwResponse } from '../../http/response.js';
import { isBodiless } from '../../http/status.js';
import type { ConnectResponse } from './connect-response.js';

export function watchEnd(response: FwResponse, isHead: boolean, res: ConnectResponse): void {
  const { stream } = response;
  if (stream !== undefined) watchStream(response, stream, isHead, res);
  else {
    showLength(response, res);
    queueMicrotask(() => res.finish());
  }
}

function watchStream(
  response: FwResponse,
  source: AsyncIterable<Uint8Array | string>,
  isHead: boolean,
  res: ConnectResponse,
): void {
  const stream = new WatchedStream(source, {
    complete: () => res.finish(),
    broken: () => (isHead ? res.finish() : res.close()),
  });
  // The bytes are the same, so the header fields that describe them are kept.
  const kept = ['Content-Length', 'ETag'].map((name) => [name, response.headers.get(name)] as const);
  response.body = { kind: 'stream', stream };
  for (const [name, value] of kept) if (value !== undefined) response.headers.set(name, value);
}

/** The server adds the Content-Length of a body in memory, but loggers read it before. */
function showLength({ status, content }: FwResponse, res: ConnectResponse): void {
  if (isBodiless(status) || res.fields.has('content-length')) return;
  res.fields.set('Content-Length', Buffer.byteLength(content));
}

interface StreamEnd {
  complete(): void;
  broken(): void;
}

class WatchedStream implements AsyncIterable<Uint8Array | string> {
  readonly #stream: AsyncIterable<Uint8Array | string>;
  readonly #end: StreamEnd;

  constructor(stream: AsyncIterable<Uint8Array | string>, end: StreamEnd) {
    this.#stream = stream;
    this.#end = end;
  }

  get locked(): boolean {
    return (this.#stream as { locked?: boolean }).locked === true;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array | string> {
    const chunks = readChunks(this.#stream);
    const end = this.#end;
    return {
      async next() {
        try {
          const result = await chunks.next();
          if (result.done) end.complete();
          return result;
        } catch (error) {
          end.broken();
          throw error;
        }
      },
      async return() {
        chunks.end();
        end.broken();
        return { done: true, value: undefined };
      },
    };
  }
}
