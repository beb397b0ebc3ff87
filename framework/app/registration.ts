// What an App holds: its layer, its routes and its settings. It accepts more until it is sealed.
import { ConfigError } from '../config-error.js';
import type { RouteHandler } from '../context/handlers.js';
import { dispatch, type Handle } from '../dispatch/dispatch.js';
import { notePlace } from '../dispatch/recorded.js';
import { type AnyMiddleware, assertParameters, ContextMiddleware } from '../extract/context-middleware.js';
import { type RouteDescription, registerRoute } from '../extract/register-route.js';
import { registerSocket } from '../extract/register-socket.js';
import { type AnyPath, readPath } from '../extract/route.js';
import { asMiddleware } from '../extract/with-middleware.js';
import { readTarget } from '../http/request-target.js';
import { WEBSOCKET } from '../http/upgrade.js';
import { mountPatterns } from '../interop/fetch-handler.js';
import { type AllMcpOptions, type McpOptions, readMcpOptions } from '../mcp/mcp-options.js';
import { checkValue, refuseMore } from '../options/check.js';
import { pattern as PATH } from '../options/rules.js';
import { shown } from '../options/shown.js';
import { assertRegistry } from '../rpc/registry/assert-registry.js';
import type { RegistryTools, RpcRegistry } from '../rpc/registry/registry.js';
import type { SocketLimits } from '../runtime/node/listen.js';
import { THIS_RUNTIME } from '../this-runtime.js';
import { warnUnchecked } from '../tracing/event.js';
import type { DocsEntry } from './docs/docs-entry.js';
import { type HealthChecks, type HealthOptions, healthHandlers } from './health.js';
import { emptyLayer, type Layer } from './routes/layers.js';
import { type Route, RouteTable } from './routes/route-table.js';
import { Settings } from './settings/settings.js';
import { SettingsChanges } from './settings/settings-changes.js';

function notMiddleware(called: string, step: unknown): ConfigError {
  const path = typeof step === 'string' && step.startsWith('/') ? step : '/path';
  return new ConfigError(
    'FW_MIDDLEWARE',
    `${called} takes a function (ctx, next) => …, or middleware of createMiddleware(), got ${shown(step)}; for one path, give it to the route: describeRoute('${path}', { use: [middleware] }); an App is mounted by route('${path}', app)`,
  );
}

/** `file:line:column` of a registration. */
type Place = () => string;

export class Registration {
  readonly settings: Settings = new Settings();
  readonly layer: Layer = emptyLayer(this.settings.limits);
  readonly table: RouteTable = new RouteTable(this.layer);
  readonly changes: SettingsChanges = new SettingsChanges(this.settings, (what) => this.assertOpen(what));
  /** The pages about APIs, also those of mounted Apps. */
  readonly #docs: DocsEntry[] = [];
  #sealedBy: string | undefined;
  #handler: Handle | undefined;

  /** @throws ConfigError if it is too late. */
  assertOpen(what: string): void {
    if (this.#sealedBy !== undefined) {
      throw new ConfigError(
        'FW_REGISTERED_TOO_LATE',
        `${what} came too late: ${this.#sealedBy}; register everything before that`,
      );
    }
  }

  /** @throws ConfigError if it is too late, or the path is not a text. */
  openAt(method: string, path: string): void {
    this.assertOpen(`${method}('${checkValue(method, 'the path', path, PATH)}')`);
  }

  /**
   * @param called the method, which errors name
   * @param more arguments behind it
   */
  addMiddleware(called: string, middleware: AnyMiddleware, more: readonly unknown[], place: Place): void {
    this.assertOpen(called);
    const step = middleware instanceof ContextMiddleware ? asMiddleware(middleware) : middleware;
    if (typeof step !== 'function') throw notMiddleware(called, step);
    assertParameters(called, step);
    refuseMore(called, more, 'call it once for each middleware');
    this.layer.steps.push(step);
    notePlace(step, place);
  }

  /** @param args extractors, and the handler */
  addRoute(method: string, described: AnyPath, args: readonly unknown[], place: Place): void {
    this.openAt(method === '*' ? 'all' : method.toLowerCase(), readPath(described).path);
    const { path, handler, description } = registerRoute(method, described, args);
    this.#addDescribed(method, path, handler, place, description);
  }

  /** @param args extractors, and the WebSocket */
  addSocket(described: AnyPath, args: readonly unknown[], place: Place): void {
    this.openAt('websocket', readPath(described).path);
    const { path, handler, description } = registerSocket(described, args);
    this.#addDescribed(WEBSOCKET, path, handler, place, description);
  }

