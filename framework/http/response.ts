// The response of a handler: status, header fields, and a body that is buffered or streamed.
import { kindOf, shown } from '../options/shown.js';
import type { SpanFields } from '../tracing/span.js';
import { readChunks } from './chunks.js';
import type { FwError } from './errors.js';
import { HandedStream } from './handed-stream.js';
import { FwHeaders } from './headers.js';
import { jsonOf } from './json-form.js';
import type { SwitchProtocol } from './upgrade.js';

/** A response body: bytes in memory, or a stream of chunks that are sent as they are produced. */
export type FwBody =
  | { readonly kind: 'full'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: AsyncIterable<Uint8Array | string> };

/** A header field that an App adds to every response without a field of this name. */
export type DefaultHeader = readonly [name: string, value: string];

export const ContentType = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  bytes: 'application/octet-stream',
} as const;

/** The thrown value that a response answers, with the fields of the spans that it was answered in. */
export interface AnsweredError {
  readonly thrown: unknown;
  readonly span: SpanFields;
  /** The standard body, if the framework has made the response. */
  readonly standard?: string;
}

const encoder = new TextEncoder();

/** Header fields that describe the bytes of a body; for the digests see RFC 9530 and its predecessors. */
export const OF_THE_BODY: readonly string[] = [
  'Content-Length',
  'ETag',
  'Accept-Ranges',
  'Content-Digest',
  'Repr-Digest',
  'Digest',
  'Content-MD5',
];

/**
 * A response: made by `ctx.json`, `ctx.text` and the other methods of the context, and what `next()` resolves to.
 * Middleware can change status, header fields and body until it is sent.
 */
export class FwResponse {
  /** HTTP status, 200 to 599. */
  status: number;
  /**
   * The thrown value that this response answers, if any; wrapped, because a thrown value can be `undefined`. With
   * the fields of the spans that it was answered in, which have ended when it is reported.
   * @internal
   */
  error: AnsweredError | undefined = undefined;
  /** Fields of the App that are added when the response is sent. @internal */
  defaultHeaders: readonly DefaultHeader[] = none;

  /**
   * True once an App has sent the response. It carries what was queued for its request, cookies included, so a
   * response that an application keeps must not answer another request. @internal
   */
  get wasSent(): boolean {
    return this.defaultHeaders !== none;
  }

  /** What an event stream tells its client when it is ended with an error from outside. @internal */
  lastWords: ((error: FwError) => string) | undefined = undefined;

  /** Lower-case names of default header fields that this response must not have. @internal */
  withheld: ReadonlySet<string> | undefined = undefined;

  /** Set if the response switches the protocol; its status is 101. @internal */
  switchProtocol: SwitchProtocol | undefined = undefined;

  #headers: FwHeaders | undefined = undefined;
  readonly #contentType: string | undefined;
  #content: string | Uint8Array;
  #stream: HandedStream | undefined = undefined;
  /** Around the stream, with the same content. */
  #cover: AsyncIterable<Uint8Array | string> | undefined = undefined;
  /** The streams that were the body before. */
  #replaced: HandedStream[] | undefined = undefined;
  #unwritten: { readonly value: unknown } | undefined = undefined;

  /** @internal */
  constructor(content: string | Uint8Array, status: number, contentType: string | undefined) {
    this.#content = content;
    this.status = status;
    this.#contentType = contentType;
  }

  /** Makes a JSON response. @throws Error if the value has no JSON form, such as `undefined` or a Map. */
  static json(value: unknown, status: number = 200): FwResponse {
    return new FwResponse(jsonText(value), status, ContentType.json);
  }

  /** A JSON response whose text is made when it is read, so that its value can be checked before. @internal */
  static ofValue(value: unknown, status: number): FwResponse {
    const response = new FwResponse('', status, ContentType.json);
    response.#unwritten = { value };
    return response;
  }

  /** A response that takes over the header fields, which must not be shared. @internal */
  static withHeaders(content: Uint8Array | string, status: number, headers: FwHeaders): FwResponse {
    const response = new FwResponse(content, status, undefined);
    response.#headers = headers;
    return response;
  }

  /** A streamed response; it takes over the header fields, which must not be shared. @internal */
  static ofStream(
    stream: AsyncIterable<Uint8Array | string>,
    status: number,
    headers?: FwHeaders,
  ): FwResponse {
    const response = new FwResponse('', status, undefined);
    response.#stream = HandedStream.of(stream);
    response.#headers = headers;
    return response;
  }

  /** A response 101, after which the connection uses another protocol. @internal */
  static switching(switchProtocol: SwitchProtocol): FwResponse {
    const response = new FwResponse('', 101, undefined);
    response.switchProtocol = switchProtocol;
    return response;
  }

