// The application: registration of routes, middleware and mounted Apps, its settings, and serving it.
import type { Server as NetServer } from 'node:net';
import type { RequireAuthOptions } from '../auth/principal.js';
import type { TrustedHeader, TrustProxyOptions } from '../client-address/trusted-proxies.js';
import { ConfigError } from '../config-error.js';
import type { ErrorHandler, RouteHandler } from '../context/handlers.js';
import type { Handle } from '../dispatch/dispatch.js';
import type { AnyMiddleware } from '../extract/context-middleware.js';
import type { ErrorAnswer, Register } from '../extract/handler-types.js';
import type { RegisterWebSocket } from '../extract/register-websocket.js';
import type { AnyPath } from '../extract/route.js';
import type { DefaultHeader } from '../http/response.js';
import { type FetchHandler, fetchHandler, type MountOptions } from '../interop/fetch-handler.js';
import type { McpOptions } from '../mcp/mcp-options.js';
import { checkValue, refuseMore, warnDeprecated } from '../options/check.js';
import { callback, flag, pattern as PATH } from '../options/rules.js';
import { kindOf } from '../options/shown.js';
import type { RpcRegistry } from '../rpc/registry/registry.js';
import type { ConnectionTimeouts } from '../runtime/connection-timeouts.js';
import type { Runtime } from '../runtime/fetch-server.js';
import type { ListenAddress, RunningServer } from '../runtime/node/listen.js';
import type { ServingSide } from '../runtime/serving-side.js';
import { assertSchema } from '../schema/check.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { SlowQueryOptions } from '../sql/database-options.js';
import type { DrizzleHandle, KyselyHandle } from '../sql/handles.js';
import type { Migrations } from '../sql/migrations/migrations.js';
import type { StaticOptions } from '../static/options.js';
import { filesPattern, singlePage, spaCall, staticCall, staticFiles } from '../static/registration.js';
import { callSite } from '../tracing/call-site.js';
import { DocsEntry, type DocsOptions } from './docs/docs-entry.js';
import type { DocsSource } from './docs/docs-source.js';
import type { HealthChecks, HealthOptions } from './health.js';
import { Registration } from './registration.js';
import { AccessList, accessOf } from './routes/access.js';
import { Guard } from './routes/guard.js';
import type { Route } from './routes/route-table.js';
import { Serving } from './serving.js';
import type { ListeningServer } from './settings/life-cycle.js';

/** What the compiler shows if an App is mounted under a different prefix than its type declares. */
type WrongPrefix<Mount extends string> = { readonly 'declare it as': `new App<'${Mount}'>()` };

const POWERED_BY: DefaultHeader = ['X-Powered-By', 'fw'];

const HANDLER = callback('a function');

/** A method that an application calls: the place of the call is the frame above it. */

/**
 * An HTTP application: register routes and middleware on it, then serve it with `listen`, `fetch` or `oneshot`.
 *
 * ```ts
 * const app = new App();
 * app.get('/hello/:name', (ctx) => ctx.text(`Hello ${ctx.req.param('name')}`));
 * await app.listen('127.0.0.1:3000');
 * ```
 *
 * `Prefix` types the parameters of the pattern that the App is mounted under: `new App<'/orgs/:org'>()`.
 */
export class App<Prefix extends string = ''> {
  /** Exists in the types only: it distinguishes Apps for different prefixes. */
  declare readonly '~prefix'?: Prefix;
  readonly #own: Registration = new Registration();
  readonly #serving: Serving;
  /**
   * `oneshot` under the name that fetch runtimes expect; bound to the App. What they pass with the Request, handlers get
   * as `ctx.platform.env` and `ctx.platform.ctx`.
   */
  readonly fetch: (request: Request, env?: unknown, ctx?: unknown) => Promise<Response>;

