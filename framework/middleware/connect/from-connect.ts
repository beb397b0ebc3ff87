// Interop: adapts middleware of Connect and Express.

import { ConfigError } from '../../config-error.js';
import type { Middleware } from '../../context/handlers.js';
import { kindOf } from '../../options/shown.js';

/** A middleware `(req, res, next)` of Connect, Express or a package for them. */
// biome-ignore lint/suspicious/noExplicitAny: packages type req and res by node:http, by Express, or by neither.
export type ConnectMiddleware = (req: any, res: any, next: (error?: unknown) => void) => unknown;

/**
 * Adapts a middleware that works on the header fields of requests and responses, or that answers itself, such as
 * helmet, morgan or basic authentication. Header fields that it sets are added to the response of the rest of the
 * chain if that does not have them; cookies are always added. `req` and `res` are replacements that work on every
 * runtime.
 *
 * Middleware that reads the request body or rewrites the response body cannot be adapted: its first request fails
 * with an error that names what it used.
 *
 * @throws ConfigError if it is not a function, or an error handler with four parameters.
 */
export function fromConnect(middleware: ConnectMiddleware): Middleware {
  if (typeof middleware !== 'function') {
    throw new ConfigError(
      'FW_MIDDLEWARE',
      `fromConnect takes a middleware (req, res, next), got ${kindOf(middleware)}`,
    );
  }
  const name = middleware.name === '' ? '(anonymous)' : `'${middleware.name}'`;
  if (middleware.length > 3) {
    throw new ConfigError(
      'FW_CONNECT_ERROR_HANDLER',
      `fromConnect takes a middleware (req, res, next); ${name} has ${middleware.length} parameters, like an error handler of Express: answer errors with app.onError()`,
    );
  }
  // The replacements of Node's classes are loaded at the first request.
  let loaded: typeof import('./run-connect.js') | undefined;
  const adapted: Middleware = async (ctx, next) => {
    loaded ??= await import('./run-connect.js');
    return loaded.runConnect(middleware, name, ctx, next);
  };
  const shown = middleware.name === '' ? 'fromConnect' : `fromConnect(${middleware.name})`;
  return Object.defineProperty(adapted, 'name', { value: shown });
}
