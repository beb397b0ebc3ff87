// The application: what is registered on it, and the one way a request takes through it.

import { AppServing } from './app-serving.js';
import { limitBodies } from './body-limit.js';
import type { Middleware } from './chain.js';
import { dispatch, type Handle } from './dispatch.js';
import type { DocsSource } from './docs-page/serve-docs.js';
import type { Reads } from './extract/extractor.js';
import type { Register } from './extract/handler-types.js';
import { type ExtractingHandler, readsOf, withExtractors } from './extract/with-extractors.js';
import { type FetchHandler, fetchHandler, mountPatterns } from './interop/fetch-handler.js';
import type { Stamp } from './response.js';
import { callSite, type ErrorHandler, type Layer, type RouteHandler, RouteTable } from './routes.js';
import type { RpcRegistry } from './rpc/registry.js';
import type { StaticOptions } from './static/options.js';
import { filesPattern, singlePage, staticFiles } from './static/registration.js';

/** What the compiler shows where an App is mounted under another prefix than it was typed for. */
type WrongPrefix<Mount extends string> = { readonly 'declare it as': `new App<'${Mount}'>()` };

const POWERED_BY: Stamp = ['X-Powered-By', 'fw'];

/**
 * An HTTP application.
 *
 * ```ts
 * const app = new App();
 * app.get('/hello/:name', (ctx) => ctx.text(`Hello ${ctx.req.param('name')}`));
 * await app.listen('127.0.0.1:3000');
 * ```
 *
 * `Prefix` is for an App that is mounted under a pattern with parameters: `new App<'/orgs/:org'>()`.
 */
