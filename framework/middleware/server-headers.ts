// Built-in middleware: the `Server` field (RFC 9110, section 10.2.4).

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { checkValue, refuseMore } from '../options/check.js';
import { flag, matching } from '../options/rules.js';
import { VERSION } from '../version.js';

const NAME = matching(/^[\w.-]+$/, "letters, digits, '-', '.' and '_'");

/**
 * Adds `Server: <name>` to every response, or `Server: <name>/<version of fw>`.
 *
 * @throws ConfigError if the name has other characters than letters, digits, `-`, `.` and `_`.
 */
export function serverHeaders(name: string, showVersion: boolean): Middleware {
  checkValue('serverHeaders', 'the name', name, NAME);
  checkValue('serverHeaders', 'showVersion', showVersion, flag);
  const value = showVersion ? `${name}/${VERSION}` : name;
  return async function serverHeaders(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('Server', value);
    return response;
  };
}

/** Adds `X-Powered-By: fw` to every response, errors included. */
export function poweredBy(): Middleware;
export function poweredBy(...none: readonly never[]): Middleware {
  refuseMore('poweredBy', none, 'write app.use(poweredBy())');
  return async function poweredBy(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('X-Powered-By', 'fw');
    return response;
  };
}
