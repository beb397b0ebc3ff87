// Built-in middleware: one event when a request comes, one when its answer goes.
import type { Middleware } from '../chain.js';
import { isTraced, publishEvent } from '../tracing/event.js';
import { answered } from './answered.js';

/**
 * Publishes `--> GET /path` and `<-- GET /path 200 (1.2ms)` as events with the fields `method`, `path` and, for
 * the answer, `status` and `durationMs`. Prints nothing: subscribe with `fw/tracing`. Without a subscriber it
 * only passes on.
 */
export function logger(): Middleware {
  return function logger(ctx, next) {
    if (!isTraced()) return next();
    return (async () => {
      const { method, path } = ctx.req;
      const start = performance.now();
      publishEvent('info', `--> ${method} ${path}`, { method, path });
      const response = await answered(ctx, next);
      const durationMs = Math.round((performance.now() - start) * 1000) / 1000;
      const { status } = response;
      const fields = { method, path, status, durationMs };
      publishEvent('info', `<-- ${method} ${path} ${status} (${durationMs.toFixed(1)}ms)`, fields);
      return response;
    })();
  };
}
