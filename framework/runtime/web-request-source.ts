// Fetch: a web Request as the core reads it. Nothing is made of it that nobody asks for.

import { bodyTooLarge } from '../http/body-limit.js';
import { asFwError, FwError } from '../http/errors.js';
import { joinBytes } from '../http/join-bytes.js';
import type { PeerAddress, RequestSource } from '../http/request-source.js';
import { codingFault, hostFault } from '../http/request-target.js';
import { shared } from '../http/shared-signal.js';
import { nextTurn } from '../promises.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import type { ServingSide } from './serving-side.js';

export class WebRequestSource implements RequestSource {
  readonly method: string;
  readonly #request: Request;
  #headers: Headers | undefined = undefined;
  readonly #info: unknown;
  #target: string | undefined = undefined;
  /** The server that the request came from; undefined for `oneshot`. */
  readonly side: ServingSide | undefined;
  #ending: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #chunks: BodyChunks | undefined;

  /**
   * @param info what the runtime of the server passed with the Request; without a server, what `ctx.platform` has
   * @param method of the Request, if it is known without asking
   */
  constructor(request: Request, side?: ServingSide, info?: unknown, method?: string) {
    this.#request = request;
    this.side = side;
    this.#info = info;
    this.method = method ?? request.method;
  }

  get refused(): string | undefined {
    const { checksHost = passesHostsOn } = this.side ?? {};
    const fault = checksHost ? hostFault(this.header('host') ?? '') : undefined;
    const coding = this.header('transfer-encoding');
    return fault ?? (coding === undefined ? undefined : codingFault(coding));
  }

  /** Made when it is asked for: reading the URL is a tenth of the time of a small request on Bun. */
  get target(): string {
    if (this.#target === undefined) {
      const { url } = this.#request;
      const hash = url.indexOf('#');
      this.#target = url.slice(pathStart(url), hash === -1 ? url.length : hash);
    }
    return this.#target;
  }

  get origin(): string {
    const { url } = this.#request;
    const origin = url.slice(0, pathStart(url));
    // Bun passes on what no URL can hold, such as a port of 99999.
    if (!URL.canParse(origin)) throw FwError.badRequest(MALFORMED);
    return origin;
  }