  /** Creates an App that adds `X-Powered-By: fw` to every response. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new App()', none, 'settings are methods, such as app.maxBodySize(bytes)');
    const own = this.#own;
    own.layer.defaultHeaders.push(POWERED_BY);
    this.#serving = new Serving({
      settings: own.settings,
      seal: () => own.seal(),
      fixedRoutes: () => own.table.fixedRoutes(),
      describe: async () => {
        const { describeApp } = await import('./description/describe-app.js');
        return describeApp(own.table, own.settings);
      },
      describeApi: async () => (await import('./docs/describe-api.js')).describeApp(this as App),
    });
    this.fetch = (request, env, ctx) => this.answer(request, undefined, { env, ctx });
  }

  /** Creates an App that adds no header fields of its own to responses. */
  static withoutDefaults<Prefix extends string = ''>(...none: readonly never[]): App<Prefix> {
    refuseMore('App.withoutDefaults()', none, 'settings are methods, such as app.maxBodySize(bytes)');
    const app = new App<Prefix>();
    app.#own.layer.defaultHeaders.length = 0;
    return app;
  }

  /**
   * Registers a handler for `GET`, with up to eight extractors before it; it answers `HEAD` too.
   *
   * @throws ConfigError if the pattern is malformed or already registered, or an argument is not a function or
   * an extractor. So do `post` and the other methods.
   */
  readonly get: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('GET', path, args, this.get);
  /** Registers a handler for `POST` like `get`: processes the body; repeating the request is not safe. */
  readonly post: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('POST', path, args, this.post);
  /** Registers a handler for `PUT` like `get`: replaces the resource with the content of the body. */
  readonly put: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('PUT', path, args, this.put);
  /** Registers a handler for `DELETE` like `get`: removes the resource. */
  readonly delete: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('DELETE', path, args, this.delete);
  /** Registers a handler for `PATCH` like `get`: changes parts of the resource (RFC 5789). */
  readonly patch: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('PATCH', path, args, this.patch);
  /** Registers a handler for `OPTIONS` like `get`; without one, every path answers 204 with `Allow`. */
  readonly options: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('OPTIONS', path, args, this.options);
  /** Registers a handler, like `get`, for every method that has no route of its own for the path. */
  readonly all: Register<Prefix, this> = (path: AnyPath, ...args: unknown[]) =>
    this.#add('*', path, args, this.all);

  /**
   * Registers a WebSocket (RFC 6455), made by `websocket` of `fw/websocket`, with up to eight extractors before it.
   * Middleware, guards and extractors run before the upgrade; a handshake that they refuse gets a plain response.
   *
   * ```ts
   * app.websocket('/echo', websocket({ onMessage: (socket, message) => void socket.send(message) }));
   * ```
   *
   * @throws ConfigError if the pattern is malformed or already registered, or an argument is not an extractor or
   * the last one is not a WebSocket.
   */
  readonly websocket: RegisterWebSocket<Prefix, this> = (described: AnyPath, ...args: unknown[]): this => {
    this.#own.addSocket(described, args, callSite(this.websocket));
    return this;
  };

  /**
   * Mounts another App under a prefix such as `/api`, with its own middleware, `onError` and `notFound`. Its
   * route `/` answers the prefix itself. Register everything on it before: a mounted App accepts no more routes.
   *
   * @throws ConfigError if one of its routes conflicts with a route of this App, the prefix is malformed, or it
   * has a setting, such as `trustProxy`, that belongs on the App that listens.
   */
  route<Mount extends string, Own extends string>(
    prefix: Mount,
    app: App<Own> & (Own extends '' | Mount | `${Prefix}${Mount}` ? unknown : WrongPrefix<Mount>),
  ): this {
    this.#own.assertOpen('route');
    checkValue('route', 'the path', prefix, PATH);
    if (!(app instanceof App))
      throw new ConfigError(
        'FW_MOUNT',
        `route('${prefix}') takes an App as its second argument, made by the same copy of fw, got ${kindOf(app)}; one route is written get('${prefix}', handler)`,
      );
    this.#own.mount(prefix, app.#own, callSite(this.route));
    return this;
  }

