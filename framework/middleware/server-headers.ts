// Built-in middleware: the `Server` field (RFC 9110, section 10.2.4).
import type { Middleware } from '../chain.js';
import { VERSION } from '../version.js';
import { answered } from './answered.js';

/**
 * Adds `Server: <name>` to every response, or `Server: <name>/<version of fw>`.
 *
 * @throws Error when the name is no product token (letters, digits, `-`, `.`, `_`).
 */
export function serverHeaders(name: string, showVersion: boolean): Middleware {
  if (!/^[\w.-]+$/.test(name)) {
    throw new Error(`invalid server name ${JSON.stringify(name)}: use letters, digits, '-', '.' and '_'`);
  }
  const value = showVersion ? `${name}/${VERSION}` : name;
  return async function serverHeaders(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('Server', value);
    return response;
  };
}
