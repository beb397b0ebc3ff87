// Dispatch: route → middleware → handler → response. Answers always, whatever is thrown on the way.
import { Context, isFinalStatus } from './context.js';
import { errorResponse, FwError } from './errors.js';
import { type Innermost, isPromise, runChain } from './middleware.js';
import { readTarget, type Target } from './path.js';
import type { RequestSource } from './request-source.js';
import { FwResponse } from './response.js';
import type { Route, RouteTable, Scope } from './routes.js';
import { toResponse } from './to-response.js';
import { reportError } from './tracing/error-channel.js';

/** Answers one request. Never throws and never rejects. */
export function dispatch(
  table: RouteTable,
  root: Scope,
  source: RequestSource,
): FwResponse | Promise<FwResponse> {
  const target = source.refused === undefined ? readTarget(source.target) : refuse(source);
  const ctx = new Context(source, target);
  const match = target.refused === undefined ? table.find(source.method, target.path) : undefined;
  if (match === undefined) return run(ctx, missScope(table, root, target.path), missed(table, root));
  const route = match.value;
  ctx.matched(route.pattern.names, match.params);
  return run(ctx, route.scope, handled(route));
}

function refuse(source: RequestSource): Target {
  return { path: source.target, search: '', refused: source.refused };
}

/** The innermost step of a route. */
function handled({ handler }: Route): Innermost {
  return (ctx) => {
    const result = handler(ctx);
    if (result instanceof FwResponse) return ctx.settle(result);
    if (isPromise(result)) return result.then((value) => ctx.settle(toResponse(value)));
    return ctx.settle(toResponse(result));
  };
}

function run(ctx: Context, scope: Scope, innermost: Innermost): FwResponse | Promise<FwResponse> {
  try {
    const result = scope.steps.length === 0 ? innermost(ctx) : runChain(ctx, scope.steps, 0, innermost);
    if (result instanceof FwResponse) return finish(ctx, scope, result);
    return result.then(
      (response) => finish(ctx, scope, response),
      (error) => fail(ctx, scope, error),
    );
  } catch (error) {
    return fail(ctx, scope, error);
  }
}

/** The last look at a response before a server writes it. */
function finish(ctx: Context, scope: Scope, response: FwResponse): FwResponse {
  if (!isFinalStatus(response.status)) {
    const invalid = new Error(`${response.status} is no response status: use 200 to 599`);
    return finish(ctx, scope, errorResponse(invalid));
  }
  response.stamps = scope.stamps;
  if (response.error !== undefined) {
    const { method, target } = ctx;
    reportError({ error: response.error.thrown, status: response.status, method, path: target.path });
  }
  return response;
}

function fail(ctx: Context, scope: Scope, error: unknown): FwResponse | Promise<FwResponse> {
  const response = answerError(ctx, scope, error);
  return response instanceof FwResponse
    ? finish(ctx, scope, response)
    : response.then((settled) => finish(ctx, scope, settled));
}

/** The application's `onError`, else the wire form. An `onError` that fails is itself answered and reported. */
export function answerError(ctx: Context, scope: Scope, error: unknown): FwResponse | Promise<FwResponse> {
  if (scope.onError === undefined) return errorResponse(error);
  const answered = (value: unknown): FwResponse => {
    const response = toResponse(value);
    response.error ??= { thrown: error };
    return ctx.settle(response);
  };
  try {
    const result = scope.onError(error, ctx);
    return isPromise(result) ? result.then(answered).catch(errorResponse) : answered(result);
  } catch (second) {
    return errorResponse(second);
  }
}

function missScope(table: RouteTable, root: Scope, path: string): Scope {
  return table.findScope(path) ?? root;
}

/** The innermost step where no route matched: 400, 404 or 405, and 204 for OPTIONS of a known path. */
function missed(table: RouteTable, root: Scope): Innermost {
  return (ctx) => {
    const { method, target } = ctx;
    if (method === 'OPTIONS' && target.path === '*') return allowing(table.methods());
    if (target.refused !== undefined) throw FwError.badRequest(target.refused);
    const allowed = table.allowed(target.path);
    if (method === 'OPTIONS' && allowed.length > 0) return allowing(allowed);
    if (allowed.length > 0) {
      const headers = { Allow: allowed.join(', ') };
      throw FwError.methodNotAllowed(`${method} is not allowed here; use ${headers.Allow}`, { headers });
    }
    const notFound = missScope(table, root, target.path).notFound;
    if (notFound === undefined) throw FwError.notFound(`no route for ${method} ${target.path}`);
    ctx.status(404);
    const result = notFound(ctx);
    if (isPromise(result)) return result.then((value) => ctx.settle(toResponse(value)));
    return ctx.settle(toResponse(result));
  };
}

function allowing(methods: string[]): FwResponse {
  const response = new FwResponse('', 204, undefined);
  response.headers.set('Allow', methods.join(', '));
  return response;
}