  get platform(): object {
    const { side } = this;
    const passed = side === undefined ? this.#info : (side.platform?.(this.#info) ?? { env: this.#info });
    return { ...(passed as object | undefined), request: this.#request };
  }

  get peer(): PeerAddress | undefined {
    return this.side?.readPeer(this.#request, this.#info);
  }

  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const { signal } = this.#request;
    if (this.side === undefined) this.#signal = shared(signal);
    else {
      this.#ending ??= new AbortController();
      this.#signal = shared(AbortSignal.any([signal, this.#ending.signal]));
    }
    return this.#signal;
  }

  whenOver(callback: () => void): () => void {
    const { signal } = this.#request;
    if (signal.aborted) callback();
    else signal.addEventListener('abort', callback);
    return () => signal.removeEventListener('abort', callback);
  }

  /** Aborts the signal from the side of the server. */
  abort(reason: Error): void {
    this.#ending ??= new AbortController();
    this.#ending.abort(reason);
  }

  /** Tells the server that the response is a stream. */
  streams(): void {
    this.side?.streams?.(this.#request, this.#info);
  }

  header(lowerName: string): string | undefined {
    // Asking a Request for its headers takes as long as looking for a field.
    this.#headers ??= this.#request.headers;
    try {
      return this.#headers.get(lowerName) ?? undefined;
    } catch (error) {
      // It throws a TypeError for what is not the name of a header field, which no request has (Fetch Standard, 5.1).
      if (!(error instanceof TypeError)) throw error;
      return undefined;
    }
  }

  isRepeated(): boolean {
    // All of them are joined in `header`.
    return false;
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = Object.create(null);
    for (const [name, value] of this.#request.headers) headers[name] = value;
    return headers;
  }

  readBody(maxBytes: number = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
    if (!this.#endsBySelf(maxBytes)) return this.#collect(maxBytes);
    return readBytes(this.#request, this.#leaving).then((bytes) => {
      // A Request that an application made may have any Content-Length.
      if (bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      return bytes;
    });
  }

  readText(): Promise<string> {
    if (this.#endsBySelf(Number.POSITIVE_INFINITY)) return readText(this.#request, this.#leaving);
    return this.#collect(Number.POSITIVE_INFINITY).then(decodeUtf8);
  }

  abandonBody(): void {
    const { body } = this.#request;
    if (body?.locked === false) body.cancel().then(undefined, () => {});
    // On a server, the response ends it.
    else if (this.side === undefined) this.#chunks?.abandon();
  }

  openBody(): ReadableStream<Uint8Array> {
    if (!this.hasBody) return new ReadableStream({ start: (controller) => controller.close() });
    const chunks = this.#openChunks();
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const chunk = await chunks.read();
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        },
        cancel: (reason) => chunks.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** The whole body, within the limit. @throws FwError 413 if it is larger */
  async #collect(maxBytes: number): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    if (!this.hasBody) return new Uint8Array();
    const chunks = this.#openChunks();
    let size = 0;
    for (let part = await chunks.read(); part !== undefined; part = await chunks.read()) {
      size += part.byteLength;
      if (size > maxBytes) {
        void chunks.cancel(undefined).then(undefined, () => {});
        throw bodyTooLarge(maxBytes);
      }
      parts.push(part);
    }
    return joinBytes(parts);
  }

  /** @throws TypeError if something else reads it, or has read it */
  #openChunks(): BodyChunks {
    const { body, bodyUsed } = this.#request;
    if (bodyUsed) throw new TypeError('the body of the Request was already read');
    this.#chunks = new BodyChunks(body as ReadableStream<Uint8Array>, this.#leaving);
    return this.#chunks;
  }

  get hasBody(): boolean {
    return this.#request.body !== null;
  }

  /** Aborts when the client leaves. Servers end the body of its request then, and nothing else does. */
  get #leaving(): AbortSignal | undefined {
    return this.side === undefined && this.hasBody ? this.#request.signal : undefined;
  }

  /**
   * Whether the runtime may read it as a whole, which nobody can stop. Servers hold a body to its Content-Length, which
   * the core has compared with the limit; but not if it is sent in the chunked coding too, which overrides the length (RFC
   * 9112, section 6.3). They end the body of a client that leaves. On Node.js, reading it as a whole is not faster.
   */
  #endsBySelf(maxBytes: number): boolean {
    if (this.side !== undefined && maxBytes === Number.POSITIVE_INFINITY) return true;
    if (this.side === undefined && THIS_RUNTIME === 'Node.js') return false;
    return this.header('content-length') !== undefined && this.header('transfer-encoding') === undefined;
  }
}

const MALFORMED = 'the Host header is malformed';

/** The servers of Bun and Deno give requests with any Host, also to `app.fetch` alone. */
const passesHostsOn: boolean = THIS_RUNTIME === 'Bun' || THIS_RUNTIME === 'Deno';

/**
 * Where the path begins: `request.url` is normalized, so the first slash after `scheme://` ends the authority. Bun
 * gives the target alone if the Host header is malformed.
 */
function pathStart(url: string): number {
  return url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
}

/** Node.js 20 has no `bytes()`. */
type WithBytes = Request & { bytes?: () => Promise<Uint8Array> };

/** The whole body as bytes. */
function readBytes(request: WithBytes, leaving: AbortSignal | undefined): Promise<Uint8Array> {
  return whole(request, leaving, () =>
    request.bytes === undefined
      ? request.arrayBuffer().then((buffer) => new Uint8Array(buffer))
      : request.bytes(),
  );
}

/** The whole body as text. */
function readText(request: Request, leaving: AbortSignal | undefined): Promise<string> {
  return whole(request, leaving, () => request.text());
}

const utf8 = new TextDecoder();

function decodeUtf8(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/** The chunks of the body of a Request, until its client leaves. */
class BodyChunks {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #wait: BodyWait;

  constructor(body: ReadableStream<Uint8Array>, leaving: AbortSignal | undefined) {
    this.#reader = body.getReader();
    this.#wait = new BodyWait(leaving);
  }

  /**
   * The next chunk; undefined at the end.
   *
   * @throws FwError 400 if the body breaks off, or the client has left; the stream is cancelled then
   */
  async read(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#wait.for(this.#reader.read());
      if (done) return undefined;
      if (Object.prototype.toString.call(value) === '[object Uint8Array]') return value;
      throw new TypeError('the stream of the body has something else than bytes');
    } catch (error) {
      void this.#reader.cancel(error).then(undefined, () => {});
      return throwBrokenOff(error);
    }
  }

  cancel(reason: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }

  /** Nobody needs the rest: whoever still reads it gets an error. */
  abandon(): void {
    this.#wait.end(new Error('the request was answered before its body was read'));
  }
}

/** A body that was read before is the application's error. */
function whole<Content>(
  request: Request,
  leaving: AbortSignal | undefined,
  read: () => Promise<Content>,
): Promise<Content> {
  return request.bodyUsed ? read() : new BodyWait(leaving).for(read()).then(undefined, throwBrokenOff);
}

/** Waits for parts of a body until the client has left. What has arrived by the next turn can still be read. */
class BodyWait {
  readonly #leaving: AbortSignal | undefined;
  #turn: Promise<void> | undefined;
  #ended: Error | undefined;
  #reject: ((reason: Error) => void) | undefined;

  constructor(leaving: AbortSignal | undefined) {
    this.#leaving = leaving;
  }

  /** Rejects as the work, or when the wait has ended before. */
  for<T>(work: Promise<T>): Promise<T> {
    const leaving = this.#leaving;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      if (this.#ended !== undefined) reject(this.#ended);
      const left = (): void => {
        this.#turn ??= nextTurn();
        void this.#turn.then(() => reject(leaving?.reason as Error));
      };
      // After that turn, this rejects before a chunk that is there already.
      if (leaving?.aborted) left();
      else leaving?.addEventListener('abort', left);
      void work.then(resolve, reject).then(() => leaving?.removeEventListener('abort', left));
    });
  }

  end(error: Error): void {
    this.#ended = error;
    this.#reject?.(error);
  }
}

function throwBrokenOff(cause: unknown): never {
  throw (
    asFwError(cause) ?? FwError.badRequest('the request body broke off before it was complete', { cause })
  );
}
