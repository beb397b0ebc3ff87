// One request on its way through middleware and handler: what is read, what is queued for the response.
import { peerAddress } from './client-address/peer-address.js';
import { Cookie, parseCookies } from './cookie.js';
import type { Deadline } from './deadline.js';
import { FwHeaders } from './headers.js';
import type { Target } from './path.js';
import { FwRequest } from './request.js';
import type { PeerAddress, RequestSource } from './request-source.js';
import { ContentType, FwResponse } from './response.js';
import type { Scope } from './routes.js';
import { holdErrors } from './streaming/chunks.js';
import { eventStream } from './streaming/event-stream.js';
import { checkInterval } from './streaming/keep-alive.js';
import { decodeEventId } from './streaming/last-event-id.js';
import type { SseEvent } from './streaming/sse-event.js';

/**
 * Types of `ctx.set` and `ctx.get`, for augmentation:
 *
 * ```ts
 * declare module 'fw' { interface ContextStore { user: User } }
 * ```
 *
 * Keys that are not declared hold strings.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications declare their keys here.
export interface ContextStore {}

type StoreValue<Key extends string> = Key extends keyof ContextStore ? ContextStore[Key] : string;

export interface RemoveCookieOptions {
  /** The `Path` that the cookie was set with; `/` by default. */
  path?: string;
  domain?: string;
}

/**
 * The request and the response in the making, passed to every middleware and handler. `ParamNames` are the
 * parameters of the route's path: `Context<'id'>` under `/users/:id`; any name where the path is not known.
 */
export class Context<ParamNames extends string = string> {
  readonly #source: RequestSource;
  readonly #target: Target;
  #paramNames: readonly string[] = none;
  #paramTexts: readonly string[] = none;
  #req: FwRequest<ParamNames> | undefined = undefined;
  #status: number | undefined = undefined;
  #headers: FwHeaders | undefined = undefined;
  #cookies: Record<string, string> | undefined = undefined;
  #store: Map<string, unknown> | undefined = undefined;
  #requestId: string | undefined = undefined;

  /** What surrounds the handler of this request; set by dispatch. @internal */
  scope: Scope | undefined = undefined;

  /** Where the App sets `requestTimeout`; set by dispatch. @internal */
  deadline: Deadline | undefined = undefined;

  /** @internal */
  constructor(source: RequestSource, target: Target) {
    this.#source = source;
    this.#target = target;
  }

  /** Makes the class itself an extractor, for handlers that take other extractors too. */
  static extract(ctx: Context): Context {
    return ctx;
  }

  /** The request: parameters, query, header fields, body. */
  get req(): FwRequest<ParamNames> {
    this.#req ??= new FwRequest<ParamNames>(this.#source, this.#target, this.#paramNames, this.#paramTexts);
    return this.#req;
  }

  /**
   * Aborts when the client is gone, the time of `requestTimeout` is out, or a drain ends the event stream. Pass
   * it on to `fetch` and database calls.
   */
  get signal(): AbortSignal {
    return this.deadline === undefined ? this.#source.signal : this.deadline.signal;
  }

