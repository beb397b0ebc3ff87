// OpenAPI: the security schemes of a document, and which of them an operation requires.
import type { ExtractorDescription, SecurityScheme, SecuritySchemes } from '../extract/description.js';
import { openApiError } from './openapi-error.js';
import type { OpenApiOperation } from './openapi-spec.js';

export class SecurityCollector {
  readonly #schemes = new Map<string, SecurityScheme>();

  /**
   * The names of the schemes, which the document has from now on.
   *
   * @throws ConfigError if a different scheme has one of the names.
   */
  add(user: string, schemes: SecuritySchemes): readonly string[] {
    for (const [name, scheme] of Object.entries(schemes)) {
      const present = this.#schemes.get(name);
      if (present !== undefined && textOf(present) !== textOf(scheme)) {
        throw openApiError(
          'FW_OPENAPI_SECURITY_TWICE',
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

/** The alternatives that a description names, of which the client satisfies one. */
export function alternativesOf(security: ExtractorDescription['security']): readonly SecuritySchemes[] {
  if (security === undefined) return [];
  return Array.isArray(security) ? security : [security as SecuritySchemes];
}

/**
 * The alternatives of an operation: one of each group, with those that all operations require. Undefined if there are
 * no groups, so that the requirement of the document applies.
 */
export function securityOf(
  user: string,
  groups: readonly (readonly SecuritySchemes[])[],
  common: SecuritySchemes,
  schemes: SecurityCollector,
): OpenApiOperation['security'] {
  const given = groups.filter(({ length }) => length > 0);
  if (given.length === 0) return undefined;
  const named = given.map((group) => group.map((one) => schemes.add(user, one)));
  const all = named.reduce<(readonly string[])[]>(
    (found, group) => found.flatMap((names) => group.map((more) => [...names, ...more])),
    [Object.keys(common)],
  );
  const unique = new Map(all.map((names) => [[...new Set(names)].sort().join(' '), new Set(names)]));
  return [...unique.values()].map((names) => Object.fromEntries([...names].map((one) => [one, []])));
}

function textOf(scheme: SecurityScheme): string {
  return JSON.stringify(Object.entries(scheme).sort(([a], [b]) => (a < b ? -1 : 1)));
}
