// Built-in middleware: `X-Powered-By`, for `App.withoutDefaults()`; `new App()` adds the field itself.

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/answered.js';

/** Adds `X-Powered-By: fw` to every response, errors included. */
export function poweredBy(): Middleware {
  return async function poweredBy(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('X-Powered-By', 'fw');
    return response;
  };
}
