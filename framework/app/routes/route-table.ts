// Registration: an App's routes and mounted Apps, collected until the first request seals the table.
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import type { RequestSettings, Scope } from '../../context/scope.js';
import { type BodyHandler, bodyHandlerOf } from '../../dispatch/body-handler.js';
import { composes, runHandler } from '../../dispatch/recorded.js';
import type { RouteLookup } from '../../dispatch/unmatched.js';
import type { RouteDescription } from '../../extract/register-route.js';
import { WEBSOCKET } from '../../http/upgrade.js';
import type { ProcedureAccess } from '../../openapi/registry-openapi.js';
import { parsePattern } from '../../router/pattern.js';
import { type FixedRoute, type Match, type RouteEntry, Router } from '../../router/router.js';
import type { RegistryDocuments } from '../../rpc/registry/registry-documents.js';
import { servesFiles } from '../../static/registration.js';
import { Settings } from '../settings/settings.js';
import { requirementOf } from './access.js';
import { type Guard, guarded, guardsOf } from './guard.js';
import {
  deeper,
  type Fallback,
  flatten,
  innermostLimits,
  type Layer,
  type Layers,
  type PlacedLayer,
} from './layers.js';

export interface Route extends RouteEntry {
  /** Behind the guards of its Apps, once the App is sealed. */
  handler: RouteHandler;
  /** Set when the App is sealed. @internal */
  bodyHandler: BodyHandler | undefined;
  readonly servesFiles: boolean;
  readonly layers: Layers;
  /** Undefined for routes that documents do not show, such as those of static files. */
  readonly description: RouteDescription | undefined;
  /** The procedures that it answers, if it does. */
  readonly rpc: RpcAccess | undefined;
  /** The tools that it answers, if it does. */
  readonly mcp: McpAccess | undefined;
  /** Set when the App is sealed. */
  scope: Scope;
}

/** The procedures of a registry that is mounted at one route, or the one of a REST route. */
export interface RpcAccess {
  /** Whether one route answers all procedures, as over JSON-RPC. */
  readonly isShared: boolean;
  readonly registry: RegistryDocuments;
  /** Whether the registry has a guard of its own. */
  readonly isGuarded: boolean;
  readonly procedures: readonly ProcedureAccess[];
}

/** The procedures of a registry that are tools at a route. */
export interface McpAccess extends Omit<RpcAccess, 'isShared'> {
  /** The largest body there. */
  readonly maxBodySize: number;
}

interface Mount extends RouteEntry {
  readonly layers: Layers;
  scope: Scope;
}

const unsealed: Scope = {
  steps: [],
  defaultHeaders: [],
  onError: undefined,
  notFound: undefined,
  singlePage: undefined,
  settings: new Settings(),
  limits: { maxBodySize: undefined, requestTimeoutMs: undefined },
  noStore: true,
};

/** The routes of one App: its own and, under their prefixes, those of the Apps mounted on it. */
export class RouteTable implements RouteLookup {
  readonly #router = new Router<Route>();
  /** WebSockets apart: an ordinary request to their path must not find them. */
  readonly #sockets = new Router<Route>();
  readonly #routes: Route[] = [];
  readonly #mountRouter = new Router<Mount>();
  readonly #mounts: Mount[] = [];
  readonly #layers: readonly [PlacedLayer];

  constructor(layer: Layer) {
    this.#layers = [{ layer, depth: 0 }];
  }