  #addDescribed(
    method: string,
    path: string,
    handler: RouteHandler,
    place: Place,
    description: RouteDescription,
  ): void {
    for (const one of description.middleware) notePlace(one, place);
    this.table.add(method, path, handler, place, { description });
  }

  addHealth(path: string, checks: HealthChecks, options: HealthOptions, place: Place): void {
    this.openAt('health', path);
    const { ready, live } = healthHandlers(checks, options);
    this.table.add('GET', path, ready, place);
    this.table.add('GET', `${path.replace(/\/$/, '')}/live`, live, place);
  }

  addJsonRpc(path: string, registry: RpcRegistry, place: Place): void {
    this.openAt('mountRpc', path);
    assertRegistry(`mountRpc('${path}')`, registry);
    this.table.add('POST', path, registry.jsonRpcRoute(path), place, {
      rpc: { isShared: true, registry: registry.documents, ...registry.documents.access() },
    });
  }

  addRest(prefix: string, registry: RpcRegistry, place: Place): void {
    this.openAt('mountRest', prefix);
    assertRegistry(`mountRest('${prefix}')`, registry);
    const { documents } = registry;
    const { isGuarded } = documents.access();
    for (const { method, pattern, handler, access } of registry.restRoutes(prefix)) {
      this.table.add(method, pattern, handler, place, {
        rpc: { isShared: false, registry: documents, isGuarded, procedures: [access] },
      });
    }
  }

  addMcp(path: string, registry: RpcRegistry, options: McpOptions, place: Place): void {
    this.openAt('mountMcp', path);
    assertRegistry(`mountMcp('${path}')`, registry);
    const given = readMcpOptions(`mountMcp('${path}')`, options);
    const tools = registry.tools();
    const loaded = loadMcp(path, tools, given);
    // The start fails if something is wrong; requests in process get the error.
    this.settings.load(loaded);
    const handler: RouteHandler = async function mcp(ctx) {
      return (await loaded)(ctx);
    };
    const access = registry.documents.access();
    const names = new Set(tools.tools.map(({ procedure }) => procedure.name));
    this.table.add('POST', path, handler, place, {
      mcp: {
        isGuarded: access.isGuarded,
        procedures: access.procedures.filter(({ name }) => names.has(name)),
        registry: registry.documents,
        maxBodySize: given.maxBodySize,
      },
    });
  }

  addFetch(prefix: string, handler: RouteHandler, place: Place): void {
    for (const pattern of mountPatterns(prefix)) this.table.add('*', pattern, handler, place);
  }

  addDocs(docs: DocsEntry, place: Place): void {
    for (const [pattern, handler] of docs.routes()) this.table.add('GET', pattern, handler, place);
    this.#docs.push(docs);
  }

  /** Takes over the routes of a mounted App, and closes that. */
  mount(prefix: string, inner: Registration, place: Place): void {
    if (inner === this)
      throw new ConfigError('FW_MOUNT_ITSELF', `an App cannot be mounted on itself (route '${prefix}')`);
    const { firstSet } = inner.settings;
    if (firstSet !== undefined) {
      throw new ConfigError(
        'FW_MOUNT_SETTING',
        `the App mounted under '${prefix}' sets ${firstSet}; set it on the App that listens`,
      );
    }
    this.settings.lifeCycle.adopt(inner.settings.lifeCycle);
    inner.#sealedBy ??= `it was mounted under '${prefix}'`;
    this.table.mount(prefix, inner.table, place);
    this.#docs.push(...inner.#docs);
  }

  /** Whether the target of a request, still encoded, is the path of a WebSocket. */
  hasSocket(target: string): boolean {
    this.seal();
    const { path, refused } = readTarget(target);
    return refused === undefined && this.table.findSocket(path) !== undefined;
  }

  /** Closes it for more, and returns the handler of requests. */
  seal(): Handle {
    if (this.#handler === undefined) {
      this.#sealedBy ??= 'it already answers requests';
      const { table, settings } = this;
      const scope = table.seal(settings);
      settings.hasWebSockets = table.hasSockets;
      settings.socketLimits = limitsOf(table.list());
      checkSockets(table.list(), settings);
      const served = { routes: table.list(), contract: settings.contract };
      for (const docs of this.#docs) docs.serve(served);
      this.#handler = (source, deliver, matched) => dispatch(table, scope, source, deliver, matched);
    }
    return this.#handler;
  }
}

/** Called once, when all routes are registered. */
function checkSockets(routes: readonly Route[], settings: Settings): void {
  const unchecked = routes.filter((route) => route.description?.socket?.useChecks !== undefined);
  // Workers answer handshakes with 426.
  if (unchecked.length === 0 || THIS_RUNTIME === 'Workers') return;
  if (settings.contract === undefined) reportUnchecked(unchecked);
  else settings.load(loadContract(settings.contract, unchecked));
}

/** The most that any of them takes: servers that speak the protocol themselves have one limit. */
function limitsOf(routes: readonly Route[]): SocketLimits {
  const sockets = routes.flatMap(({ description }) => description?.socket ?? []);
  return {
    maxMessageSize: Math.max(0, ...sockets.map(({ maxMessageSize }) => maxMessageSize)),
    isCompressed: sockets.some(({ isCompressed }) => isCompressed),
  };
}

async function loadMcp(path: string, tools: RegistryTools, options: AllMcpOptions): Promise<RouteHandler> {
  const { mountedMcp } = await import('../mcp/mcp-route.js');
  return mountedMcp(`mountMcp('${path}')`, tools, options);
}

async function loadContract(contract: unknown, routes: readonly Route[]): Promise<void> {
  const { SocketContract } = await import('../rpc/contract/socket-contract.js');
  const sockets = new SocketContract(contract);
  const unknown = routes.filter(({ pattern, description }) => {
    const checks = sockets.checks(pattern.source, description?.path);
    if (checks !== undefined) description?.socket?.useChecks?.(checks);
    return checks === undefined;
  });
  if (unknown.length > 0) reportUnchecked(unknown);
}

/** On `fw:event` if it has a subscriber, else on stderr. */
function reportUnchecked(routes: readonly Route[]): void {
  const paths = routes.map(({ pattern }) => pattern.source);
  const shown = paths.map((path) => `'${path}'`).join(', ');
  const message = `what clients send to the WebSocket ${shown} is not checked: run fw generate and load its contract by app.loadContract(), or give schemas`;
  warnUnchecked(message, { sockets: paths });
}
