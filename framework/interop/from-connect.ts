// Interop: middleware of Connect and Express as a step of the chain.
import type { Middleware } from '../chain.js';

/** `(req, res, next)`, as Connect, Express and many packages for them have it. */
// biome-ignore lint/suspicious/noExplicitAny: packages type req and res by node:http, by Express, or by neither.
export type ConnectMiddleware = (req: any, res: any, next: (error?: unknown) => void) => unknown;

/**
 * Adapts a middleware that works on the head of requests and answers, or answers itself: helmet, morgan, basic
 * authentication. Header fields that it sets are put on the answer of the rest, where that lacks them; cookies are
 * added. It works alike on every runtime, with stand-ins for `req` and `res`.
 *
 * One that reads the request's body or rewrites the answer's cannot be adapted, and is refused at the first
 * request: use what fw has in its place.
 *
 * @throws Error when it is no function, or an error handler with four parameters.
 */
export function fromConnect(middleware: ConnectMiddleware): Middleware {
  if (typeof middleware !== 'function') {
    throw new Error(`fromConnect takes a middleware (req, res, next), got ${describe(middleware)}`);
  }
  const name = middleware.name === '' ? '(anonymous)' : `'${middleware.name}'`;
  if (middleware.length > 3) {
    throw new Error(
      `fromConnect takes a middleware (req, res, next); ${name} has ${middleware.length} parameters, like an error handler of Express: answer errors by app.onError()`,
    );
  }
  // What stands in for Node's classes is loaded with the first request.
  let loaded: typeof import('./run-connect.js') | undefined;
  return async function fromConnect(ctx, next) {
    loaded ??= await import('./run-connect.js');
    return loaded.runConnect(middleware, name, ctx, next);
  };
}

function describe(value: unknown): string {
  return value === null ? 'null' : `a value of type ${typeof value}`;
}
