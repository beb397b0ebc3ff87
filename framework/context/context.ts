// The context of one request: gives access to the request and collects what goes on its response.

import { peerAddress } from '../client-address/peer-address.js';
import { holdErrors } from '../http/chunks.js';
import {
  type Cookie,
  isSameCookie,
  parseCookies,
  type RemoveCookieOptions,
  removal,
} from '../http/cookie.js';
import { FwHeaders, setFields } from '../http/headers.js';
import type { PeerAddress, RequestSource } from '../http/request-source.js';
import type { Target } from '../http/request-target.js';
import { ContentType, FwResponse, type JsonResponse } from '../http/response.js';
import { isBodiless, isFinalStatus } from '../http/status.js';
import { eventStream } from '../streaming/event-stream.js';
import { checkInterval } from '../streaming/keep-alive.js';
import { decodeEventId } from '../streaming/last-event-id.js';
import type { SseEvent } from '../streaming/sse-event.js';
import type { StoreValue } from './context-store.js';
import type { Deadline } from './deadline.js';
import { IdentifiedContext } from './identified.js';
import type { RegisteredPlatform } from './register.js';
import { FwRequest } from './request.js';
import type { RequestBody } from './request-body.js';
import { checkIterable, checkRedirect, encodeLocation, noString } from './response-arguments.js';
import type { Scope } from './scope.js';
import { LATE, type StreamKeeper, UnsentStreams } from './unsent-streams.js';

/**
 * The context of one request, passed to every middleware and handler: reads the request, makes responses, and
 * keeps values for the rest of the request. `ParamNames` are the parameters of the route's path, such as
 * `Context<'id'>` for `/users/:id`; any string if the path is not known.
 */
export class Context<ParamNames extends string = string> extends IdentifiedContext {
  readonly #source: RequestSource;
  readonly #paramNames: readonly string[];
  readonly #paramTexts: readonly string[];
  #req: FwRequest<ParamNames> | undefined = undefined;
  #headers: FwHeaders | undefined = undefined;
  #cookies: Record<string, string> | undefined = undefined;
  #store: Map<string, unknown> | undefined = undefined;
  #requestId: string | undefined = undefined;
  #streams: StreamKeeper | undefined = undefined;
  /** The last signal that was given, as the same object. */
  #signal: { readonly of: AbortSignal; readonly authorized: AbortSignal } | undefined = undefined;

  /** @internal */
  readonly target: Target;
  /** The status that `status()` has set for the response. @internal */
  queuedStatus: number | undefined = undefined;
  /** @internal */
  readonly scope: Scope;

  /** True while a handler runs whose answers are checked before they are written. @internal */
  isDescribed = false;

  /** Set by a route that says whether caches may keep its response to an authenticated request. @internal */
  isStorable: boolean | undefined = undefined;

  /** Set by dispatch if the App has a `requestTimeout`. @internal */
  deadline: Deadline | undefined = undefined;

  /** @internal */
  constructor(
    source: RequestSource,
    target: Target,
    scope: Scope,
    paramNames: readonly string[],
    paramTexts: readonly string[],
  ) {
    super();
    this.#source = source;
    this.target = target;
    this.scope = scope;
    this.#paramNames = paramNames;
    this.#paramTexts = paramTexts;
  }

  /** Makes the class usable as an extractor, for handlers that have other extractors and need the context too. */
  static extract(ctx: Context): Context {
    return ctx;
  }

  /** The request: method, path, parameters, query, header fields and body. */
  get req(): FwRequest<ParamNames> {
    if (this.#req === undefined) this.makeRequest();
    return this.#req as FwRequest<ParamNames>;
  }

  /** Makes the request, with the body if it was taken before the context was made. @internal */
  makeRequest(body?: RequestBody): this {
    this.#req = new FwRequest(this, this.#source, this.#paramNames, this.#paramTexts, body);
    return this;
  }

  /**
   * Aborts when the client disconnects, `requestTimeout` expires, a graceful shutdown ends the event stream, or what has
   * authenticated the request ends while it is streamed to.
   * Pass it to `fetch` and to database calls.
   */
  get signal(): AbortSignal {
    const signal = this.deadline === undefined ? this.#source.signal : this.deadline.signal;
    return this.isIdentified ? this.#authorized(signal) : signal;
  }

  #authorized(signal: AbortSignal): AbortSignal {
    // Credentials may have come since.
    if (this.#signal?.of !== signal || this.#signal.authorized === signal) {
      this.#signal = { of: signal, authorized: this.authorizedSignal(signal) };
    }
    return this.#signal.authorized;
  }

