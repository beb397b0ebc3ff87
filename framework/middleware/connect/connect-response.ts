// Interop: the `res` of adapted Connect middleware: it collects header fields, or becomes the response itself.
import type { FwHeaders } from '../../http/headers.js';
import { FwResponse, isFinalStatus, notFinal } from '../../http/response.js';
import { ConnectEmitter } from './connect-emitter.js';
import type { ConnectRequest, ConnectSocket } from './connect-request.js';
import { WrittenBody } from './written-body.js';

/** Methods that Express adds, and what to use instead. */
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

export class ConnectResponse extends ConnectEmitter {
  statusCode = 200;
  statusMessage = '';
  /** For values of middleware, as in Express. */
  readonly locals: Record<string, unknown> = Object.create(null);
  readonly req: ConnectRequest;
  readonly socket: ConnectSocket;
  readonly connection: ConnectSocket;
  readonly writable = true;
  headersSent = false;
  /** True once the middleware, or the rest of the chain, has made the complete response. */
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  /** @internal */
  readonly fields: ConnectHeaders = new ConnectHeaders();
  readonly #answer: (response: FwResponse) => void;
  #body: WrittenBody | undefined;
  #isClosed = false;
  /** Whether the rest of the chain accepts a WebSocket: 101 is then a status of it. */
  #isHandshake = false;

  /** @param answer called with the response if the middleware makes it. */
  constructor(req: ConnectRequest, answer: (response: FwResponse) => void) {
    super(req.report);
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
    if (!isFinalStatus(status) && !(this.#isHandshake && status === 101))
      throw new RangeError(notFinal(status));
    this.statusCode = status;
    if (typeof reason === 'string') this.statusMessage = reason;
    const fields = [...pairs(typeof reason === 'string' ? headers : reason)];
    for (const [name] of fields) this.fields.remove(name);
    // A list may have several of one name.
    for (const [name, value] of fields) this.fields.append(name, value);
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    this.#begin();
  }

  write(chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean {
    if (this.writableEnded) throw tooLate('write');
    const body = this.#begin();
    // What nobody reads any more is dropped, so that it does not pile up.
    const takesMore = !this.destroyed && body.push(toBytes(chunk, encoding));
    this.#callLater(encoding, callback);
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
    this.#callLater(chunk, encoding, callback);
    return this;
  }

  destroy(): this {
    throw new Error('res.destroy() is not available under fromConnect(): throw, or call next(error)');
  }

  /** Called with the response of the rest of the chain; runs the hooks on its head. @internal */
  complete(response: FwResponse): void {
    this.statusCode = response.status;
    this.#isHandshake = response.switchProtocol !== undefined;
    this.fields.merge(response.headers);
    // Called as a property, because `on-headers` and similar packages replace it.
    this.writeHead(this.statusCode);
    response.status = this.statusCode;
    this.fields.writeTo(response.headers);
    response.withheld = this.fields.removed;
  }

  /** Called when the complete response was taken. @internal */
  finish(): void {
    if (this.#isClosed) return;
    this.writableEnded = true;
    this.writableFinished = true;
    this.#isClosed = true;
    this.notify('finish');
    this.notify('close');
  }

  /** Called when the rest of the response will not be taken. @internal */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.destroyed = true;
    this.notify('close');
    this.req.abort();
  }

  #begin(): WrittenBody {
    if (this.#body !== undefined) return this.#body;
    const body = new WrittenBody(
      () => this.notify('drain'),
      () => this.close(),
    );
    this.#body = body;
    this.#answerWith(body);
    return body;
  }

  #answerWith(content: Uint8Array | WrittenBody): void {
    if (!this.headersSent) this.writeHead(this.statusCode);
    const response =
      content instanceof WrittenBody
        ? FwResponse.ofStream(content, this.statusCode)
        : new FwResponse(content, this.statusCode, undefined);
    this.fields.writeTo(response.headers);
    response.withheld = this.fields.removed;
    this.#answer(response);
  }

  /** Node's methods accept a callback at several positions. */
  #callLater(...args: unknown[]): void {
    const callback = args.find((arg) => typeof arg === 'function') as (() => unknown) | undefined;
    if (callback) queueMicrotask(() => this.runApart(callback));
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
        `res.${name}() belongs to Express and is not available under fromConnect(), which adapts middleware for node:http; use setHeader, statusCode and end`,
      );
    },
  });
}

function tooLate(method: string): Error {
  return new Error(`res.${method}() came too late: the response is already complete`);
}

/** Fields as writeHead takes them: an object, or a list of alternating names and values. */
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

type HeaderValue = string | number | readonly string[];

class ConnectHeaders {
  /** By lower-case name: the name as given and the value. */
  readonly #fields = new Map<string, readonly [name: string, value: HeaderValue]>();
  /** Names of removed fields; the App's default fields with these names are left out too. */
  readonly removed: Set<string> = new Set();

  set(name: string, value: HeaderValue): void {
    if (value === undefined) throw new TypeError(`invalid value undefined of header '${name}'`);
    this.removed.delete(name.toLowerCase());
    this.#fields.set(name.toLowerCase(), [name, value]);
  }

  append(name: string, value: HeaderValue): void {
    const present = this.get(name);
    this.set(name, present === undefined ? value : [...asList(present), ...asList(value)]);
  }

  get(name: string): HeaderValue | undefined {
    return this.#fields.get(String(name).toLowerCase())?.[1];
  }

  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase());
  }

  remove(name: string): void {
    this.#fields.delete(name.toLowerCase());
    this.removed.add(name.toLowerCase());
  }

  names(): string[] {
    return [...this.#fields.keys()];
  }

  toObject(): Record<string, HeaderValue> {
    const all: Record<string, HeaderValue> = Object.create(null);
    for (const [lower, [, value]] of this.#fields) all[lower] = value;
    return all;
  }

  /** Copies the fields of a response; they replace those of the same name, but cookies are added. */
  merge(headers: FwHeaders): void {
    const own = asList(this.get('set-cookie') ?? []);
    for (const [name] of headers) this.set(name, headers.get(name) as string);
    const cookies = [...own, ...headers.getSetCookie()];
    if (cookies.length > 0) this.set('Set-Cookie', cookies);
  }

  /** Replaces the fields of a response by these. @throws Error if HTTP does not allow a name or a value. */
  writeTo(headers: FwHeaders): void {
    for (const [name] of [...headers]) headers.delete(name);
    for (const [name, value] of this.#fields.values()) {
      if (!Array.isArray(value)) headers.set(name, value as string | number);
      else for (const one of value as readonly string[]) headers.append(name, one);
    }
  }
}

function asList(value: HeaderValue): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [String(value)];
}
