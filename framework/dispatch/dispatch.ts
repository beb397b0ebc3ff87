// Dispatch: route → middleware → handler → response. It always answers, whatever is thrown.

import { Context } from '../context/context.js';
import { Deadline } from '../context/deadline.js';
import type { FinalHandler } from '../context/handlers.js';
import type { Scope } from '../context/scope.js';
import { bodyTooLarge, declaresMore } from '../http/body-limit.js';
import type { RequestSource } from '../http/request-source.js';
import { readTarget, type Target } from '../http/request-target.js';
import { type DefaultHeader, FwResponse } from '../http/response.js';
import { isFinalStatus } from '../http/status.js';
import { isPromise } from '../promises.js';
import { inSpan } from '../tracing/span.js';
import { isRecorded } from '../tracing/trace-channel.js';
import { runChain } from './chain.js';
import { errorResponse, reportFor } from './error-response.js';
import { runRecorded } from './recorded.js';
import { requestRules, settle } from './to-response.js';
import { handleUnmatched, type RouteLookup, type RouteMatch } from './unmatched.js';

/** Passes the response to a server; called exactly once. */
export type Deliver = (response: FwResponse) => void;

/** The request handler of a sealed App. */
export type Handle = (source: RequestSource, deliver: Deliver) => void;

/** Answers one request. Never throws. */
export function dispatch(routes: RouteLookup, root: Scope, source: RequestSource, deliver: Deliver): void {
  const target = source.refused === undefined ? readTarget(source.target) : refusedTarget(source);
  const match = target.refused === undefined ? findRoute(routes, source, target.path) : undefined;
  if (match === undefined) {
    const scope = routes.findScope(target.path) ?? root;
    const ctx = new Context(source, target, scope, none, none);
    run(ctx, (unmatched) => handleUnmatched(unmatched, routes, scope), source, deliver);
    return;
  }
  const { scope, handler, pattern } = match.value;
  const ctx = new Context(source, target, scope, pattern.names, match.params);
  ctx.pattern = pattern.source;
  const { maxBodySize } = scope.settings;
  const isTooLarge = maxBodySize !== undefined && declaresMore(source, maxBodySize);
  run(ctx, isTooLarge ? () => throwTooLarge(maxBodySize) : handler, source, deliver, match.value);
}

const none: readonly string[] = [];

/** A path may have a WebSocket beside its other routes. */
function findRoute(routes: RouteLookup, source: RequestSource, path: string): RouteMatch | undefined {
  const socket = source.isUpgrade === true ? routes.findSocket(path) : undefined;
  return socket ?? routes.find(source.method, path);
}

function refusedTarget(source: RequestSource): Target {
  return { path: source.target, search: '', refused: source.refused };
}

/** Runs instead of the handler if the request body is too large. */
function throwTooLarge(maxBodySize: number): never {
  throw bodyTooLarge(maxBodySize);
}

/** @param route undefined if no route matched */
function run(
  ctx: Context,
  handler: FinalHandler,
  source: RequestSource,
  to: Deliver,
  route?: RouteMatch['value'],
): void {
  const { steps, settings } = ctx.scope;
  const { maxBodySize, requestTimeoutMs } = settings;
  const unlimited = maxBodySize === undefined ? to : leavingBody(ctx, maxBodySize, to);
  const deliver =
    requestTimeoutMs === undefined ? unlimited : withinTime(ctx, requestTimeoutMs, source, unlimited);
  let result: unknown;
  try {
    if (isRecorded()) result = runRecorded(ctx, handler, route);
    // Stryker disable next-line ConditionalExpression: a chain without steps only settles the response once more
    else result = steps.length === 0 ? handler(ctx) : runChain(requestRules, ctx, steps, 0, handler);
  } catch (error) {
    fail(ctx, error, deliver);
    return;
  }
  if (!isPromise(result)) {
    complete(ctx, result, deliver);
    return;
  }
  result.then(
    (value) => complete(ctx, value, deliver),
    (error: unknown) => fail(ctx, error, deliver),
  );
}

/** Makes and delivers the response of the value that the chain has returned. */
function complete(ctx: Context, value: unknown, deliver: Deliver): void {
  let response: FwResponse;
  try {
    response = finish(ctx, settle(ctx, value));
  } catch (error) {
    fail(ctx, error, deliver);
    return;
  }
  deliver(response);
}

/** Delivers the response, and stops reading a body that must not be read further. */
function leavingBody(ctx: Context, maxBodySize: number, deliver: Deliver): Deliver {
  return (response) => {
    ctx.abandonIfUnread(maxBodySize);
    deliver(response);
  };
}

/** If the deadline expires first, the answer is 408, and what the chain returns afterwards is dropped. */
function withinTime(ctx: Context, ms: number, source: RequestSource, deliver: Deliver): Deliver {
  const inTime: Deliver = (response) => {
    if (deadline.meet()) deliver(response);
    else response.discard();
  };
  const deadline = new Deadline(source, ms, {
    leaveBehind: (error) => fail(ctx, error, inTime),
    failedLate: (error) => reportFor(ctx, error, 408),
  });
  ctx.deadline = deadline;
  return inTime;
}

/** The last check of a response before a server writes it. */
function finish(ctx: Context, response: FwResponse): FwResponse {
  const fault = faultOf(response);
  if (fault !== undefined) {
    const cause = response.error === undefined ? {} : { cause: response.error.thrown };
    return finish(ctx, errorResponse(new Error(fault, cause)));
  }
  response.defaultHeaders = defaultsFor(response, ctx.scope.defaultHeaders);
  if (response.error !== undefined) {
    const { thrown, span } = response.error;
    inSpan(span, () => reportFor(ctx, thrown, response.status));
  }
  return response;
}

/** The App's default fields that the response does not set itself and that are not withheld. */
function defaultsFor(response: FwResponse, defaults: readonly DefaultHeader[]): readonly DefaultHeader[] {
  const { withheld } = response;
  // Most responses have only a Content-Type: servers recognize the unchanged defaults and use a prepared head.
  if (withheld === undefined && response.onlyContentType !== undefined) return defaults;
  const isMissing = ([name]: DefaultHeader) =>
    !response.headers.has(name) && withheld?.has(name.toLowerCase()) !== true;
  return defaults.every(isMissing) ? defaults : defaults.filter(isMissing);
}

/** Why a response cannot be sent, if so. Checked here, because a server cannot answer with an error instead. */
function faultOf(response: FwResponse): string | undefined {
  if (response.switchProtocol !== undefined) {
    return response.status === 101 ? undefined : 'the status of a WebSocket handshake cannot be changed';
  }
  if (!isFinalStatus(response.status)) return `${response.status} is not a response status: use 200 to 599`;
  if (response.wasSent) return 'a response was returned for two requests; make a new one for each';
  if ((response.stream as { locked?: boolean } | undefined)?.locked) {
    return 'the stream of a response is already being read; return it unread';
  }
  return undefined;
}

function fail(ctx: Context, error: unknown, deliver: Deliver): void {
  const response = errorResponse(error, ctx);
  if (response instanceof FwResponse) deliver(finish(ctx, response));
  else response.then((late) => deliver(finish(ctx, late)));
}
