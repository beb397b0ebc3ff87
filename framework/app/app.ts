// The application: registration of routes, middleware and mounted Apps, and the request handler made of them.

import { ConfigError } from '../config-error.js';
import type { ErrorHandler, RouteHandler } from '../context/handlers.js';
import { dispatch, type Handle } from '../dispatch/dispatch.js';
import type { ErrorAnswer, Register } from '../extract/handler-types.js';
import { registerRoute } from '../extract/register-route.js';
import { type AnyPath, readPath } from '../extract/route.js';
import type { DefaultHeader } from '../http/response.js';
import {
  type FetchHandler,
  fetchHandler,
  type MountOptions,
  mountPatterns,
} from '../interop/fetch-handler.js';
import { checkValue } from '../options/check.js';
import { callback, pattern as PATH } from '../options/rules.js';
import type { RpcRegistry } from '../rpc/registry/registry.js';
import { assertSchema } from '../schema/check.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { StaticOptions } from '../static/options.js';
import { filesPattern, singlePage, spaCall, staticCall, staticFiles } from '../static/registration.js';
import { callSite } from '../tracing/call-site.js';
import { AppSockets } from './app-sockets.js';
import { assertRegistry } from './assert-registry.js';
import { DocsEntry, type DocsOptions } from './docs/docs-entry.js';
import type { DocsSource } from './docs/docs-source.js';

/** What the compiler shows if an App is mounted under a different prefix than its type declares. */
type WrongPrefix<Mount extends string> = { readonly 'declare it as': `new App<'${Mount}'>()` };

const POWERED_BY: DefaultHeader = ['X-Powered-By', 'fw'];

const HANDLER = callback('a function');

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
export class App<Prefix extends string = ''> extends AppSockets<Prefix> {
  /** Exists in the types only: it distinguishes Apps for different prefixes. */
  declare readonly '~prefix'?: Prefix;
  #sealedBy: string | undefined;
  #handler: Handle | undefined;
  /** The pages about APIs, also those of mounted Apps. */
  readonly #docs: DocsEntry[] = [];

  /** Creates an App that adds `X-Powered-By: fw` to every response. */
  constructor() {
    super();
    this.layer.defaultHeaders.push(POWERED_BY);
  }

  /** Creates an App that adds no header fields of its own to responses. */
  static withoutDefaults<Prefix extends string = ''>(): App<Prefix> {
    const app = new App<Prefix>();
    app.layer.defaultHeaders.length = 0;
    return app;
  }