  /**
   * Answers all methods of the prefix and of all paths below it with a web-standard fetch handler, such as an
   * application of another framework. The handler gets the URL without the prefix, or with it if `keepPrefix` is true,
   * as libraries that route by the whole path need it. Its responses pass through the middleware of this App.
   *
   * ```ts
   * app.mount('/legacy', new Hono().get('/', (c) => c.text('from Hono'))); // or (request) => new Response()
   * ```
   *
   * @throws ConfigError if it is not a fetch handler, or a route conflicts with the prefix.
   */
  mount(prefix: string, handler: FetchHandler | { fetch: FetchHandler }, options: MountOptions = {}): this {
    this.#own.openAt('mount', prefix);
    if (handler instanceof App) {
      throw new ConfigError(
        'FW_MOUNT_HANDLER',
        `mount('${prefix}') was given an App, whose routes would be in no document and not in accessList(); write route('${prefix}', app), or mount its fetch to keep them out`,
      );
    }
    this.#own.addFetch(prefix, fetchHandler(prefix, handler, options), callSite(this.mount));
    return this;
  }

  /**
   * Appends middleware. It runs around every request of this App, including those that fail or match no route. Of that
   * of `createMiddleware`, such as `requireScope`, handlers get nothing: give it to a route or a procedure for that.
   *
   * @throws ConfigError if it is not middleware, there are several, or the App already answers requests.
   */
  useMiddleware(middleware: AnyMiddleware, ...more: readonly never[]): this {
    return this.#use('useMiddleware', middleware, more);
  }

  /** The same as `useMiddleware`. */
  use(middleware: AnyMiddleware, ...more: readonly never[]): this {
    return this.#use('use', middleware, more);
  }

  /**
   * Guards every route of this App and of the Apps mounted on it, whenever they are registered: a request that no
   * middleware has authenticated is answered 401 before the route runs. Exceptions are named. A route with an
   * extractor or middleware of its own that authenticates, such as `apiKey()`, is asked after that. Guards add up: those
   * of Apps around this one, of registries and of routes are asked too.
   *
   * ```ts
   * app.use(Jwt.hs256(secret).optional().build()).requireAuth({ except: ['POST /sign-in', '/health'] });
   * ```
   *
   * @throws ConfigError if an exception is malformed, or the App has a guard already; at the start, if an
   * exception is that of no route.
   */
  requireAuth(options: RequireAuthOptions = {}): this {
    this.#own.assertOpen('requireAuth');
    const { layer } = this.#own;
    if (layer.guard !== undefined) {
      throw new ConfigError(
        'FW_GUARD_TWICE',
        `this App has a guard already (requireAuth at ${layer.guard.place()}); name all exceptions there`,
      );
    }
    layer.guard = new Guard(options, callSite(this.requireAuth));
    return this;
  }

  /**
   * Whether responses to authenticated requests that set no `Cache-Control` get `private, no-store`, so that no cache
   * gives the answer of one person to another; on by default. It holds for this App and the Apps mounted on it, unless
   * they set it themselves; a route has the option `noStore`.
   *
   * @throws ConfigError if it is not a boolean, or the App already answers requests.
   */
  noStore(on: boolean): this {
    this.#own.assertOpen('noStore');
    this.#own.layer.noStore = checkValue('noStore', 'the argument', on, flag);
    return this;
  }

  /**
   * Sets the handler that answers errors instead of the standard body `{"error", "message"}`; they are reported to
   * the subscribers of `fw/tracing` all the same. A schema of its bodies binds the handler, and shows in documents.
   *
   * @throws ConfigError if `returns` is not a schema, or the handler is not a function.
   */
  onError(handler: ErrorHandler): this;
  onError<Body extends StandardSchemaV1>(
    returns: Body,
    handler: NoInfer<ErrorHandler<ErrorAnswer<Body>>>,
  ): this;
  onError(...args: [ErrorHandler] | [StandardSchemaV1, ErrorHandler]): this {
    this.#own.assertOpen('onError');
    const [returns, handler] = args.length === 1 ? [undefined, ...args] : args;
    if (returns !== undefined) assertSchema('onError()', returns);
    this.#own.layer.onError = checkValue('onError', 'the handler', handler, HANDLER);
    this.#own.layer.errorBody = returns;
    return this;
  }

