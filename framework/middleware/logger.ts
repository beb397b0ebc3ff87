// Built-in middleware: publishes one event for each request and one for its response.

import { callsOf } from '../context/called.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { refuseMore } from '../options/check.js';
import { isTraced, publishEvent } from '../tracing/event.js';
import type { CalledProcedure } from '../tracing/trace-channel.js';

/**
 * Publishes the events `--> GET /path` and `<-- GET /path 200 (1.2ms)` with the fields `method`, `path` and, for the
 * response, `status` and `durationMs`. A response of RPC has the procedure and its outcome too, as in
 * `<-- POST /rpc buy outOfStock 200 (1.2ms)`: the fields `procedure` and `outcome`, or `calls` for a batch. The outcome is
 * `ok`, the name of the declared error, or the code of another error of JSON-RPC. It prints nothing itself: subscribe to the events with `fw/tracing`. Without
 * a subscriber it only calls `next()`.
 */
export function logger(): Middleware;
export function logger(...none: readonly never[]): Middleware {
  refuseMore('logger', none, 'write app.use(logger()); what is logged where, subscribers of fw/tracing say');
  return function logger(ctx, next) {
    if (!isTraced()) return next();
    return (async () => {
      const { method, path } = ctx.req;
      const start = performance.now();
      publishEvent('info', `--> ${method} ${path}`, { method, path });
      const response = await answered(ctx, next);
      const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
      const { status } = response;
      const calls = callsOf(ctx);
      const fields = { method, path, ...fieldsOf(calls), status, durationMs };
      const what = [method, path, ...textsOf(calls), status].join(' ');
      publishEvent('info', `<-- ${what} (${durationMs.toFixed(1)}ms)`, fields);
      return response;
    })();
  };
}

/** More calls of a batch are counted. */
const MOST_SHOWN = 5;

function textsOf(calls: readonly CalledProcedure[]): string[] {
  const texts = calls.slice(0, MOST_SHOWN).map(({ procedure, outcome }) => `${procedure || '?'} ${outcome}`);
  const more = calls.length - texts.length;
  const all = texts.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return all === '' ? [] : [all];
}

/** The names of a single call are fields of their own, which people search for. */
function fieldsOf(calls: readonly CalledProcedure[]): object {
  const [first, second] = calls;
  if (first === undefined) return {};
  if (second !== undefined) return { calls: calls.map(({ procedure, outcome }) => ({ procedure, outcome })) };
  return { procedure: first.procedure, outcome: first.outcome };
}
