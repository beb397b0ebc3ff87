// Interop: the `res` that an adapted Connect middleware sees: it collects fields, or becomes the answer itself.
import { EventEmitter } from 'node:events';
import { isFinalStatus } from '../context.js';
import { FwResponse } from '../response.js';
import { ConnectHeaders, type HeaderValue } from './connect-headers.js';
import type { ConnectRequest, ConnectSocket } from './connect-request.js';
import { WrittenBody } from './written-body.js';

/** Methods that Express adds, and what to use in their place. */
const OF_EXPRESS = [
  'append',
  'attachment',
  'clearCookie',
  'cookie',
  'download',
  'format',
  'header',
  'json',
  'jsonp',
  'links',
  'location',
  'redirect',
  'render',
  'send',
  'sendFile',
  'sendStatus',
  'set',
  'status',
  'type',
  'vary',
] as const;

type WriteHeadFields = Record<string, HeaderValue> | readonly HeaderValue[];

export class ConnectResponse extends EventEmitter {
  statusCode = 200;
  statusMessage = '';
  /** Room for middleware, as in Express. */
  readonly locals: Record<string, unknown> = Object.create(null);
  readonly req: ConnectRequest;
  readonly socket: ConnectSocket;
  readonly connection: ConnectSocket;
  readonly writable = true;
  headersSent = false;
  /** True once the middleware, or the rest of the chain, has given all of the answer. */
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  /** @internal */
  readonly fields: ConnectHeaders = new ConnectHeaders();
  readonly #answer: (response: FwResponse) => void;
  #body: WrittenBody | undefined;
  #isClosed = false;

  /** @param answer takes the response where the middleware gives it itself. */
  constructor(req: ConnectRequest, answer: (response: FwResponse) => void) {
    super();
    this.req = req;
    this.socket = req.socket;
    this.connection = req.socket;
    this.#answer = answer;
  }

  get finished(): boolean {
    return this.writableEnded;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#assertOpen('setHeader');
    this.fields.set(name, value);
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    this.#assertOpen('appendHeader');
    this.fields.append(name, value);
    return this;
  }

  removeHeader(name: string): void {
    this.#assertOpen('removeHeader');
    this.fields.remove(name);
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.fields.get(name);
  }

  getHeaders(): Record<string, HeaderValue> {
    return this.fields.toObject();
  }

  getHeaderNames(): string[] {
    return this.fields.names();
  }

  hasHeader(name: string): boolean {
    return this.fields.has(name);
  }

  writeHead(status: number, reason?: string | WriteHeadFields, headers?: WriteHeadFields): this {
    this.#assertOpen('writeHead');
    if (!isFinalStatus(status)) throw new RangeError(`${status} is no response status: use 200 to 599`);
    this.statusCode = status;
    if (typeof reason === 'string') this.statusMessage = reason;
    for (const [name, value] of pairs(typeof reason === 'string' ? headers : reason))
      this.fields.set(name, value);
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    this.#begin();
  }

  write(chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean {
    if (this.writableEnded) throw tooLate('write');
    const takesMore = this.#begin().push(toBytes(chunk, encoding));
    callLater(encoding, callback);
    return takesMore;
  }

  end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    if (this.writableEnded) throw tooLate('end');
    const last =
      typeof chunk === 'string' || chunk instanceof Uint8Array ? toBytes(chunk, encoding) : undefined;
    if (this.#body === undefined) this.#answerWith(last ?? new Uint8Array());
    else {
      if (last !== undefined) this.#body.push(last);
      this.#body.end();
    }
    this.writableEnded = true;
    callLater(chunk, encoding, callback);
    return this;
  }

  destroy(): this {
    throw new Error('res.destroy() is not there under fromConnect(): throw, or call next(error)');
  }

  /** The rest of the chain has given the answer: shows it to whoever waits for its head. @internal */
  complete(response: FwResponse): void {
    this.statusCode = response.status;
    this.fields.merge(response.headers);
    // Through the property: `on-headers` and its like put themselves in its place.
    this.writeHead(this.statusCode);
    response.status = this.statusCode;
    this.fields.writeTo(response.headers);
    response.withheld = this.fields.removed;
  }

  /** All of the answer was taken. @internal */
  finish(): void {
    if (this.#isClosed) return;
    this.writableEnded = true;
    this.writableFinished = true;
    this.#isClosed = true;
    this.emit('finish');
    this.emit('close');
  }

  /** Nobody takes any more of the answer. @internal */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.destroyed = true;
    this.emit('close');
    this.req.abort();
  }

  #begin(): WrittenBody {
    if (this.#body !== undefined) return this.#body;
    const body = new WrittenBody(
      () => this.emit('drain'),
      () => this.close(),
    );
    this.#body = body;
    this.#answerWith(body);
    return body;
  }

  #answerWith(content: Uint8Array | WrittenBody): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
    const response = new FwResponse(content, this.statusCode, undefined, content instanceof WrittenBody);
    this.fields.writeTo(response.headers);
    response.withheld = this.fields.removed;
    this.#answer(response);
  }

  #assertOpen(method: string): void {
    if (this.headersSent) throw tooLate(method);
  }
}

for (const name of OF_EXPRESS) {
  Object.defineProperty(ConnectResponse.prototype, name, {
    configurable: true,
    writable: true,
    value: () => {
      throw new Error(
        `res.${name}() is of Express and not there under fromConnect(), which adapts middleware for node:http; use setHeader, statusCode and end`,
      );
    },
  });
}

function tooLate(method: string): Error {
  return new Error(`res.${method}() came too late: the answer is given already`);
}

/** Fields as writeHead takes them: an object, or names and values in turn. */
function* pairs(fields: WriteHeadFields | undefined): Generator<[string, HeaderValue]> {
  if (Array.isArray(fields)) {
    const flat = fields.flat() as HeaderValue[];
    for (let i = 0; i + 1 < flat.length; i += 2) yield [String(flat[i]), flat[i + 1] as HeaderValue];
  } else for (const [name, value] of Object.entries(fields ?? {})) yield [name, value as HeaderValue];
}

function toBytes(chunk: string | Uint8Array, encoding: unknown): Uint8Array {
  if (typeof chunk !== 'string') return chunk;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

/** Node's methods take a callback in any of their places. */
function callLater(...args: unknown[]): void {
  const callback = args.find((arg) => typeof arg === 'function') as (() => void) | undefined;
  if (callback) queueMicrotask(callback);
}
