// Built-in middleware: `X-Powered-By`. `new App()` has it already; this one is for `App.withoutDefaults()`.
import type { Middleware } from '../chain.js';
import { answered } from './answered.js';

/** Adds `X-Powered-By: fw` to every response, errors included. */
export function poweredBy(): Middleware {
  return async function poweredBy(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('X-Powered-By', 'fw');
    return response;
  };
}