  /**
   * Sets the handler for requests that match no route; the status is 404 unless the handler sets another.
   *
   * @throws ConfigError if it is not a function.
   */
  notFound(handler: RouteHandler): this {
    this.#own.assertOpen('notFound');
    this.#own.layer.notFound = checkValue('notFound', 'the handler', handler, HANDLER);
    return this;
  }

  /**
   * Answers `GET` of the path with 200 if the process should get requests: all checks pass, and no shutdown has begun;
   * otherwise with 503. `GET {path}/live` is answered with 200 as long as the process lives. Register it on an App
   * without guards: balancers do not sign in.
   *
   * ```ts
   * app.health('/healthz', { database: () => sql`select 1`.execute(db) });
   * ```
   *
   * @param checks functions that throw, reject or give `false` if something that the process needs is away
   * @throws ConfigError if a check is not a function, an option is wrong, or the path conflicts with a route
   */
  health(path: string, checks: HealthChecks = {}, options: HealthOptions = {}): this {
    this.#own.addHealth(path, checks, options, callSite(this.health));
    return this;
  }

  /**
   * Answers JSON-RPC 2.0 requests and batches, sent by `POST` to the path, with the procedures of a registry of
   * `fw/rpc`. Register all procedures before: the registry accepts no more afterwards.
   *
   * @throws ConfigError if the registry was made for REST, or the path conflicts with a route.
   */
  mountRpc(path: string, registry: RpcRegistry): this {
    this.#own.addJsonRpc(path, registry, callSite(this.mountRpc));
    return this;
  }

  /**
   * Answers the Model Context Protocol, sent by `POST` to the path, with the procedures of a registry that have the
   * option `mcp`: as tools that a model may call, and queries as resources. It keeps no sessions. Guards hold as for
   * every other call, and a tool that the caller may not call is not listed.
   *
   * ```ts
   * app.mountRpc('/rpc', rpc).mountMcp('/mcp', rpc, { name: 'tasks', version: '1.0.0' });
   * ```
   *
   * @throws ConfigError if an option is wrong, or the path conflicts with a route; at the start, if no procedure is a
   * tool, or two would have one name.
   */
  mountMcp(path: string, registry: RpcRegistry, options: McpOptions = {}): this {
    this.#own.addMcp(path, registry, options, callSite(this.mountMcp));
    return this;
  }

  /**
   * Answers `GET {prefix}/{name}` for every query and `POST {prefix}/{name}` for every mutation of a registry of
   * `fw/rpc`. Register all procedures before: the registry accepts no more afterwards.
   *
   * @throws ConfigError if a procedure cannot be served this way, or conflicts with a route.
   */
  mountRest(prefix: string, registry: RpcRegistry): this {
    this.#own.addRest(prefix, registry, callSite(this.mountRest));
    return this;
  }

  /**
   * Answers `GET` and `HEAD` under the prefix with the files of a directory; `dir` is resolved against the
   * working directory. Middleware runs around them; a path without a file is answered 404.
   *
   * @throws ConfigError if the directory is missing, or the prefix conflicts with a route.
   */
  serveStatic(prefix: string, dir: string, options: StaticOptions = {}): this {
    this.#own.assertOpen(staticCall(prefix, dir));
    const pattern = filesPattern(prefix);
    this.#own.table.add('GET', pattern, staticFiles(prefix, dir, options), callSite(this.serveStatic));
    return this;
  }

  /**
   * Serves a single-page application: answers `GET` and `HEAD` for paths that match no route with the file at
   * that path in the directory, or, if there is none and the client accepts HTML, with the page `fallback`.
   *
   * @throws ConfigError if the directory or the fallback is missing, or the App already has a fallback.
   */
  serveSpa(dir: string, fallback: string, options: StaticOptions = {}): this {
    this.#own.assertOpen(spaCall(dir, fallback));
    const place = callSite(this.serveSpa);
    this.#own.table.fallBack({ answer: singlePage(dir, fallback, options), place });
    return this;
  }