  /** The header fields, which can be changed; names are case-insensitive. */
  get headers(): FwHeaders {
    if (this.#headers === undefined) {
      this.#headers = new FwHeaders();
      if (this.#contentType !== undefined) this.#headers.set('Content-Type', this.#contentType);
    }
    return this.#headers;
  }

  /** The body: `{ kind: 'full', bytes }` or `{ kind: 'stream', stream }`. */
  get body(): FwBody {
    const { stream } = this;
    if (stream !== undefined) return { kind: 'stream', stream };
    const { content } = this;
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    this.#content = bytes;
    return { kind: 'full', bytes };
  }

  /**
   * Replaces the body and removes `Content-Length`, `ETag`, `Accept-Ranges` and digests, which described the old one.
   *
   * @throws Error if `bytes` is not a `Uint8Array`, or `stream` is not an async iterable.
   */
  set body(body: FwBody) {
    checkBody(body);
    const stream = body.kind === 'stream' ? HandedStream.of(body.stream) : undefined;
    if (this.#stream !== undefined && this.#stream !== stream) {
      this.#replaced ??= [];
      this.#replaced.push(this.#stream);
    }
    this.#stream = stream;
    this.#cover = undefined;
    this.#unwritten = undefined;
    this.#content = body.kind === 'stream' ? '' : body.bytes;
    if (this.#headers !== undefined) for (const name of OF_THE_BODY) this.#headers.delete(name);
  }

  /** The content as it was given, without a copy; empty if the body is a stream. @internal */
  get content(): string | Uint8Array {
    if (this.#unwritten !== undefined) this.writeJson(this.#unwritten.value);
    return this.#content;
  }

  /** The value of `ofValue`, as long as its text is not made. @internal */
  get unwritten(): { readonly value: unknown } | undefined {
    return this.#unwritten;
  }

  /** Makes the text of a response from `ofValue`. @throws Error if the value has no JSON form. @internal */
  writeJson(value: unknown): this {
    this.#content = jsonText(value);
    this.#unwritten = undefined;
    return this;
  }

  /** The chunks of a streamed body; undefined if the body is in memory. @internal */
  get stream(): AsyncIterable<Uint8Array | string> | undefined {
    return this.#cover ?? this.#stream;
  }

  /** The streamed body as it was handed over. @internal */
  get handed(): HandedStream | undefined {
    return this.#stream;
  }

  /** The streams that were the body, and are not any more. @internal */
  get replaced(): readonly HandedStream[] {
    return this.#replaced ?? [];
  }

  /** Puts a stream around the stream, with the same content. @internal */
  coverStream(stream: AsyncIterable<Uint8Array | string>): void {
    this.#cover = stream;
  }

  /** Stops the producer of a stream, when the response is not sent, or sent without its body. @internal */
  discard(): void {
    const { stream } = this;
    if (stream !== undefined) readChunks(stream).end();
  }

  /** The content type, if there are no other fields: the server can then use a prepared head. @internal */
  get onlyContentType(): string | undefined {
    return this.#headers === undefined ? this.#contentType : undefined;
  }
}

/**
 * A JSON response whose body and status are known to the compiler, which holds the handlers of described routes to
 * what `returns` declares.
 */
export interface JsonResponse<Body, Status extends number = 200> extends FwResponse {
  /** Exists in the types only. */
  readonly '~json': { readonly body: Body; readonly status: Status };
}

function jsonText(value: unknown): string {
  const text = jsonOf(value);
  if (text === undefined)
    throw new Error(`${kindOf(value)} has no JSON form; return ctx.text() or an object`);
  return text;
}

/** Here, because a server cannot answer with an error any more when it reads the body. */
function checkBody(body: FwBody): void {
  const kind: unknown = (body as Partial<FwBody> | undefined | null)?.kind;
  if (kind !== 'full' && kind !== 'stream') {
    throw new Error(
      `a response body is ${kindOf(body)}; give { kind: 'full', bytes } or { kind: 'stream', stream }, or return ctx.text() or another response`,
    );
  }
  if (body.kind === 'full' && !(body.bytes instanceof Uint8Array)) {
    throw new Error("a response body of kind 'full' takes a Uint8Array as bytes");
  }
  if (body.kind === 'stream' && typeof body.stream?.[Symbol.asyncIterator] !== 'function') {
    throw new Error("a response body of kind 'stream' takes an async iterable as stream");
  }
}

const none: readonly DefaultHeader[] = [];

/** Whether the status is final, which means from 200 to 599. */
export function isFinalStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 599;
}

/** What is wrong with a status that is not final. A text is shown as one: `201` alone would look right. */
export function notFinal(status: unknown): string {
  const remedy = typeof status === 'number' ? '' : ', as a number: ctx.json(body, 201)';
  return `${shown(status)} is not a response status: use 200 to 599${remedy}`;
}

/** Statuses whose responses have no body: RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5. */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}