  /** @throws ConfigError if the pattern is malformed or already registered; the message names both places. */
  add(
    method: string,
    source: string,
    handler: RouteHandler,
    place: () => string,
    { description, rpc, mcp }: { description?: RouteDescription; rpc?: RpcAccess; mcp?: McpAccess } = {},
  ): void {
    const pattern = parsePattern(source);
    this.#addRoute({
      method,
      pattern,
      handler,
      bodyHandler: undefined,
      servesFiles: servesFiles(handler),
      layers: this.#layers,
      place,
      description,
      rpc,
      mcp,
      scope: unsealed,
    });
  }

  /** @throws ConfigError if the App already has a fallback; the message names both places. */
  fallBack(fallback: Fallback): void {
    const [{ layer }] = this.#layers;
    if (layer.singlePage !== undefined) {
      throw new ConfigError(
        'FW_ROUTE_CONFLICT',
        `route conflict: serveSpa (${fallback.place()}) answers the same requests as serveSpa (${layer.singlePage.place()}); remove one of them`,
      );
    }
    layer.singlePage = fallback;
  }

  /** Copies the routes of a sealed App; its `/` becomes the prefix itself. */
  mount(prefix: string, inner: RouteTable, place: () => string): void {
    if (prefix === '' || prefix === '/') {
      throw new ConfigError(
        'FW_MOUNT_PREFIX',
        `an App is mounted under a prefix, not at '${prefix}'; give one such as '/api', or register its routes on this App`,
      );
    }
    if (prefix.endsWith('/')) {
      throw new ConfigError(
        'FW_MOUNT_PREFIX',
        `malformed mount prefix '${prefix}': write it without the trailing slash`,
      );
    }
    const wrapped = new Map<Layers, Layers>();
    const wrap = (layers: Layers): Layers => {
      const known = wrapped.get(layers) ?? [...this.#layers, ...deeper(layers, prefix)];
      wrapped.set(layers, known);
      return known;
    };
    for (const route of inner.#routes) {
      const pattern = parsePattern(joinPaths(prefix, route.pattern.source));
      this.#addRoute({ ...route, pattern, layers: wrap(route.layers) });
    }
    // The name must differ from the parameters of the prefix.
    for (const source of [prefix, `${prefix}/`, `${prefix}/*$rest_of_mount`]) {
      this.#addMount(source, wrap(inner.#layers), place);
    }
    for (const { pattern, layers, place } of inner.#mounts) {
      this.#addMount(prefix + pattern.source, wrap(layers), place);
    }
  }

  /** Computes the scope of every route. Called once, when all routes and middleware are registered. */
  seal(settings: RequestSettings): Scope {
    const scopes = new Map<Layers, Scope>();
    const resolve = (layers: Layers): Scope => {
      const scope = scopes.get(layers) ?? flatten(layers, settings);
      scopes.set(layers, scope);
      return scope;
    };
    const root = resolve(this.#layers);
    for (const entry of [...this.#routes, ...this.#mounts]) entry.scope = resolve(entry.layers);
    this.#guard();
    this.#markStorable();
    this.#limit();
    for (const route of this.#routes) route.bodyHandler = bodyHandlerOf(route.handler, route.scope);
    return root;
  }

  /** @throws ConfigError if an exception of a guard is that of no route. */
  #guard(): void {
    const all = new Set<Guard>();
    for (const { layers } of [...this.#routes, ...this.#mounts, { layers: this.#layers }]) {
      for (const { layer } of layers) if (layer.guard !== undefined) all.add(layer.guard);
    }
    if (all.size === 0) return;
    for (const route of this.#routes) {
      route.handler = guarded(route.handler, guardsOf(route), route.description);
    }
    for (const guard of all) guard.assertUsed();
  }

  /** Routes may have limits of their own. */
  #limit(): void {
    for (const route of this.#routes) {
      const { maxBodySize, requestTimeout } = route.description?.options ?? {
        maxBodySize: route.mcp?.maxBodySize,
      };
      if (maxBodySize === undefined && requestTimeout === undefined) continue;
      const own = { maxBodySize, requestTimeoutMs: requestTimeout };
      route.scope = { ...route.scope, limits: innermostLimits([route.scope.limits, own]) };
    }
  }

  /** What caches may keep of responses to authenticated requests, where that is not what the App says. */
  #markStorable(): void {
    for (const route of this.#routes) {
      const noStore = route.description?.options.noStore;
      // Files that everybody may have are not personal, whoever asks for them.
      const isOpen = route.servesFiles && !requirementOf(route).isRequired;
      if (noStore !== undefined) route.handler = withStorage(route.handler, () => !noStore);
      else if (isOpen) route.handler = withStorage(route.handler, isForAll);
    }
  }

  /** All routes, in the order of registration. */
  list(): readonly Route[] {
    return this.#routes;
  }

  /** The layers around everything, from the outermost App on, each with a pattern that begins with its prefix. */
  *placedLayers(): Iterable<{ readonly layers: Layers; readonly source: string }> {
    yield { layers: this.#layers, source: '/' };
    for (const { layers, pattern } of this.#mounts) yield { layers, source: pattern.source };
  }

  find(method: string, path: string): Match<Route> | undefined {
    return this.#router.find(method, path);
  }

  findSocket(path: string): Match<Route> | undefined {
    return this.#sockets.find(WEBSOCKET, path);
  }

  /** Whether there are WebSockets. */
  get hasSockets(): boolean {
    return this.#routes.some(({ method }) => method === WEBSOCKET);
  }

  /** The scope of the innermost mounted App whose prefix matches the path. */
  findScope(path: string): Scope | undefined {
    return this.#mounts.length === 0 ? undefined : this.#mountRouter.find('MOUNT', path)?.value.scope;
  }

  /** Whether an unmatched path is a directory of static files, for which the fallback page must not answer. */
  isStaticDirectory(path: string): boolean {
    if (!path.endsWith('/')) return false;
    const below = this.#router.find('GET', `${path}file`);
    return below?.value.servesFiles === true;
  }

  allowed(path: string): string[] {
    return this.#router.allowed(path);
  }

  fixedRoutes(): readonly FixedRoute<Route>[] {
    return this.#router.fixedRoutes();
  }

  methods(): string[] {
    return this.#router.methods();
  }

  #addRoute(route: Route): void {
    (route.method === WEBSOCKET ? this.#sockets : this.#router).add(route);
    this.#routes.push(route);
  }

  #addMount(source: string, layers: Layers, place: () => string): void {
    const mount: Mount = { method: 'MOUNT', pattern: parsePattern(source), layers, place, scope: unsealed };
    this.#mountRouter.add(mount);
    this.#mounts.push(mount);
  }
}

/** False if middleware of the application has refused everybody else, which no description says. */
function isForAll({ identity }: Context): true | undefined {
  return identity?.isNeeded === true ? undefined : true;
}

/** The handler, whose response to an authenticated request caches may keep or not. */
function withStorage(handler: RouteHandler, isStorable: (ctx: Context) => boolean | undefined): RouteHandler {
  function withNoStore(ctx: Context): ReturnType<RouteHandler> {
    ctx.isStorable = isStorable(ctx);
    return runHandler(ctx, handler);
  }
  return composes(Object.defineProperty(withNoStore, 'name', { value: handler.name }));
}

function joinPaths(prefix: string, path: string): string {
  return path === '/' ? prefix : prefix + path;
}