  /**
   * Answers `GET {path}` with a page about an API, from which it can be called, and `GET {path}/openapi.json` with its
   * OpenAPI document, whose `servers` is this server. The page loads everything from the App itself.
   *
   * ```ts
   * app.mountRpc('/rpc', rpc).serveDocs('/docs', app, { title: 'Tasks', version: '1.0.0' });
   * ```
   *
   * `source` is an App, whose routes, procedures and WebSockets are shown, an `RpcRegistry`, or an OpenAPI document: an
   * `OpenApiSpec`, or the document as an object. What cannot be described is answered with 500 when the page is
   * asked for.
   *
   * @param options for an App or a registry; a document has its own
   * @throws ConfigError if one of the paths conflicts with a route, or the source is nothing of these.
   */
  serveDocs(path: string, source: DocsSource, options: DocsOptions = {}): this {
    this.#own.openAt('serveDocs', path);
    const place = callSite(this.serveDocs);
    this.#own.addDocs(new DocsEntry(path, source, options), place);
    return this;
  }

  /**
   * Sets the largest request body, in bytes; unlimited by default. A larger body is answered 413 and never kept
   * in memory as a whole. It holds for the routes of this App and of the Apps mounted on it, which may set their own;
   * so may a route: `route('/upload', { maxBodySize })`. `Infinity` is unlimited.
   *
   * @throws ConfigError if it is not a whole number of bytes, 0 or more.
   */
  maxBodySize(bytes: number): this {
    this.#own.changes.maxBodySize(bytes, callSite(this.maxBodySize));
    return this;
  }

  /**
   * Sets how long a request may take until its response begins, in milliseconds; unlimited by default. After
   * that, `ctx.signal` aborts and the answer is 408, which passes through the middleware like any error. A stream
   * or upgrade that has begun is not limited. It holds for the routes of this App and of the Apps mounted on it, which
   * may set their own; so may a route: `route('/report', { requestTimeout })`. `Infinity` is unlimited.
   *
   * @throws ConfigError if it is not between 1 and 2^31 - 1.
   */
  requestTimeout(ms: number): this {
    this.#own.changes.requestTimeout(ms, callSite(this.requestTimeout));
    return this;
  }

  /**
   * Sets how long a graceful shutdown waits for requests in flight, in milliseconds; 30,000 by default.
   *
   * @throws ConfigError if it is not between 0 and 2^31 - 1.
   */
  shutdownGracePeriod(ms: number): this {
    this.#own.changes.shutdownGracePeriod(ms, callSite(this.shutdownGracePeriod));
    return this;
  }

  /**
   * Sets how long a graceful shutdown still accepts requests, in milliseconds, while `health` answers 503: the time in
   * which a balancer learns that others should get them. 0 by default.
   *
   * @throws ConfigError if it is not between 0 and 2^31 - 1.
   */
  drainDelay(ms: number): this {
    this.#own.changes.drainDelay(ms, callSite(this.drainDelay));
    return this;
  }

  /**
   * Sets how long the servers of `listen`, `listenWithShutdown` and `serveWithShutdown` wait for the client; see
   * `ConnectionTimeouts` for the defaults.
   *
   * @throws ConfigError if a name is unknown or a time is not between 1 and 2^31 - 1 milliseconds.
   */
  connectionTimeouts(times: Partial<ConnectionTimeouts>): this {
    this.#own.changes.connectionTimeouts(times, callSite(this.connectionTimeouts));
    return this;
  }

  /**
   * Makes `ctx.clientIp()`, and everything that uses it, read the client's address from `X-Forwarded-For` or
   * `Forwarded` (RFC 7239). `true` is for a single proxy that every request passes; a list names the networks of
   * all proxies, such as `['10.0.0.0/8']`; `{ header: 'cf-connecting-ip' }` is short for `true` with that option. Without
   * a proxy in front of the server do not set it, because any client can send these fields. A malformed network in the
   * list makes the start fail.
   *
   * @throws ConfigError if an argument is not of its kind, or an option is unknown.
   */
  trustProxy(trusted: boolean | readonly string[] | TrustedHeader, options: TrustProxyOptions = {}): this {
    this.#own.changes.trustProxy(trusted, options, callSite(this.trustProxy));
    return this;
  }

