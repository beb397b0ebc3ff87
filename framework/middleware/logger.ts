// Built-in middleware: publishes one event for each request and one for its response.

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { isTraced, publishEvent } from '../tracing/event.js';

/**
 * Publishes the events `--> GET /path` and `<-- GET /path 200 (1.2ms)` with the fields `method`, `path` and, for the
 * response, `status` and `durationMs`. It prints nothing itself: subscribe to the events with `fw/tracing`. Without
 * a subscriber it only calls `next()`.
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