  /**
   * Registers a handler for `GET`, with up to eight extractors before it; it answers `HEAD` too.
   *
   * @throws ConfigError when the pattern is malformed or already registered, or an argument is not a function or
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
   * Mounts another App under a prefix such as `/api`, with its own middleware, `onError` and `notFound`. Its
   * route `/` answers the prefix itself. Register everything on it before: a mounted App accepts no more routes.
   *
   * @throws ConfigError when one of its routes conflicts with a route of this App, the prefix is malformed, or it
   * has a setting, such as `trustProxy`, that belongs on the App that listens.
   */
  route<Mount extends string, Own extends string>(
    prefix: Mount,
    app: App<Own> & (Own extends '' | Mount | `${Prefix}${Mount}` ? unknown : WrongPrefix<Mount>),
  ): this {
    this.assertOpen('route');
    checkValue('route', 'the path', prefix, PATH);
    if (!(app instanceof App))
      throw new ConfigError('FW_MOUNT', `route('${prefix}') takes an App, made by the same copy of fw`);
    if ((app as unknown) === this)
      throw new ConfigError('FW_MOUNT_ITSELF', `an App cannot be mounted on itself (route '${prefix}')`);
    const { firstSet } = app.settings;
    if (firstSet !== undefined) {
      throw new ConfigError(
        'FW_MOUNT_SETTING',
        `the App mounted under '${prefix}' sets ${firstSet}; set it on the App that listens`,
      );
    }
    this.settings.closing.adopt(app.settings.closing);
    app.#seal(`it was mounted under '${prefix}'`);
    this.table.mount(prefix, app.table, callSite(this.route));
    this.#docs.push(...app.#docs);
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
   * @throws ConfigError when it is not a fetch handler, or a route conflicts with the prefix.
   */
  mount(prefix: string, handler: FetchHandler | { fetch: FetchHandler }, options: MountOptions = {}): this {
    this.#open('mount', prefix);
    const place = callSite(this.mount);
    const mounted = fetchHandler(prefix, handler, options);
    for (const pattern of mountPatterns(prefix)) this.table.add('*', pattern, mounted, place);
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
    this.assertOpen('onError');
    const [returns, handler] = args.length === 1 ? [undefined, ...args] : args;
    if (returns !== undefined) assertSchema('onError()', returns);
    this.layer.onError = checkValue('onError', 'the handler', handler, HANDLER);
    this.layer.errorBody = returns;
    return this;
  }

  /**
   * Sets the handler for requests that match no route; the status is 404 unless the handler sets another.
   *
   * @throws ConfigError if it is not a function.
   */
  notFound(handler: RouteHandler): this {
    this.assertOpen('notFound');
    this.layer.notFound = checkValue('notFound', 'the handler', handler, HANDLER);
    return this;
  }

  /**
   * Answers JSON-RPC 2.0 requests and batches, sent by `POST` to the path, with the procedures of a registry of
   * `fw/rpc`. Register all procedures before: the registry accepts no more afterwards.
   *
   * @throws ConfigError when the registry was made for REST, or the path conflicts with a route.
   */
  mountRpc(path: string, registry: RpcRegistry): this {
    this.#open('mountRpc', path);
    assertRegistry(`mountRpc('${path}')`, registry);
    const place = callSite(this.mountRpc);
    this.table.add('POST', path, registry.jsonRpcRoute(path), place, {
      rpc: { isShared: true, registry, ...registry.access() },
    });
    return this;
  }

  /**
   * Answers `GET {prefix}/{name}` for every query and `POST {prefix}/{name}` for every mutation of a registry of
   * `fw/rpc`. Register all procedures before: the registry accepts no more afterwards.
   *
   * @throws ConfigError when a procedure cannot be served this way, or conflicts with a route.
   */
  mountRest(prefix: string, registry: RpcRegistry): this {
    this.#open('mountRest', prefix);
    assertRegistry(`mountRest('${prefix}')`, registry);
    const place = callSite(this.mountRest);
    const { isGuarded } = registry.access();
    for (const { method, pattern, handler, access } of registry.restRoutes(prefix)) {
      this.table.add(method, pattern, handler, place, {
        rpc: { isShared: false, registry, isGuarded, procedures: [access] },
      });
    }
    return this;
  }

  /**
   * Answers `GET` and `HEAD` under the prefix with the files of a directory; `dir` is resolved against the
   * working directory. Middleware runs around them; a path without a file is answered 404.
   *
   * @throws ConfigError when the directory is missing, or the prefix conflicts with a route.
   */
  serveStatic(prefix: string, dir: string, options: StaticOptions = {}): this {
    this.assertOpen(staticCall(prefix, dir));
    const pattern = filesPattern(prefix);
    this.table.add('GET', pattern, staticFiles(prefix, dir, options), callSite(this.serveStatic));
    return this;
  }

  /**
   * Serves a single-page application: answers `GET` and `HEAD` for paths that match no route with the file at
   * that path in the directory, or, if there is none and the client accepts HTML, with the page `fallback`.
   *
   * @throws ConfigError when the directory or the fallback is missing, or the App already has a fallback.
   */
  serveSpa(dir: string, fallback: string, options: StaticOptions = {}): this {
    this.assertOpen(spaCall(dir, fallback));
    const place = callSite(this.serveSpa);
    this.table.fallBack({ answer: singlePage(dir, fallback, options), place });
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
   * @throws ConfigError when one of the paths conflicts with a route, or the source is nothing of these.
   */
  serveDocs(path: string, source: DocsSource, options: DocsOptions = {}): this {
    this.#open('serveDocs', path);
    const place = callSite(this.serveDocs);
    const docs = new DocsEntry(path, source, options);
    for (const [pattern, handler] of docs.routes()) this.table.add('GET', pattern, handler, place);
    this.#docs.push(docs);
    return this;
  }

  protected override sealed(): Handle {
    if (this.#handler === undefined) {
      this.#seal('it already answers requests');
      const { table } = this;
      const scope = table.seal(this.settings);
      this.prepareSockets();
      const served = { routes: table.list(), contract: this.contract };
      for (const docs of this.#docs) docs.serve(served);
      this.#handler = (source, deliver, matched) => dispatch(table, scope, source, deliver, matched);
    }
    return this.#handler;
  }

  #add(
    method: string,
    described: AnyPath,
    args: readonly unknown[],
    above: (...args: never[]) => unknown,
  ): this {
    this.#open(method === '*' ? 'all' : method.toLowerCase(), readPath(described).path);
    const { path, handler, description } = registerRoute(method, described, args);
    this.table.add(method, path, handler, callSite(above), { description });
    return this;
  }

  /** @throws ConfigError if it is too late, or the path is not a text. */
  #open(method: string, path: string): void {
    this.assertOpen(`${method}('${checkValue(method, 'the path', path, PATH)}')`);
  }

  protected override assertOpen(what: string): void {
    if (this.#sealedBy !== undefined) {
      throw new ConfigError(
        'FW_REGISTERED_TOO_LATE',
        `${what} came too late: ${this.#sealedBy}; register everything before that`,
      );
    }
  }

  #seal(why: string): void {
    this.#sealedBy ??= why;
  }
}