  /**
   * Attaches a Kysely, which `ctx.db()` then gives to handlers and procedures. When the servers of the App have
   * closed, it is destroyed. Errors of its queries become an FwError, see `fw/kysely`.
   *
   * @throws ConfigError if it is not a Kysely, or a database is attached already.
   */
  withKysely(db: KyselyHandle, options: SlowQueryOptions = {}): this {
    this.#own.changes.withKysely(db, options, callSite(this.withKysely));
    return this;
  }

  /**
   * Attaches a database of Drizzle, which `ctx.db()` then gives to handlers and procedures. When the servers of the
   * App have closed, its pool is closed. Errors of its queries become an FwError, see `fw/drizzle`.
   *
   * @throws ConfigError if it is not a database of Drizzle, or a database is attached already.
   */
  withDrizzle(db: DrizzleHandle, options: SlowQueryOptions = {}): this {
    this.#own.changes.withDrizzle(db, options, callSite(this.withDrizzle));
    return this;
  }

  /**
   * Reads the types of events that `events<T>()` declares from the contract file of `fw generate`, so that what
   * clients send over WebSockets is checked by them. With undefined, for a file that does not exist yet, it is not.
   * Like all settings, it belongs on the App that listens.
   *
   * ```ts no-run
   * import contract from './rpc-contract.json' with { type: 'json' };
   * app.loadContract(contract);
   * ```
   *
   * A contract of another version of fw makes the start fail.
   *
   * @throws ConfigError if the App already answers requests or is mounted.
   */
  loadContract(contract: unknown): this {
    this.#own.changes.loadContract(contract, callSite(this.loadContract));
    return this;
  }

  /** @deprecated Use `loadContract`. */
  useContract(contract: unknown): this {
    warnDeprecated('App.useContract', 'loadContract');
    this.#own.changes.loadContract(contract, callSite(this.useContract));
    return this;
  }

  /**
   * Gives the App the migrations of its database. It does not start while some have not run: it names them, and rejects.
   * With the environment variable `MIGRATE=true` it runs them at its start. Register what needs the tables behind it.
   *
   * ```ts
   * app.withKysely(db).withMigrations(migrations(db, source));
   * ```
   *
   * Under `fw dev`, the first start on an empty database runs all of them. Later, those that have not run do not run at a
   * save: requests are answered with 503, and a page with a button, until the developer has them run.
   *
   * @throws ConfigError if it is not made by `migrations` of `fw/kysely` or `fw/drizzle`, or the App has some already, or
   * answers requests or is mounted.
   */
  withMigrations(migrations: Migrations): this {
    const gate = this.#own.changes.withMigrations(migrations, callSite(this.withMigrations));
    if (gate !== undefined) this.#own.layer.steps.unshift(gate);
    return this;
  }

  /**
   * Registers what runs once when the App begins to listen, before the first request is accepted: migrations, workers of
   * queues, warm-ups. The callbacks run one after the other, the first registered first. If one fails, the App does not
   * start: `listen` rejects with its error, after the callbacks of `onClose`. The App that a mounted App is mounted on
   * takes its callbacks over.
   *
   * ```ts
   * app.onStart(() => queue.start()).onClose(() => queue.stop());
   * ```
   *
   * `oneshot`, `fetch`, `toNodeHandler`, `TestClient`, `fw routes`, `fw doctor` and `fw generate` never run them.
   *
   * @throws ConfigError if it is not a function, or the App already answers requests or is mounted.
   */
  onStart(start: () => unknown): this {
    this.#own.changes.onStart(start, callSite(this.onStart));
    return this;
  }

  /**
   * Registers what runs once when the first server of the App accepts connections, such as a message with its address.
   * The callbacks run one after the other, the first registered first. An error of one is reported on the error channel,
   * and the server goes on.
   *
   * ```ts
   * app.onReady(({ url }) => log.info(`open ${url}`));
   * ```
   *
   * @throws ConfigError if it is not a function, or the App already answers requests or is mounted.
   */
  onReady(ready: (server: ListeningServer) => unknown): this {
    this.#own.changes.onReady(ready, callSite(this.onReady));
    return this;
  }

