// OpenAPI: the security schemes of a document.
import type { SecurityScheme, SecuritySchemes } from '../../extract/description.js';
import { openApiError } from './openapi-error.js';

export class SecurityCollector {
  readonly #schemes = new Map<string, SecurityScheme>();

  /**
   * The names of the schemes, which the document has from now on.
   *
   * @throws ConfigError when a different scheme has one of the names.
   */
  add(user: string, schemes: SecuritySchemes): readonly string[] {
    for (const [name, scheme] of Object.entries(schemes)) {
      const present = this.#schemes.get(name);
      if (present !== undefined && textOf(present) !== textOf(scheme)) {
        throw openApiError(
          `another security scheme is already named '${name}', which ${user} requires; rename one`,
        );
      }
      this.#schemes.set(name, scheme);
    }
    return Object.keys(schemes);
  }

  all(): Iterable<readonly [string, SecurityScheme]> {
    return this.#schemes;
  }
}

function textOf(scheme: SecurityScheme): string {
  return JSON.stringify(Object.entries(scheme).sort(([a], [b]) => (a < b ? -1 : 1)));
}
