// The context of one request: gives access to the request and collects what goes on its response.

import { peerAddress } from '../client-address/peer-address.js';
import * as cookies from '../http/cookie.js';
import type { FwError } from '../http/errors.js';
import { FwHeaders, setFields } from '../http/headers.js';
import type { PeerAddress, RequestSource } from '../http/request-source.js';
import type { Target } from '../http/request-target.js';
import { ContentType, FwResponse, isFinalStatus, type JsonResponse, notFinal } from '../http/response.js';
import { assertSchema } from '../schema/check.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { decodeEventId, type SseEvent } from '../streaming/sse-event.js';
import { type Logger, requestLog } from '../tracing/log.js';
import { type CallList, type ContextRoute, operationOf } from './called.js';
import type { StoreValue } from './context-store.js';
import type { Deadline } from './deadline.js';
import { Identity, onlyScope, parsedClaims, quoted, unauthenticated } from './identity.js';
import * as made from './made-responses.js';
import type { ApiKeyIdentity, Credential, JwtClaims, PrincipalRecord } from './principal.js';
import { checkedKey, storedAt } from './refused-fields.js';
import type { RegisteredDb, RegisteredPlatform, RegisteredScope } from './register.js';
import { FwRequest } from './request.js';
import type { RequestBody } from './request-body.js';
import type { Scope } from './scope.js';
import type { Session } from './session.js';
import { LATE, type StreamKeeper, UnsentStreams } from './unsent-streams.js';

/**
 * The context of one request, passed to every middleware and handler: reads the request, makes responses, and
 * keeps values for the rest of the request. `ParamNames` are the parameters of the route's path, such as
 * `Context<'id'>` for `/users/:id`; any string if the path is not known.
 */
export class Context<ParamNames extends string = string> {
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

  /** Who has shown what; undefined as long as nobody has. @internal */
  identity: Identity | undefined = undefined;
  /** @internal */
  readonly target: Target;
  /** The status that `status()` has set for the response. @internal */
  queuedStatus: number | undefined = undefined;
  /** Middleware, error handlers and settings around the handler of this request. @internal */
  readonly scope: Scope;
  /** The matching route, set by dispatch. @internal */
  route: ContextRoute | undefined = undefined;
  /** The RPC calls of the request: the name of one, or a list. @internal */
  called: string | CallList | undefined = undefined;

