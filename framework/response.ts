// The response that leaves a handler: status, header fields, and a body that is buffered or streamed.
import { FwHeaders } from './headers.js';

/** A response body: bytes in memory, or chunks that are sent as they come. */
export type FwBody =
  | { readonly kind: 'full'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Uint8Array | string> };

/** A fixed header field that an App adds to every response that does not set it itself. */
export type Stamp = readonly [name: string, value: string];

export const ContentType = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  bytes: 'application/octet-stream',
} as const;

const encoder = new TextEncoder();

/**
 * What a handler returns through `ctx.json`, `ctx.text` and the like, and what `next()` resolves to. All of
 * it can be edited until it is sent.
 */
export class FwResponse {
  /** HTTP status, 200 to 599. */
  status: number;
  /**
   * The thrown value that this response answers, if it does. The box tells a thrown `undefined` from none.
   * @internal
   */
  error: { readonly thrown: unknown } | undefined = undefined;
  /** Fields of the App to add on the way out. @internal */
  stamps: readonly Stamp[] = noStamps;

  /**
   * True once the response left an App. What is queued for a request is put on its response, cookies included,
   * so a response that is kept must not answer another client. @internal
   */
  get wasSent(): boolean {
    return this.stamps !== noStamps;
  }

  /** Lower-case names of stamps that this response goes without. @internal */
  withheld: ReadonlySet<string> | undefined = undefined;

  #headers: FwHeaders | undefined = undefined;
  #contentType: string | undefined;
  #content: string | Uint8Array | AsyncIterable<Uint8Array | string>;
  #isStream: boolean;

  /** @internal */
  constructor(
    content: string | Uint8Array | AsyncIterable<Uint8Array | string>,
    status: number,
    contentType: string | undefined,
    isStream: boolean = false,
  ) {
    this.#content = content;
    this.status = status;
    this.#contentType = contentType;
    this.#isStream = isStream;
  }

  /** A JSON response. @throws Error when the value has no JSON form. */
  static json(value: unknown, status: number = 200): FwResponse {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined)
      throw new Error(`a ${typeof value} has no JSON form; return ctx.text() or an object`);
    return new FwResponse(text, status, ContentType.json);
  }

  /** A response with fields that it does not share. @internal */
  static withHeaders(
    content: Uint8Array | string | AsyncIterable<Uint8Array | string>,
    status: number,
    headers: FwHeaders,
    isStream: boolean = false,
  ): FwResponse {
    const response = new FwResponse(content, status, undefined, isStream);
    response.#headers = headers;
    return response;
  }

  /** Header fields; case-insensitive. */
  get headers(): FwHeaders {
    if (this.#headers === undefined) {
      this.#headers = new FwHeaders();
      if (this.#contentType !== undefined) this.#headers.set('Content-Type', this.#contentType);
    }
    return this.#headers;
  }

  get body(): FwBody {
    if (this.#isStream)
      return { kind: 'stream', stream: this.#content as AsyncIterable<Uint8Array | string> };
    const content = this.#content as string | Uint8Array;
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    this.#content = bytes;
    return { kind: 'full', bytes };
  }

  /**
   * Replacing the body drops `Content-Length` and `ETag`, which described the old one.
   *
   * @throws Error when the bytes are no `Uint8Array`, or the stream no async iterable.
   */
  set body(body: FwBody) {
    checkBody(body);
    this.#isStream = body.kind === 'stream';
    this.#content = body.kind === 'stream' ? body.stream : body.bytes;
    this.#headers?.delete('Content-Length');
    this.#headers?.delete('ETag');
  }

  /** The content as it was given, without a copy. @internal */
  get content(): string | Uint8Array | AsyncIterable<Uint8Array | string> {
    return this.#content;
  }

  /** @internal */
  get isStream(): boolean {
    return this.#isStream;
  }

  /** The only header field, where nobody asked for `headers`: lets a server use a prepared head. @internal */
  get onlyContentType(): string | undefined {
    return this.#headers === undefined ? this.#contentType : undefined;
  }
}

function checkBody(body: FwBody): void {
  if (body.kind === 'full' && !(body.bytes instanceof Uint8Array)) {
    throw new Error("a response body of kind 'full' takes a Uint8Array as bytes");
  }
  if (body.kind === 'stream' && typeof body.stream?.[Symbol.asyncIterator] !== 'function') {
    throw new Error("a response body of kind 'stream' takes an async iterable as stream");
  }
}

const noStamps: readonly Stamp[] = [];
