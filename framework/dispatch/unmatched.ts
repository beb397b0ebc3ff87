// Requests that match no route: 400, 404 or 405, 204 for OPTIONS of a known path, or the fallback page of an App.
import type { Context } from '../context/context.js';
import type { RouteHandler } from '../context/handlers.js';
import type { Scope } from '../context/scope.js';
import { FwError, type FwErrorOptions } from '../http/errors.js';
import { NO_PATH } from '../http/request-target.js';
import { FwResponse } from '../http/response.js';
import type { BodyHandler } from './body-handler.js';

/** The interface of dispatch to the routes of a sealed App. */
export interface RouteLookup {
  find(method: string, path: string): RouteMatch | undefined;
  /** The WebSocket route of a path. */
  findSocket(path: string): RouteMatch | undefined;
  /** The scope of the innermost mounted App whose prefix matches the path. */
  findScope(path: string): Scope | undefined;
  /** The methods that a path has routes for. */
  allowed(path: string): string[];
  /** The methods of all routes. */
  methods(): string[];
  /** Whether an unmatched path is a directory of static files, for which the fallback page must not answer. */
  isStaticDirectory(path: string): boolean;
}

/** A route, and the texts of its parameters. */
export interface RouteMatch {
  readonly value: {
    readonly handler: RouteHandler;
    /** Set if the handler takes nothing but the value of the body. @internal */
    readonly bodyHandler: BodyHandler | undefined;
    readonly scope: Scope;
    readonly pattern: { readonly names: readonly string[]; readonly source: string };
    /** `file:line:column` of the registration. */
    readonly place: () => string;
    readonly description: { readonly handlerName: string } | undefined;
  };
  readonly params: readonly string[];
}

/** A route without parameters, for the server of a runtime that matches requests itself. */
export interface MatchedRoute extends RouteMatch {
  /** Of the request. */
  readonly method: string;
  /** The canonical path. */
  readonly path: string;
}

/** The final handler if no route matched. */
export function handleUnmatched(ctx: Context, routes: RouteLookup, scope: Scope): unknown {
  const { method, target } = ctx;
  if (method === 'OPTIONS' && target.path === '*' && target.refused === NO_PATH)
    return allowing(routes.methods());
  if (target.refused !== undefined) throw FwError.badRequest(target.refused);
  const allowed = allowedMethods(routes, method, target.path);
  if (method === 'OPTIONS' && allowed.length > 0) return allowing(allowed);
  if (allowed.length > 0) {
    const headers = { Allow: allowed.join(', ') };
    throw FwError.methodNotAllowed(`${method} is not allowed here; use ${headers.Allow}`, { headers });
  }
  const { singlePage } = scope;
  if (singlePage === undefined || (method !== 'GET' && method !== 'HEAD')) return notFound(ctx, scope);
  if (routes.isStaticDirectory(target.path)) return notFound(ctx, scope);
  return singlePage.answer(ctx, withoutPrefix(target.path, singlePage.depth), (depends) =>
    notFound(ctx, scope, depends ? { headers: { Vary: 'Accept' } } : {}),
  );
}

/** @throws FwError 426 if only a WebSocket handshake is answered there. */
function allowedMethods(routes: RouteLookup, method: string, path: string): string[] {
  const allowed = routes.allowed(path);
  if (routes.findSocket(path) === undefined) return allowed;
  if (method === 'GET' || method === 'HEAD') {
    // RFC 9110, section 15.5.22.
    const headers = { Upgrade: 'websocket', Connection: 'Upgrade' };
    throw FwError.upgradeRequired('this path is a WebSocket; connect with a WebSocket client', { headers });
  }
  return [...new Set([...allowed, 'GET', 'HEAD', 'OPTIONS'])].sort();
}

function notFound(ctx: Context, scope: Scope, options: FwErrorOptions = {}): unknown {
  if (scope.notFound === undefined) {
    throw FwError.notFound(`no route for ${ctx.method} ${ctx.target.path}`, options);
  }
  ctx.status(404);
  return scope.notFound(ctx);
}

/** The rest of a path after this number of segments. */
function withoutPrefix(path: string, segments: number): string {
  let start = 0;
  for (let i = 0; i < segments; i++) {
    start = path.indexOf('/', start + 1);
    if (start === -1) return '';
  }
  return path.slice(start + 1);
}

function allowing(methods: string[]): FwResponse {
  const response = new FwResponse('', 204, undefined);
  response.headers.set('Allow', methods.join(', '));
  return response;
}