  /**
   * The client's IP address: the connection's other end, or what a trusted proxy says (`trustProxy`).
   * IPv4-mapped IPv6 is the IPv4 address. Undefined where there is no socket, or where a proxy names no address.
   */
  clientIp(): string | undefined {
    const read = this.scope?.settings.readClientIp;
    return read === undefined ? peerAddress(this.#source.peer) : read(this.#source);
  }

  /** The connection's other end; undefined where there is no socket. */
  peerAddr(): PeerAddress | undefined {
    return this.#source.peer;
  }

  /** A JSON response. @throws Error when the value has no JSON form. */
  json(value: unknown): FwResponse {
    return FwResponse.json(value);
  }

  /** A plain-text response. @throws Error when the body is no string. */
  text(body: string): FwResponse {
    if (typeof body !== 'string') throw noString('ctx.text', body);
    return new FwResponse(body, 200, ContentType.text);
  }

  /** An HTML response; escape what comes from users. @throws Error when the body is no string. */
  html(body: string): FwResponse {
    if (typeof body !== 'string') throw noString('ctx.html', body);
    return new FwResponse(body, 200, ContentType.html);
  }

  /**
   * A response of chunks that are sent as they come, as fast as the client reads. A client that leaves ends the
   * iteration: a generator runs its `finally`, once it gets to a `yield`.
   *
   * @throws Error when it is no async iterable, or HTTP does not allow the content type.
   */
  stream(chunks: AsyncIterable<Uint8Array | string>, contentType: string = ContentType.bytes): FwResponse {
    checkIterable('ctx.stream', chunks);
    holdErrors(chunks);
    const response = new FwResponse(chunks, 200, undefined, true);
    response.headers.set('Content-Type', contentType);
    return response;
  }

  /**
   * A response of server-sent events, which lasts until the events end, the client leaves or the server drains.
   *
   * @throws Error when they are no async iterable.
   */
  sse(events: AsyncIterable<SseEvent>): FwResponse {
    checkIterable('ctx.sse', events);
    return eventStream(events);
  }

  /**
   * Like `sse`, with a comment `: ping` whenever no event came for `intervalMs`, so that proxies do not close
   * an idle stream.
   *
   * @throws Error when they are no async iterable, or the interval is no whole number above 0.
   */
  sseKeepAlive(events: AsyncIterable<SseEvent>, intervalMs: number): FwResponse {
    checkIterable('ctx.sseKeepAlive', events);
    checkInterval(intervalMs);
    return eventStream(events, intervalMs);
  }

  /** The id of the last event that a reconnecting client got. It is the client's word: check it. */
  lastEventId(): string | undefined {
    const id = this.#source.header('last-event-id');
    return id === undefined ? undefined : decodeEventId(id);
  }

  /** A redirect; 302 unless told otherwise. @throws Error when the status is no redirect or the location no header value. */
  redirect(location: string, status: 301 | 302 | 303 | 307 | 308 = 302): FwResponse {
    if (![301, 302, 303, 307, 308].includes(status)) {
      throw new Error(`${status} is no redirect status: use 301, 302, 303, 307 or 308`);
    }
    const response = new FwResponse('', status, undefined);
    response.headers.set('Location', encodeLocation(location));
    this.#status = undefined;
    return response;
  }

  /** Queues the status of the returned value. @throws Error when it is no final status (200 to 599). */
  status(code: number): this {
    if (!isFinalStatus(code)) throw new Error(`${code} is no response status: use 200 to 599`);
    this.#status = code;
    return this;
  }

  /** Queues a response header field. @throws Error when HTTP does not allow the name or the value. */
  header(name: string, value: string | number): this {
    this.#queue().set(name, value);
    return this;
  }

  /** A request cookie, as sent. */
  cookie(name: string): string | undefined {
    return this.cookies()[name];
  }

  /** All request cookies, as sent, without a prototype. */
  cookies(): Record<string, string> {
    this.#cookies ??= parseCookies(this.#source.header('cookie'));
    return this.#cookies;
  }

  /** Queues a cookie. @throws Error when browsers would drop it. */
  setCookie(cookie: Cookie): this {
    this.#queue().append('Set-Cookie', cookie.toString());
    return this;
  }

  /** Queues the removal of a cookie. Name the path and domain that it was set with. */
  removeCookie(name: string, options: RemoveCookieOptions = {}): this {
    const cookie = new Cookie(name, '').maxAge(0).path(options.path ?? '/');
    if (/^__(host|secure)-/i.test(name)) cookie.secure(true);
    if (options.domain !== undefined) cookie.domain(options.domain);
    return this.setCookie(cookie);
  }

  /** The id of this request; undefined without the middleware `requestId`. */
  requestId(): string | undefined {
    return this.#requestId;
  }

  /** Called by the middleware `requestId`. @internal */
  identify(id: string): void {
    this.#requestId = id;
  }

  /** Stores a value for the rest of this request. */
  set<Key extends string>(key: Key, value: StoreValue<Key>): void {
    this.#store ??= new Map();
    this.#store.set(key, value);
  }

  /** A value stored by `set`. */
  get<Key extends string>(key: Key): StoreValue<Key> | undefined {
    return this.#store?.get(key) as StoreValue<Key> | undefined;
  }

  /** Called by dispatch once the route is known. @internal */
  matched(names: readonly string[], texts: readonly string[]): void {
    this.#paramNames = names;
    this.#paramTexts = texts;
  }

  /** The text of the last parameter, in which `%2F` and `%25` are still encoded. @internal */
  get lastParam(): string {
    return this.#paramTexts.at(-1) ?? '';
  }

  /** @internal */
  get method(): string {
    return this.#source.method;
  }

  /** @internal */
  get target(): Target {
    return this.#target;
  }

  /** Puts the queued status, fields and cookies on a response; errors do without. @internal */
  settle(response: FwResponse): FwResponse {
    if (this.#status === undefined && this.#headers === undefined) return response;
    if (response.error === undefined) {
      if (this.#status !== undefined) response.status = this.#status;
      if (this.#headers) applyFields(this.#headers, response.headers);
    }
    this.unqueue();
    return response;
  }

  /** Drops what was queued: errors do without. @internal */
  unqueue(): void {
    this.#status = undefined;
    this.#headers = undefined;
  }

  #queue(): FwHeaders {
    this.#headers ??= new FwHeaders();
    return this.#headers;
  }
}

const none: readonly string[] = [];

export function isFinalStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 200 && code <= 599;
}

/** The types promise a string, but `json<T>()` of a request does too, and its sender decides. */
function noString(method: string, body: unknown): Error {
  return new Error(
    `${method}() takes a string, got ${body === null ? 'null' : `a value of type ${typeof body}`}`,
  );
}

function checkIterable(method: string, value: unknown): void {
  if (typeof (value as AsyncIterable<unknown> | null)?.[Symbol.asyncIterator] === 'function') return;
  throw new Error(`${method}() takes an async iterable, such as what an async generator function returns`);
}

function applyFields(from: FwHeaders, to: FwHeaders): void {
  for (const [name, value] of from) {
    if (name.toLowerCase() === 'set-cookie') to.append(name, value);
    else to.set(name, value);
  }
}

/** Percent-encodes what a field value may not hold; a CR or LF is left for the header check to refuse. */
function encodeLocation(location: string): string {
  // Stryker disable next-line Regex: one character at a time is encoded alike
  return location.replace(/[\u{80}-\u{10ffff}]+/gu, encodeURIComponent);
}