  /**
   * What the platform has passed with the request to `app.fetch(request, env, ctx)`: `env` and `ctx`, as on Workers, and
   * `request`, the Request as the platform has made it. Undefined under `app.listen`. Declare the type once:
   *
   * ```ts
   * declare module 'fw' { interface Register { platform: { env: Env; ctx: ExecutionContext } } }
   * ```
   *
   * Read the body from `ctx.req`, not from that Request.
   */
  get platform(): RegisteredPlatform {
    return this.#source.platform as RegisteredPlatform;
  }

  /**
   * The client's IP address: the address of the peer or, with `trustProxy`, the one that the trusted proxy
   * reports. An IPv4-mapped IPv6 address is given as IPv4. Undefined without a socket (`oneshot`), or if the
   * proxy reports no address.
   */
  clientIp(): string | undefined {
    const { proxies } = this.scope.settings;
    return proxies === undefined ? peerAddress(this.#source.peer) : proxies.clientIp(this.#source);
  }

  /** Whether a proxy that `trustProxy` trusts has sent the request. @internal */
  get isFromProxy(): boolean {
    return this.scope.settings.proxies?.trusts(this.#source) === true;
  }

  /** The normalized address of the connection's peer. @internal */
  peerIp(): string | undefined {
    return peerAddress(this.#source.peer);
  }

  /** Address and port of the connection's peer, which may be a proxy; undefined without a socket (`oneshot`). */
  peerAddr(): PeerAddress | undefined {
    return this.#source.peer;
  }

  /** Makes a JSON response. @throws Error when the body has no JSON form, such as `undefined` or a Map. */
  json<const Body>(body: Body): JsonResponse<Body>;
  json<const Body, Status extends number>(body: Body, status: Status): JsonResponse<Body, Status>;
  json(body: unknown, status?: number): FwResponse {
    const code = this.#statusOr200(status);
    return this.isDescribed ? FwResponse.ofValue(body, code) : FwResponse.json(body, code);
  }

  /** Makes a plain-text response, in UTF-8. @throws Error when the body is not a string. */
  text(body: string, status?: number): FwResponse {
    if (typeof body !== 'string') throw noString('ctx.text', body);
    return new FwResponse(body, this.#statusOr200(status), ContentType.text);
  }

  /** Makes an HTML response; escape everything that users sent. @throws Error when the body is not a string. */
  html(body: string, status?: number): FwResponse {
    if (typeof body !== 'string') throw noString('ctx.html', body);
    return new FwResponse(body, this.#statusOr200(status), ContentType.html);
  }

  /**
   * Makes a streamed response. Each chunk is sent when it is produced, with back-pressure: the next one is
   * requested when the client has read. If the client disconnects, the iteration ends: a generator runs its
   * `finally` at its next `yield`. The content type is `application/octet-stream` by default.
   *
   * @throws Error when `chunks` is not an async iterable, or the content type is not a valid header value.
   */
  stream(chunks: AsyncIterable<Uint8Array | string>, contentType: string = ContentType.bytes): FwResponse {
    checkIterable('ctx.stream', chunks);
    holdErrors(chunks);
    const response = this.#streamed(FwResponse.ofStream(chunks, 200));
    response.headers.set('Content-Type', contentType);
    return response;
  }

  /**
   * Makes a response of server-sent events (`text/event-stream`). It lasts until the events end, the client
   * disconnects or the server drains.
   *
   * @throws Error when `events` is not an async iterable.
   */
  sse(events: AsyncIterable<SseEvent>): FwResponse {
    checkIterable('ctx.sse', events);
    return this.#streamed(eventStream(events));
  }

  /**
   * Like `sse`, but sends a comment `: ping` whenever there was no event for `intervalMs` milliseconds, so that
   * proxies do not close an idle stream.
   *
   * @throws Error when `events` is not an async iterable, or the interval is not a whole number above 0.
   */
  sseKeepAlive(events: AsyncIterable<SseEvent>, intervalMs: number): FwResponse {
    checkIterable('ctx.sseKeepAlive', events);
    checkInterval(intervalMs);
    return this.#streamed(eventStream(events, intervalMs));
  }

  /**
   * The id of the last event that a reconnecting client received, from `Last-Event-ID`; undefined on the first
   * connection. A client can send any value, so check it.
   */
  lastEventId(): string | undefined {
    const id = this.#source.header('last-event-id');
    return id === undefined ? undefined : decodeEventId(id);
  }

  /**
   * Makes a redirect to the location, with status 302 by default. What no URL has, such as spaces and backslashes, is
   * percent-encoded.
   *
   * @throws Error when the status is not a redirect status, or the location is not a valid header value.
   */
  redirect(location: string | URL, status: 301 | 302 | 303 | 307 | 308 = 302): FwResponse {
    checkRedirect(status);
    const response = new FwResponse('', status, undefined);
    response.headers.set('Location', encodeLocation(location));
    this.queuedStatus = undefined;
    return response;
  }

  /**
   * Sets the status of the response that is made from the returned value. It does not apply to errors.
   *
   * @throws Error when it is not a final status (200 to 599).
   */
  status(code: number): this {
    if (!isFinalStatus(code)) throw new Error(`${code} is not a response status: use 200 to 599`);
    this.queuedStatus = code;
    return this;
  }

  /**
   * Sets a header field of the response, replacing one of the same name. It does not apply to errors.
   *
   * @throws Error when HTTP does not allow the name or the value.
   */
  header(name: string, value: string | number): this {
    this.#queue().set(name, value);
    return this;
  }

  /** The value of a request cookie, not decoded; undefined if the client did not send it. */
  cookie(name: string): string | undefined {
    return this.cookies()[name];
  }

  /** All request cookies by name, not decoded, in an object without a prototype. */
  cookies(): Record<string, string> {
    this.#cookies ??= parseCookies(this.#source.header('cookie'));
    return this.#cookies;
  }

  /**
   * Sets a cookie on the response, in place of one with the same name, domain and path that was set before; it does not
   * apply to errors.
   *
   * @throws Error when browsers would drop it.
   */
  setCookie(cookie: Cookie): this {
    const text = cookie.toString();
    this.#queue().appendUnlike('Set-Cookie', text, (present) => isSameCookie(present, text));
    return this;
  }

  /** Removes a cookie in the browser. The path and domain must be those that it was set with. */
  removeCookie(name: string, options: RemoveCookieOptions = {}): this {
    return this.setCookie(removal(name, options));
  }

  /** The id that the middleware `requestId` gave this request; undefined without that middleware. */
  requestId(): string | undefined {
    return this.#requestId;
  }

  /** Called by the middleware `requestId`. @internal */
  identify(id: string): void {
    this.#requestId = id;
  }

  /** Stores a value for the rest of this request, for later middleware and the handler. */
  set<Key extends string>(key: Key, value: StoreValue<Key>): void {
    this.#store ??= new Map();
    this.#store.set(key, value);
  }

  /** The value that `set` stored; undefined if there is none. */
  get<Key extends string>(key: Key): StoreValue<Key> | undefined {
    return this.#store?.get(key) as StoreValue<Key> | undefined;
  }

  /** The text of the last path parameter, in which `%2F` and `%25` are still encoded. @internal */
  get lastParam(): string {
    return this.#paramTexts.at(-1) ?? '';
  }

  /** @internal */
  get method(): string {
    return this.#source.method;
  }

  /** Calls the function when nobody waits for the response any more, unless what it returns is called. @internal */
  whenOver(callback: () => void): () => void {
    return this.#source.whenOver(callback);
  }

  /** The response is sent: ends all other streams that were made for the request. @internal */
  sendOnly(response: FwResponse): void {
    const streams = this.#streams;
    this.#streams = LATE;
    if (streams === undefined) return;
    const isWithBody = this.method !== 'HEAD' && !isBodiless(response.status);
    streams.sendOnly(response, isWithBody ? response.handed : undefined);
  }

  /** Puts the queued status, fields and cookies on a response, but not on one to an error. @internal */
  applyQueued(response: FwResponse): FwResponse {
    if (response.handed !== undefined) this.#streamed(response);
    if (this.queuedStatus === undefined && this.#headers === undefined) return response;
    if (response.error === undefined) {
      if (this.queuedStatus !== undefined) response.status = this.queuedStatus;
      if (this.#headers) setFields(response.headers, this.#headers);
    }
    this.unqueue();
    return response;
  }

  /** Drops what was queued, because it does not apply to errors. @internal */
  unqueue(): void {
    this.queuedStatus = undefined;
    this.#headers = undefined;
  }

  /** A status that is given with a body replaces the queued one. */
  #statusOr200(status: number | undefined): number {
    if (status !== undefined) this.queuedStatus = undefined;
    return status ?? 200;
  }

  /** Takes note of a response with a stream, which may never be sent. */
  #streamed(response: FwResponse): FwResponse {
    this.#streams ??= new UnsentStreams();
    this.#streams.add(response);
    return response;
  }

  #queue(): FwHeaders {
    this.#headers ??= new FwHeaders();
    return this.#headers;
  }
}
