// Built-in middleware: the `Server` field (RFC 9110, section 10.2.4).

import { ConfigError } from '../config-error.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/answered.js';
import { VERSION } from '../version.js';

/**
 * Adds `Server: <name>` to every response, or `Server: <name>/<version of fw>`.
 *
 * @throws ConfigError when the name has other characters than letters, digits, `-`, `.` and `_`.
 */
export function serverHeaders(name: string, showVersion: boolean): Middleware {
  if (!/^[\w.-]+$/.test(name)) {
    throw new ConfigError(
      'FW_OPTION',
      `invalid server name ${JSON.stringify(name)}: use letters, digits, '-', '.' and '_'`,
    );
  }
  const value = showVersion ? `${name}/${VERSION}` : name;
  return async function serverHeaders(ctx, next) {
    const response = await answered(ctx, next);
    response.headers.set('Server', value);
    return response;
  };
}