  /**
   * Registers what runs when the last server of the App has drained and closed, such as the end of a connection. The
   * callbacks run one after the other, the last registered first, and each once. An error of one is reported on the
   * error channel and does not stop the others. The App that a mounted App is mounted on takes its callbacks over.
   *
   * @throws ConfigError if it is not a function, or the App already answers requests or is mounted.
   */
  onClose(close: () => unknown): this {
    this.#own.changes.onClose(close);
    return this;
  }

  /**
   * Starts an HTTP server and resolves when it accepts connections. A number is a port on 127.0.0.1; port 0
   * picks a free port, which is in the `address` of the returned server.
   *
   * @throws ConfigError if the address is malformed, or on Bun and Workers, where it names what to use; Error if
   * the port is in use or not permitted, and that of a callback of `onStart`.
   */
  async listen(address: ListenAddress, ...more: readonly never[]): Promise<RunningServer> {
    refuseMore('listen', more, "give the host with the port, as in '0.0.0.0:3000', and callbacks to onReady");
    return this.#serving.listen(address);
  }

  /**
   * Like `listen`, with a graceful shutdown: when `shutdown` aborts or settles, it stops accepting connections,
   * waits up to `shutdownGracePeriod` for requests in flight, and resolves.
   */
  async listenWithShutdown(
    address: ListenAddress,
    shutdown: PromiseLike<unknown> | AbortSignal,
  ): Promise<void> {
    await this.#serving.listenWithShutdown(address, shutdown);
  }

  /**
   * Like `listenWithShutdown`, on a `net.Server` or `tls.Server` that is already listening.
   *
   * @throws ConfigError if the server is not listening, or is an HTTP server.
   */
  async serveWithShutdown(listener: NetServer, shutdown: PromiseLike<unknown> | AbortSignal): Promise<void> {
    await this.#serving.serveWithShutdown(listener, shutdown);
  }

  /** Answers a web `Request` in process, without a socket. Errors of handlers become responses. */
  oneshot(request: Request): Promise<Response> {
    return this.answer(request);
  }

  /** All routes with who may call them; `console.log(String(app.accessList()))` prints a table. */
  accessList(): AccessList {
    return new AccessList(this.routes().flatMap(accessOf));
  }

  /** The routes, including those of mounted Apps. @internal */
  routes(): readonly Route[] {
    return this.#own.table.list();
  }

  /** The contract of `loadContract`, if there is one. @internal */
  contract(): unknown {
    return this.#own.settings.contract;
  }

  /** Whether the target of a request, still encoded, is the path of a WebSocket. @internal */
  hasWebSocket(target: string): boolean {
    return this.#own.hasSocket(target);
  }

  /** Starts the server of another runtime, for `fw/bun` and `fw/deno`. @internal */
  async listenOn(runtime: Runtime, address: ListenAddress): Promise<RunningServer> {
    return this.#serving.listenOn(runtime, address);
  }

  /** Answers a Request of a platform, for adapters such as `fw/lambda`. @internal */
  answer(request: Request, side?: ServingSide, info?: unknown): Promise<Response> {
    return this.#serving.answer(request, side, info);
  }

  /** The request handler of this App, for servers. @internal */
  handler(): Handle {
    return this.#serving.handler();
  }

  /** Tells tools of development that this App answers from now on. @internal */
  announce(): void {
    this.#serving.announce();
  }

  #add(
    method: string,
    described: AnyPath,
    args: readonly unknown[],
    above: Parameters<typeof callSite>[0],
  ): this {
    this.#own.addRoute(method, described, args, callSite(above));
    return this;
  }

  #use(called: 'use' | 'useMiddleware', middleware: AnyMiddleware, more: readonly unknown[]): this {
    this.#own.addMiddleware(called, middleware, more, callSite(this[called]));
    return this;
  }
}
