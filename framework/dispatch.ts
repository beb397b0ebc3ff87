// Dispatch: route → middleware → handler → response. Answers always, whatever is thrown on the way.

import { type Innermost, isPromise, runChain } from './chain.js';
import { Context, isFinalStatus } from './context.js';
import { Deadline } from './deadline.js';
import { errorResponse, reportFor } from './error-response.js';
import { FwError, type FwErrorOptions } from './errors.js';
import { readTarget, type Target } from './path.js';
import type { RequestSource } from './request-source.js';
import { FwResponse } from './response.js';
import type { RouteTable, Scope } from './routes.js';
import type { Settings } from './settings.js';
import { readChunks } from './streaming/chunks.js';
import { toResponse } from './to-response.js';
import { reportError } from './tracing/error-channel.js';

/** Where a server takes the response; called exactly once. */
export type Deliver = (response: FwResponse) => void;

/** The way of a request through a sealed App. */
export type Handle = (source: RequestSource, deliver: Deliver) => void;

/** Answers one request. Never throws. */
export function dispatch(table: RouteTable, root: Scope, source: RequestSource, deliver: Deliver): void {
  const target = source.refused === undefined ? readTarget(source.target) : refuse(source);
  const ctx = new Context(source, target);
  const match = target.refused === undefined ? table.find(source.method, target.path) : undefined;
  if (match === undefined) {
    const scope = table.findScope(target.path) ?? root;
    run(ctx, scope, source, (missed) => miss(missed, table, scope), deliver);
    return;
  }
  ctx.matched(match.value.pattern.names, match.params);
  run(
    ctx,
    match.value.scope,
    source,
    source.oversized === undefined ? match.value.handler : tooLarge(source),
    deliver,
  );
}

/** The same way, for requests that may come before the code of a setting is loaded. */
export function whenLoaded(settings: Settings, handle: Handle): Handle {
  return (source, deliver) => {
    if (settings.isLoaded) {
      handle(source, deliver);
      return;
    }
    settings.loaded().then(
      () => handle(source, deliver),
      (error: unknown) => {
        reportError({ error, status: 500, method: source.method, path: readTarget(source.target).path });
        deliver(errorResponse(error));
      },
    );
  };
}

/** In place of a handler whose request would be too large for it. */
function tooLarge({ oversized }: RequestSource): Innermost {
  return () => {
    throw oversized;
  };
}

function refuse(source: RequestSource): Target {
  return { path: source.target, search: '', refused: source.refused };
}

function run(ctx: Context, scope: Scope, source: RequestSource, innermost: Innermost, to: Deliver): void {
  ctx.scope = scope;
  const deliver = scope.settings.requestTimeoutMs === undefined ? to : withinTime(ctx, scope, source, to);
  const onValue = (value: unknown): void => {
    let response: FwResponse;
    try {
      response = finish(ctx, scope, ctx.settle(toResponse(value)));
    } catch (error) {
      fail(ctx, scope, error, deliver);
      return;
    }
    deliver(response);
  };
  let result: unknown;
  try {
    result = scope.steps.length === 0 ? innermost(ctx) : runChain(ctx, scope.steps, 0, innermost);
  } catch (error) {
    fail(ctx, scope, error, deliver);
    return;
  }
  if (isPromise(result)) result.then(onValue, (error: unknown) => fail(ctx, scope, error, deliver));
  else onValue(result);
}

/** Where the time is out first, the answer is a 408, and what the chain gives afterwards is dropped. */
function withinTime(ctx: Context, scope: Scope, source: RequestSource, deliver: Deliver): Deliver {
  const inTime: Deliver = (response) => {
    if (deadline.meet()) deliver(response);
    else if (response.isStream) readChunks(response.content as AsyncIterable<Uint8Array | string>).end();
  };
  const deadline = new Deadline(source, scope.settings.requestTimeoutMs as number, {
    leaveBehind: (error) => fail(ctx, scope, error, inTime),
    failedLate: (error) => reportFor(ctx, error, 408),
  });
  ctx.deadline = deadline;
  return inTime;
}

/** The last look at a response before a server writes it. */
function finish(ctx: Context, scope: Scope, response: FwResponse): FwResponse {
  const fault = faultOf(response);
  if (fault !== undefined) {
    const cause = response.error === undefined ? {} : { cause: response.error.thrown };
    return finish(ctx, scope, errorResponse(new Error(fault, cause)));
  }
  const { withheld } = response;
  response.stamps =
    withheld === undefined
      ? scope.stamps
      : scope.stamps.filter(([name]) => !withheld.has(name.toLowerCase()));
  if (response.error !== undefined) reportFor(ctx, response.error.thrown, response.status);
  return response;
}

/** Why a response cannot be sent, if so: later, nobody is left to answer in its place. */
function faultOf(response: FwResponse): string | undefined {
  if (!isFinalStatus(response.status)) return `${response.status} is no response status: use 200 to 599`;
  if (response.wasSent) return 'a response was returned for two requests; make a new one for each';
  if (response.isStream && (response.content as { locked?: boolean }).locked) {
    return 'the stream of a response has a reader already; return it unread';
  }
  return undefined;
}

function fail(ctx: Context, scope: Scope, error: unknown, deliver: Deliver): void {
  const response = errorResponse(error, ctx);
  if (response instanceof FwResponse) deliver(finish(ctx, scope, response));
  else response.then((late) => deliver(finish(ctx, scope, late)));
}

/** The innermost step where no route matched: 400, 404 or 405, and 204 for OPTIONS of a known path. */
function miss(ctx: Context, table: RouteTable, scope: Scope): unknown {
  const { method, target } = ctx;
  if (method === 'OPTIONS' && target.path === '*') return allowing(table.methods());
  if (target.refused !== undefined) throw FwError.badRequest(target.refused);
  const allowed = table.allowed(target.path);
  if (method === 'OPTIONS' && allowed.length > 0) return allowing(allowed);
  if (allowed.length > 0) {
    const headers = { Allow: allowed.join(', ') };
    throw FwError.methodNotAllowed(`${method} is not allowed here; use ${headers.Allow}`, { headers });
  }
  const { singlePage } = scope;
  if (singlePage === undefined || (method !== 'GET' && method !== 'HEAD')) return unmatched(ctx, scope);
  if (table.isStaticDirectory(target.path)) return unmatched(ctx, scope);
  return singlePage.answer(ctx, behind(target.path, singlePage.depth), (depends) =>
    unmatched(ctx, scope, depends ? { headers: { Vary: 'Accept' } } : {}),
  );
}

function unmatched(ctx: Context, { notFound }: Scope, options: FwErrorOptions = {}): unknown {
  if (notFound === undefined) {
    throw FwError.notFound(`no route for ${ctx.method} ${ctx.target.path}`, options);
  }
  ctx.status(404);
  return notFound(ctx);
}

/** What follows that many segments of a path. */
function behind(path: string, segments: number): string {
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
