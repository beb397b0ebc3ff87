// Requests that the app handles and nobody records: what begins while one of them runs may belong to it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

export class UnrecordedRequests {
  readonly #running: () => Iterable<ServerResponse>;
  readonly #recorded = new WeakSet<object>();
  /** Handshakes and requests of HTTP/2 that were too many to record, each with whether it is answered. */
  readonly #skipped = new Map<ServerResponse | Duplex, () => boolean>();

  /** @param running the responses of HTTP/1 that the app makes now, also those that began before the recording */
  constructor(running: () => Iterable<ServerResponse>) {
    this.#running = running;
  }

  recorded(response: ServerResponse): void {
    this.#recorded.add(response);
  }

  /** One begins. @param carrier the response, or the socket of a handshake */
  skipped({ httpVersionMajor }: IncomingMessage, carrier: ServerResponse | Duplex): void {
    if (carrier instanceof Duplex) this.#skipped.set(carrier, handshakeAnswered(carrier));
    else if (httpVersionMajor > 1) this.#skipped.set(carrier, () => isEventStream(carrier));
    else return;
    carrier.once('close', () => this.#skipped.delete(carrier));
  }

  /** An event stream whose head was sent is left out: it may be open for hours. */
  get areRunning(): boolean {
    for (const isAnswered of this.#skipped.values()) if (!isAnswered()) return true;
    for (const response of this.#running()) if (!this.#recorded.has(response)) return true;
    return false;
  }
}

function isEventStream(response: ServerResponse): boolean {
  return response.headersSent && /^text\/event-stream/i.test(String(response.getHeader('content-type')));
}

/** Nothing else is written to the socket before. */
function handshakeAnswered(socket: Duplex & { bytesWritten?: number }): () => boolean {
  const before = socket.bytesWritten;
  return () => socket.bytesWritten !== before;
}
