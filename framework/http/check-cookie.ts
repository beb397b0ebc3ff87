// Cookies of parts such as sessions: their names and attributes are checked when the part is made.
import { ConfigError } from '../config-error.js';

/** What `make` returns. @throws ConfigError if the name or an attribute of the cookie is not allowed */
export function checkCookie(who: string, make: () => string): string {
  try {
    return make();
  } catch (error) {
    throw new ConfigError('FW_COOKIE', `${who}: ${(error as Error).message}`);
  }
}
