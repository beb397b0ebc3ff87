// Dispatch: route → middleware → handler → response. It always answers, whatever is thrown.

import { Context } from '../context/context.js';
import { Deadline } from '../context/deadline.js';
import type { FinalHandler } from '../context/handlers.js';
import type { Scope } from '../context/scope.js';
import { bodyTooLarge, declaresMore } from '../http/body-limit.js';
import type { RequestSource } from '../http/request-source.js';
import { readTarget, refusedTarget, type Target } from '../http/request-target.js';
import type { FwResponse } from '../http/response.js';
import { isPromise, toChainable } from '../promises.js';
import { isRecorded } from '../tracing/trace-channel.js';
import { answerFromBody } from './body-handler.js';
import { runChain } from './chain.js';
import { complete, type Deliver, fail, leaveBody } from './delivery.js';
import { reportFor } from './error-response.js';
import { runRecorded } from './recorded.js';
import { routeContext } from './route-context.js';
import { requestRules } from './to-response.js';
import { handleUnmatched, type MatchedRoute, type RouteLookup, type RouteMatch } from './unmatched.js';

/** The request handler of a sealed App; gives what `deliver` returned, as a promise if something was awaited. */
export type Handle = <Source extends RequestSource, Sent>(
  source: Source,
  deliver: Deliver<Source, Sent>,
  /** Set if the server has matched the request. */
  matched?: MatchedRoute,
) => Sent | Promise<Sent>;

/** Answers one request. Throws only what `deliver` throws. */
export function dispatch<Source extends RequestSource, Sent>(
  routes: RouteLookup,
  root: Scope,
  source: Source,
  deliver: Deliver<Source, Sent>,
  matched?: MatchedRoute,
): Sent | Promise<Sent> {
  const { refused } = source;
  if (matched !== undefined && refused === undefined) return runRoute(matched, matched, source, deliver);
  const target = refused === undefined ? readTarget(source.target) : refusedTarget(source.target, refused);
  const match = target.refused === undefined ? findRoute(routes, source, target.path) : undefined;
  if (match !== undefined) return runRoute(match, target, source, deliver);
  const scope = routes.findScope(target.path) ?? root;
  const ctx = new Context(source, target, scope, none, none);
  return run(ctx, (unmatched) => handleUnmatched(unmatched, routes, scope), source, deliver);
}

/** @param found the target, or the route whose path the server has matched */
function runRoute<Source extends RequestSource, Sent>(
  match: RouteMatch,
  found: Target | MatchedRoute,
  source: Source,
  deliver: Deliver<Source, Sent>,
): Sent | Promise<Sent> {
  const { scope, handler, bodyHandler } = match.value;
  if (bodyHandler !== undefined && !isRecorded())
    return answerFromBody(bodyHandler, match, found, source, deliver);
  const ctx = routeContext(match, found, source);
  const { maxBodySize } = scope.limits;
  const isTooLarge = maxBodySize !== undefined && declaresMore(source, maxBodySize);
  return run(ctx, isTooLarge ? () => throwTooLarge(maxBodySize) : handler, source, deliver, match.value);
}

const none: readonly string[] = [];

/** A path may have a WebSocket beside its other routes. */
function findRoute(routes: RouteLookup, source: RequestSource, path: string): RouteMatch | undefined {
  const socket = source.isUpgrade === true ? routes.findSocket(path) : undefined;
  return socket ?? routes.find(source.method, path);
}

/** Runs instead of the handler if the request body is too large. */
function throwTooLarge(maxBodySize: number): never {
  throw bodyTooLarge(maxBodySize);
}

/** @param route undefined if no route matched */
function run<Source extends RequestSource, Sent>(
  ctx: Context,
  handler: FinalHandler,
  source: Source,
  to: Deliver<Source, Sent>,
  route?: RouteMatch['value'],
): Sent | Promise<Sent> {
  const { maxBodySize, requestTimeoutMs } = ctx.scope.limits;
  const deliver = maxBodySize === undefined ? to : leavingBody(ctx, maxBodySize, to);
  if (requestTimeoutMs === undefined) return runToEnd(ctx, handler, source, deliver, route);
  return runInTime(ctx, handler, source, deliver, route, requestTimeoutMs);
}

/** Apart from `run`, whose variables would otherwise be kept in memory for the closures here at every request. */
function runInTime<Source extends RequestSource, Sent>(
  ctx: Context,
  handler: FinalHandler,
  source: Source,
  deliver: Deliver<Source, Sent>,
  route: RouteMatch['value'] | undefined,
  ms: number,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const inTime = withinTime(ctx, ms, source, (response) => {
      try {
        resolve(deliver(response, source));
      } catch (error) {
        reject(error);
      }
    });
    runToEnd(ctx, handler, source, inTime, route);
  });
}

function runToEnd<Source, Sent>(
  ctx: Context,
  handler: FinalHandler,
  source: Source,
  deliver: Deliver<Source, Sent>,
  route?: RouteMatch['value'],
): Sent | Promise<Sent> {
  const { steps } = ctx.scope;
  let result: unknown;
  try {
    if (isRecorded()) result = runRecorded(ctx, handler, route);
    // Stryker disable next-line ConditionalExpression: a chain without steps only settles the response once more
    else result = steps.length === 0 ? handler(ctx) : runChain(requestRules, ctx, steps, 0, handler);
  } catch (error) {
    return fail(ctx, error, source, deliver);
  }
  if (!isPromise(result)) return complete(ctx, result, source, deliver);
  return toChainable(result).then(
    (value) => complete(ctx, value, source, deliver),
    (error: unknown) => fail(ctx, error, source, deliver),
  );
}

/** Delivers the response, and stops reading a body over the limit, or of unknown size that nobody read. */
function leavingBody<Source extends RequestSource, Sent>(
  ctx: Context,
  maxBodySize: number,
  deliver: Deliver<Source, Sent>,
): Deliver<Source, Sent> {
  return (response, source) => {
    leaveBody(source, maxBodySize, ctx.req);
    return deliver(response, source);
  };
}

/** If the deadline expires first, the answer is 408, and what the chain returns afterwards is dropped. */
function withinTime(
  ctx: Context,
  ms: number,
  source: RequestSource,
  answer: (response: FwResponse) => void,
): (response: FwResponse) => void {
  const inTime = (response: FwResponse): void => {
    if (deadline.meet()) answer(response);
    else response.discard();
  };
  const deadline = new Deadline(source, ms, {
    leaveBehind: (error) => fail(ctx, error, source, inTime),
    failedLate: (error) => reportFor(ctx, error, 408),
  });
  ctx.deadline = deadline;
  return inTime;
}