  /** True while a handler runs whose answers are checked before they are written. @internal */
  isDescribed = false;
  /** Whether a method of the context has made a response, which a handler may have forgotten to return. @internal */
  hasMade = false;

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
    return this.identity === undefined ? signal : this.#authorized(signal, this.identity);
  }

  #authorized(signal: AbortSignal, identity: Identity): AbortSignal {
    // Credentials may have come since.
    if (this.#signal?.of !== signal || this.#signal.authorized === signal) {
      this.#signal = { of: signal, authorized: identity.authorizedSignal(signal) };
    }
    return this.#signal.authorized;
  }

  /**
   * What the platform has passed with the request to `app.fetch(request, env, ctx)`: `env` and `ctx`, as on Workers, and
   * `request`, the Request as the platform has made it. Undefined under `app.listen`. Declare the type once,
   * with `| undefined` if `app.listen` serves the App too:
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

  /**
   * The path of the matching route as it was registered, with the prefixes of mounts, such as `/users/:id`; undefined
   * if no route matches. An app has only so many of them, so they can name metrics and spans, unlike `req.path`.
   */
  routePath(): string | undefined {
    return this.route?.pattern.source;
  }

  /**
   * What the request does: the name of its RPC procedure, `rpc.batch` for several, otherwise its method and the path of
   * its route, such as `GET /users/:id`; undefined if no route matches. A name that the app does not have is `_OTHER`, so
   * there are only so many. The procedure is known once the request was answered: ask in middleware after `next()`.
   */
  operation(): string | undefined {
    return operationOf(this);
  }

  /**
   * The database that `app.withKysely(db)` or `app.withDrizzle(db)` attached. Declare its type once, see `Register`.
   *
   * @throws Error if none was attached.
   */
  db(): RegisteredDb {
    const { database } = this.scope.settings;
    if (database !== undefined) return database as RegisteredDb;
    throw new Error('ctx.db() needs a database: call app.withKysely(db) or app.withDrizzle(db) before');
  }

  /**
   * Who makes the request, as the first method of authentication that succeeded found out; undefined if none did.
   */
  principal(): PrincipalRecord | undefined {
    return this.identity?.principal;
  }

  /** Who makes the request. @throws FwError 401 if nobody was authenticated. */
  requireAuth(): PrincipalRecord {
    const principal = this.identity?.needed;
    if (principal === undefined) throw this.identity?.refusal ?? unauthenticated(this.scope);
    return principal;
  }

  /**
   * Who makes the request. Declare the names of scopes once, see `Register`, and the compiler knows them.
   *
   * @throws FwError 401 if nobody was authenticated, 403 if they lack the scope.
   */
  requireScope(...given: [scope: RegisteredScope]): PrincipalRecord {
    const [principal, scope] = [this.requireAuth(), onlyScope(given)];
    if (!principal.scopes.includes(scope)) throw this.#known().lacks(`the scope '${scope}'`, [scope]);
    return principal;
  }

  /**
   * Who makes the request. @throws FwError 401 if nobody was authenticated, 403 if they have none of the scopes.
   */
  requireAnyScope(scopes: readonly RegisteredScope[]): PrincipalRecord {
    const principal = this.requireAuth();
    if (scopes.some((scope) => principal.scopes.includes(scope))) return principal;
    // The field has the scopes that are needed (RFC 6750, section 3), which no single list says here.
    throw this.#known().lacks(`one of the scopes ${quoted(scopes)}`, []);
  }

  /**
   * Who makes the request. @throws FwError 401 if nobody was authenticated, 403 if they lack one of the scopes.
   */
  requireAllScopes(scopes: readonly RegisteredScope[]): PrincipalRecord {
    const principal = this.requireAuth();
    if (scopes.every((scope) => principal.scopes.includes(scope))) return principal;
    throw this.#known().lacks(`the scopes ${quoted(scopes)}`, scopes);
  }

  /** The verified claims of the JWT of the request; undefined if there was no valid one. */
  jwtClaims(): JwtClaims | undefined {
    return this.identity?.claims;
  }

  /**
   * The verified claims of the JWT, parsed by a schema.
   *
   * @throws FwError 401 if there was no valid token, or its claims do not fit; ConfigError if it is not a schema,
   * Error if it is asynchronous.
   */
  jwt<Claims>(schema: StandardSchemaV1<unknown, Claims>): Claims {
    assertSchema('ctx.jwt()', schema);
    const claims = this.identity?.claims;
    if (claims === undefined) throw this.identity?.refusal ?? unauthenticated(this.scope);
    return parsedClaims(claims, schema);
  }

  /** The API key of the request; undefined if there was no valid one. */
  apiKey(): ApiKeyIdentity | undefined {
    return this.identity?.apiKey;
  }

  /** The session of the client. @throws Error if the middleware `session` of `fw/session` does not run here. */
  session(): Session {
    const session = this.identity?.session;
    if (session !== undefined) return session;
    throw new Error('ctx.session() needs sessions: call app.use(session(store)), of fw/session, before');
  }

  /** Makes a JSON response. @throws Error if the body has no JSON form, such as `undefined` or a Map. */
  json<const Body>(body: Body): JsonResponse<Body>;
  json<const Body, Status extends number>(body: Body, status: Status): JsonResponse<Body, Status>;
  json(body: unknown, status?: number): FwResponse {
    this.hasMade = true;
    const code = this.#statusOr200(status);
    return this.isDescribed ? FwResponse.ofValue(body, code) : FwResponse.json(body, code);
  }

  /** Makes a plain-text response, in UTF-8. @throws Error if the body is not a string. */
  text(body: string, status?: number): FwResponse {
    this.hasMade = true;
    return made.textResponse('ctx.text', body, this.#statusOr200(status), ContentType.text);
  }

  /** Makes an HTML response; escape everything that users sent. @throws Error if the body is not a string. */
  html(body: string, status?: number): FwResponse {
    this.hasMade = true;
    return made.textResponse('ctx.html', body, this.#statusOr200(status), ContentType.html);
  }

  /**
   * Makes a streamed response. Each chunk is sent when it is produced, with back-pressure: the next one is
   * requested when the client has read. If the client disconnects, the iteration ends: a generator runs its
   * `finally` at its next `yield`.
   *
   * @param options a text is the content type
   * @throws Error if `chunks` is not an async iterable, or the content type is not a valid header value.
   */
  stream(chunks: AsyncIterable<Uint8Array | string>, options: made.StreamOptions | string = {}): FwResponse {
    // It is ended if an option is refused.
    const response = this.#streamed(made.streamResponse(chunks));
    response.status = this.#statusOr200(made.describeStream(response, options));
    return response;
  }

  /**
   * Makes a response of server-sent events (`text/event-stream`). It lasts until the events end, the client
   * disconnects or the server drains.
   *
   * @param options.keepAliveMs sends a comment after so many milliseconds without an event, like `sseKeepAlive`
   * @throws Error if `events` is not an async iterable.
   */
  sse(events: AsyncIterable<SseEvent>, options: { readonly keepAliveMs?: number } = {}): FwResponse {
    return this.#streamed(made.eventsResponse(events, options.keepAliveMs));
  }

  /**
   * Like `sse`, but sends a comment `: ping` whenever there was no event for `intervalMs` milliseconds, so that
   * proxies do not close an idle stream.
   *
   * @throws Error if `events` is not an async iterable, or the interval is not a whole number above 0.
   */
  sseKeepAlive(events: AsyncIterable<SseEvent>, intervalMs: number): FwResponse {
    return this.#streamed(made.keepAliveResponse(events, intervalMs));
  }

  /**
   * The id of the last event that a reconnecting client received, from `Last-Event-ID`; undefined on the first
   * connection. A client can send any value, so check it.
   */
  lastEventId(): string | undefined {
    return decodeEventId(this.#source.header('last-event-id'));
  }

  /**
   * Makes a redirect to the location, with status 302 by default. What no URL has, such as spaces and backslashes, is
   * percent-encoded.
   *
   * @throws Error if the status is not a redirect status, or the location is not a valid header value.
   */
  redirect(location: string | URL, status: 301 | 302 | 303 | 307 | 308 = 302): FwResponse {
    this.hasMade = true;
    this.queuedStatus = undefined;
    return made.redirectResponse(location, status);
  }

  /**
   * Sets the status of the response that is made from the returned value. It does not apply to errors.
   *
   * @throws Error if it is not a final status (200 to 599).
   */
  status(code: number): this {
    if (!isFinalStatus(code)) throw new Error(notFinal(code));
    this.queuedStatus = code;
    return this;
  }

  /**
   * Sets a header field of the response, replacing one of the same name. It does not apply to errors.
   *
   * @throws Error if HTTP does not allow the name or the value.
   */
  header(name: string, value: string | number, options: { readonly append?: boolean } = {}): this {
    this.#queue()[options.append === true ? 'addTo' : 'set'](name, value);
    return this;
  }

  /** The value of a request cookie, not decoded; undefined if the client did not send it. */
  cookie(name: string): string | undefined {
    return cookies.cookieNamed(this.cookies(), name);
  }

  /** All request cookies by name, not decoded, in an object without a prototype. */
  cookies(): Record<string, string> {
    this.#cookies ??= cookies.parseCookies(this.#source.header('cookie'));
    return this.#cookies;
  }

  /**
   * Sets a cookie on the response, in place of one with the same name, domain and path that was set before; it does not
   * apply to errors.
   *
   * @throws Error if browsers would drop it; ConfigError if an option is unknown
   */
  setCookie(...cookie: cookies.GivenCookie): this {
    const text = cookies.cookieText(...cookie);
    this.#queue().appendUnlike('Set-Cookie', text, (present) => cookies.isSameCookie(present, text));
    return this;
  }

  /** Removes a cookie in the browser. The path and domain must be those that it was set with. */
  removeCookie(name: string, options: cookies.RemoveCookieOptions = {}): this {
    return this.setCookie(cookies.removal(name, options));
  }

  /** The id that the middleware `requestId` gave this request; undefined without that middleware. */
  requestId(): string | undefined {
    return this.#requestId;
  }

  /**
   * Logs lines with the fields of the request, such as its id: `ctx.log.info('order paid', { id })`. Subscribers of
   * `fw/tracing` print them or pass them on; without one, nothing is made.
   */
  get log(): Logger {
    return requestLog(this.#requestId);
  }

  /** Called by the middleware `requestId`. @internal */
  identify(id: string): void {
    this.#requestId = id;
  }

  /**
   * Stores a value for the rest of this request, for later middleware and the handler.
   *
   * @throws TypeError if the key is the name of a header field, which `header` sets
   */
  set<Key extends string>(key: Key, value: StoreValue<Key>): void {
    this.#store ??= new Map();
    this.#store.set(checkedKey(key, 'set'), value);
  }

  /** The value that `set` stored; undefined if there is none. */
  get<Key extends string>(key: Key): StoreValue<Key> | undefined {
    return storedAt(key, this.#store) as StoreValue<Key> | undefined;
  }

  /** Called by middleware that authenticated someone; the first one decides who the principal is. @internal */
  authenticate(principal: PrincipalRecord, credential?: Credential): void {
    this.#known().authenticate(principal, credential);
  }

  /** What must hold for as long as something lives that the request has opened. @internal */
  get credentials(): readonly Credential[] {
    return this.identity?.held() ?? [];
  }

  /** @internal */
  set ownClaims(claims: JwtClaims) {
    this.#known().claims ??= claims;
  }

  /** @internal */
  set ownApiKey(apiKey: ApiKeyIdentity) {
    this.#known().apiKey ??= apiKey;
  }

  /** Why an optional method did not authenticate: a guard says that, such as that the token has expired. @internal */
  set refusal(refusal: FwError) {
    this.#known().refusal ??= refusal;
  }

  /** Set by the middleware `session`; undefined if it does not run. @internal */
  get ownSession(): Session | undefined {
    return this.identity?.session;
  }

  /** @internal */
  set ownSession(session: Session) {
    this.#known().session = session;
  }

  /** Someone signed in or out in this request. @internal */
  replacePrincipal(principal: PrincipalRecord | undefined): void {
    this.#known().principal = principal;
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
    streams?.sendOnly(response, this.method);
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
    this.hasMade = true;
    this.#streams ??= new UnsentStreams();
    this.#streams.add(response);
    return response;
  }

  /** The same request, for something that authenticates for itself alone and adds nothing to the response. @internal */
  apart(): Context {
    const one = new Context(this.#source, this.target, this.scope, this.#paramNames, this.#paramTexts);
    one.#req = this.req as never;
    one.#store = this.#store ??= new Map();
    one.#requestId = this.#requestId;
    one.#streams = LATE;
    return Object.assign(one, { route: this.route, identity: this.identity?.copy() });
  }

  #known(): Identity {
    this.identity ??= new Identity();
    return this.identity;
  }

  #queue(): FwHeaders {
    this.#headers ??= new FwHeaders();
    return this.#headers;
  }
}
