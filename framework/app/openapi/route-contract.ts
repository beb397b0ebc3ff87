// OpenAPI: what the contract of `fw generate` knows about the routes of an App.
import { Contract } from '../../rpc/contract.js';
import type { RouteTypes } from '../../rpc/route-types.js';
import type { NamedTypes } from '../../rpc/types/wire-type.js';
import type { Route } from '../route-table.js';

export class RouteContract {
  readonly #contract: Contract | undefined;

  /**
   * @param contract the content of the file; undefined if there is none
   * @throws ConfigError if it is not a contract of this version
   */
  constructor(contract: unknown) {
    this.#contract = contract === undefined ? undefined : new Contract(contract);
  }

  /** The types that the answers refer to. */
  get named(): NamedTypes {
    return this.#contract?.named ?? {};
  }

  /**
   * An App knows its paths without the prefix that it is mounted under, except for a beginning that its type declares.
   *
   * @throws ConfigError if what the contract has is malformed
   */
  of({ method, pattern, description }: Route): RouteTypes | undefined {
    const contract = this.#contract;
    if (contract === undefined || description === undefined) return undefined;
    const { path } = description;
    for (const known of endsOf(pattern.source)) {
      const found = contract.route(`${method} ${known}`);
      if (found !== undefined && joined(found.prefix ?? '', path) === known) return found;
    }
    // The route `/` of an App that is mounted somewhere.
    const root = path === '/' ? contract.route(`${method} /`) : undefined;
    return root?.prefix === undefined ? root : undefined;
  }
}

/** `/api/users/:id`, `/users/:id` and `/:id`. */
function endsOf(path: string): string[] {
  return [...path.matchAll(/\//g)].map(({ index }) => path.slice(index));
}

function joined(prefix: string, path: string): string {
  return path === '/' && prefix !== '' ? prefix : prefix + path;
}
