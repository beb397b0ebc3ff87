// Members of the specification's notation that are written differently here: using one says how.
import { ConfigError } from '../config-error.js';

/**
 * Adds members that only throw. They are not in the types, so that the compiler refuses them too.
 *
 * @param names how each is written here, such as `{ Global: 'RateLimitKey.global' }`.
 */
export function addRenamed(owner: object, who: string, names: Readonly<Record<string, string>>): void {
  for (const [name, here] of Object.entries(names)) {
    Object.defineProperty(owner, name, {
      get(): never {
        throw new ConfigError('FW_OPTION_UNKNOWN', `there is no ${who}.${name}; write ${here}`);
      },
    });
  }
}