export class App<Prefix extends string = ''> extends AppServing {
  /** Type only: tells Apps for different prefixes apart. */
  declare readonly '~prefix'?: Prefix;
  readonly #layer: Layer = {
    steps: [],
    stamps: [],
    onError: undefined,
    notFound: undefined,
    singlePage: undefined,
  };
  readonly #table = new RouteTable(this.#layer);
  #sealedBy: string | undefined;
  #handler: Handle | undefined;

  /** An App that adds `X-Powered-By: fw` to every response. */
  constructor() {
    super();
    this.#layer.stamps.push(POWERED_BY);
  }

  /** An App without any middleware. */
  static withoutDefaults<Prefix extends string = ''>(): App<Prefix> {
    const app = new App<Prefix>();
    app.#layer.stamps.length = 0;
    return app;
  }

  /** Registers a handler, with up to eight extractors before it; HEAD is answered from it too. */
  readonly get: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('GET', path, args, this.get);
  readonly post: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('POST', path, args, this.post);
  readonly put: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('PUT', path, args, this.put);
  readonly delete: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('DELETE', path, args, this.delete);
  readonly patch: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('PATCH', path, args, this.patch);
  readonly options: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('OPTIONS', path, args, this.options);
  /** Answers every method that has no route of its own under the path. */
  readonly all: Register<Prefix, this> = (path: string, ...args: unknown[]) =>
    this.#add('*', path, args, this.all);

  /** Appends middleware around every request of this App, errors and misses included. */
  useMiddleware(middleware: Middleware): this {
    this.assertOpen('useMiddleware');
    if (typeof middleware !== 'function') {
      throw new Error(
        `useMiddleware takes a function, got ${JSON.stringify(middleware)}; for one path, mount an App with middleware there by route()`,
      );
    }
    this.#layer.steps.push(middleware);
    return this;
  }

  /** Short for `useMiddleware`. */
  use(middleware: Middleware): this {
    return this.useMiddleware(middleware);
  }

  /**
   * Mounts another App under a prefix, with its own middleware, `onError` and `notFound`. Its `/` is the
   * prefix itself. Register everything on it first: afterwards it is closed.
   *
   * @throws Error when a route of it conflicts with one that is already here.
   */
  route<Mount extends string, Own extends string>(
    prefix: Mount,
    app: App<Own> & (Own extends '' | Mount | `${Prefix}${Mount}` ? unknown : WrongPrefix<Mount>),
  ): this {
    this.assertOpen('route');
    if (!(#table in app)) throw new Error(`route('${prefix}') takes an App, made by the same copy of fw`);
    if ((app as unknown) === this) throw new Error(`an App cannot be mounted on itself (route '${prefix}')`);
    const { firstSet } = app.settings;
    if (firstSet !== undefined) {
      throw new Error(`the App mounted under '${prefix}' sets ${firstSet}; set it on the App that listens`);
    }
    app.#seal(`it was mounted under '${prefix}'`);
    this.#table.mount(prefix, app.#table, callSite(this.route));
    return this;
  }

  /**
   * Answers every method of the prefix and of all paths below it with a web-standard fetch handler, such as the
   * App of another framework. It sees the URL without the prefix; its answers pass through the middleware.
   *
   * ```ts
   * app.mount('/legacy', new Hono().get('/', (c) => c.text('from Hono'))); // or (request) => new Response()
   * ```
   *
   * @throws Error when it is no such handler, or a route conflicts with the prefix.
   */
  mount(prefix: string, handler: FetchHandler | { fetch: FetchHandler }): this {
    this.assertOpen(`mount('${prefix}')`);
    const place = callSite(this.mount);
    const mounted = fetchHandler(prefix, handler);
    for (const pattern of mountPatterns(prefix)) this.#table.add('*', pattern, mounted, place);
    return this;
  }

  /** Answers errors in place of the wire form `{"error", "message"}`. The error is reported all the same. */
  onError(handler: ErrorHandler): this {
    this.assertOpen('onError');
    this.#layer.onError = handler;
    return this;
  }

  /** Answers requests that no route matches; the status is 404 unless the handler sets another. */
  notFound(handler: RouteHandler): this {
    this.assertOpen('notFound');
    this.#layer.notFound = handler;
    return this;
  }

  /**
   * Answers JSON-RPC 2.0 requests and batches by POST with the procedures of a registry of `fw/rpc`. Register
   * everything on it first: afterwards it is closed.
   *
   * @throws Error when the registry is one for REST, or the path conflicts with a route.
   */
  mountRpc(path: string, registry: RpcRegistry): this {
    this.assertOpen(`mountRpc('${path}')`);
    assertRegistry(`mountRpc('${path}')`, registry);
    this.#table.add('POST', path, registry.jsonRpcRoute(path), callSite(this.mountRpc));
    return this;
  }

  /**
   * Answers `GET {prefix}/{name}` for every query and `POST {prefix}/{name}` for every mutation of a registry of
   * `fw/rpc`. Register everything on it first: afterwards it is closed.
   *
   * @throws Error when a procedure cannot be mounted so, or conflicts with a route.
   */
  mountRest(prefix: string, registry: RpcRegistry): this {
    this.assertOpen(`mountRest('${prefix}')`);
    assertRegistry(`mountRest('${prefix}')`, registry);
    const place = callSite(this.mountRest);
    for (const { method, pattern, handler } of registry.restRoutes(prefix)) {
      this.#table.add(method, pattern, handler, place);
    }
    return this;
  }

  /**
   * Answers `GET` and `HEAD` under the prefix with the files of a directory, which is relative to the working
   * directory. Middleware runs around them; a path without a file is 404.
   *
   * @throws Error when the directory is missing, or the prefix conflicts with a route.
   */
  serveStatic(prefix: string, dir: string, options: StaticOptions = {}): this {
    this.assertOpen(`serveStatic('${prefix}', '${dir}')`);
    const pattern = filesPattern(prefix);
    this.#table.add('GET', pattern, staticFiles(prefix, dir, options), callSite(this.serveStatic));
    return this;
  }

  /**
   * Answers `GET` and `HEAD` of paths that no route matches: with the file of the directory that is there, else
   * with the page `fallback` of it, where the client accepts HTML.
   *
   * @throws Error when the directory or the fallback is missing, or the App has a fallback already.
   */
  serveSpa(dir: string, fallback: string, options: StaticOptions = {}): this {
    this.assertOpen(`serveSpa('${dir}', '${fallback}')`);
    const place = callSite(this.serveSpa);
    this.#table.fallBack({ answer: singlePage(dir, fallback, options), place });
    return this;
  }

  /**
   * Answers `GET {path}` with an interactive page about the API, and `GET {path}/openapi.json` with the document,
   * its `servers` being this server. Everything that the page loads comes from the App itself.
   *
   * `spec` is an OpenApiSpec or an OpenAPI document; one that is neither fails the start.
   *
   * @throws Error when one of the paths conflicts with a route.
   */
  serveDocs(path: string, spec: DocsSource): this {
    this.assertOpen(`serveDocs('${path}')`);
    const routes = import('./docs-page/serve-docs.js').then(({ docsRoutes }) => docsRoutes(spec));
    this.settings.load(routes);
    const place = callSite(this.serveDocs);
    this.#table.add('GET', path, async (ctx) => (await routes).page(ctx), place);
    const below = path === '/' ? '' : path;
    this.#table.add('GET', `${below}/openapi.json`, async (ctx) => (await routes).specification(ctx), place);
    this.#table.add('GET', `${below}/rapidoc.js`, async (ctx) => (await routes).reader(ctx), place);
    return this;
  }

  /** Its routes and what they read, those of mounted Apps too. @internal */
  told(): { method: string; pattern: string; reads: Reads[] }[] {
    return this.#table.list().map(({ method, pattern, handler }) => {
      return { method, pattern: pattern.source, reads: readsOf(handler) };
    });
  }

  protected override sealed(): Handle {
    if (this.#handler === undefined) {
      this.#seal('it already answers requests');
      const table = this.#table;
      const { maxBodySize } = this.settings;
      const scope = table.seal(this.settings);
      const handle: Handle = (source, deliver) => dispatch(table, scope, source, deliver);
      this.#handler = maxBodySize === undefined ? handle : limitBodies(handle, maxBodySize);
    }
    return this.#handler;
  }

  #add(method: string, path: string, args: readonly unknown[], above: (...args: never[]) => unknown): this {
    this.assertOpen(`${method === '*' ? 'all' : method.toLowerCase()}('${path}')`);
    const handler = args.at(-1);
    if (typeof handler !== 'function') {
      throw new Error(
        `the handler of ${method} ${path} is ${handler == null ? handler : `of type ${typeof handler}`}; give a function`,
      );
    }
    const extracting = withExtractors(
      `${method} ${path}`,
      path,
      args.slice(0, -1),
      handler as ExtractingHandler,
    );
    this.#table.add(method, path, extracting, callSite(above));
    return this;
  }

  protected override assertOpen(what: string): void {
    if (this.#sealedBy !== undefined) {
      throw new Error(`${what} came too late: ${this.#sealedBy}; register everything before that`);
    }
  }

  #seal(why: string): void {
    this.#sealedBy ??= why;
  }
}

/** Asked of the object, so that nothing of `fw/rpc` is loaded for an App without procedures. */
function assertRegistry(who: string, registry: RpcRegistry): void {
  if (typeof (registry as Partial<RpcRegistry> | null | undefined)?.restRoutes === 'function') return;
  throw new Error(
    `${who} takes an RpcRegistry of 'fw/rpc', got ${registry === null ? 'null' : typeof registry}`,
  );
}
