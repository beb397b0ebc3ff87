// Limits: holds request bodies to `maxBodySize`, whatever runtime they come from.
import type { Handle } from './dispatch.js';
import { FwError } from './errors.js';
import type { PeerAddress, RequestSource } from './request-source.js';

/** The same way through the App, for bodies of at most `maxBytes`. */
export function limitBodies(handle: Handle, maxBytes: number): Handle {
  return (source, deliver) => {
    const limited = new LimitedSource(source, maxBytes);
    handle(limited, (response) => {
      limited.leave();
      deliver(response);
    });
  };
}

/** @throws Error when the limit is no whole number of bytes. */
export function checkBodyLimit(bytes: number): number {
  if (Number.isSafeInteger(bytes) && bytes >= 0) return bytes;
  throw new Error(`invalid maxBodySize ${bytes}: give whole bytes, 0 or more`);
}

/** What a body over the limit is answered with. */
export function bodyTooLarge(maxBytes: number): FwError {
  return FwError.payloadTooLarge(`the request body is larger than ${maxBytes} bytes`);
}

class LimitedSource implements RequestSource {
  readonly method: string;
  readonly target: string;
  readonly refused: string | undefined;
  readonly oversized: FwError | undefined;
  readonly #source: RequestSource;
  readonly #maxBytes: number;
  #isRead = false;

  constructor(source: RequestSource, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
    this.method = source.method;
    this.target = source.target;
    this.refused = source.refused;
    const declared = source.header('content-length');
    this.oversized = Number(declared ?? 0) > maxBytes ? bodyTooLarge(maxBytes) : undefined;
  }

  get origin(): string {
    return this.#source.origin;
  }

  get peer(): PeerAddress | undefined {
    return this.#source.peer;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }

  header(lowerName: string): string | undefined {
    return this.#source.header(lowerName);
  }

  headers(): Record<string, string> {
    return this.#source.headers();
  }

  readBody(): Promise<Uint8Array> {
    this.#isRead = true;
    return this.oversized ? Promise.reject(this.oversized) : this.#source.readBody(this.#maxBytes);
  }

  openBody(): ReadableStream<Uint8Array> {
    if (this.oversized) throw this.oversized;
    this.#isRead = true;
    return this.#source.openBody().pipeThrough(this.#counting());
  }

  abandonBody(): void {
    this.#source.abandonBody();
  }

  /** A body that nobody read, and whose size nobody knows or that is too large, must not be read to its end. */
  leave(): void {
    const isOpenEnded = this.header('transfer-encoding') !== undefined;
    if (this.oversized !== undefined || (isOpenEnded && !this.#isRead)) this.abandonBody();
  }

  #counting(): TransformStream<Uint8Array, Uint8Array> {
    let size = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        size += chunk.byteLength;
        if (size <= this.#maxBytes) {
          controller.enqueue(chunk);
          return;
        }
        this.abandonBody();
        controller.error(bodyTooLarge(this.#maxBytes));
      },
    });
  }
}
