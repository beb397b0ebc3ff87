// Interop: tells an adapted middleware when all of the answer was taken, or nobody takes any more.
import type { FwResponse } from '../response.js';
import { readChunks } from '../streaming/chunks.js';
import type { ConnectResponse } from './connect-response.js';

export function watchEnd(response: FwResponse, isHead: boolean, res: ConnectResponse): void {
  if (response.isStream) watchStream(response, isHead, res);
  else {
    showLength(response, res);
    queueMicrotask(() => res.finish());
  }
}

function watchStream(response: FwResponse, isHead: boolean, res: ConnectResponse): void {
  const stream = new WatchedStream(response.content as AsyncIterable<Uint8Array | string>, {
    complete: () => res.finish(),
    broken: () => (isHead ? res.finish() : res.close()),
  });
  // The same bytes: what describes them stays.
  const kept = ['Content-Length', 'ETag'].map((name) => [name, response.headers.get(name)] as const);
  response.body = { kind: 'stream', stream };
  for (const [name, value] of kept) if (value !== undefined) response.headers.set(name, value);
}

/** The server adds the length of a body in memory; loggers ask for it. */
function showLength({ status, content }: FwResponse, res: ConnectResponse): void {
  if (status === 204 || status === 205 || status === 304 || res.fields.has('content-length')) return;
  res.fields.set('Content-Length', Buffer.byteLength(content as string | Uint8Array));
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
