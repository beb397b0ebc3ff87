// OpenAPI: what the contract of `fw generate` knows about the routes of an App.

import type { Route } from '../../app/routes/route-table.js';
import { Contract } from '../../rpc/contract/contract.js';
import { knownPath } from '../../rpc/contract/known-path.js';
import type { RouteTypes, SocketTypes } from '../../rpc/contract/route-types.js';
import type { NamedTypes } from '../../wire/wire-type.js';

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

  /** @throws ConfigError if what the contract has is malformed */
  of({ method, pattern, description }: Route): RouteTypes | undefined {
    const contract = this.#contract;
    if (contract === undefined || description === undefined) return undefined;
    return knownPath(pattern.source, description.path, (path) => contract.route(`${method} ${path}`));
  }

  /** The same of a socket. @throws ConfigError if what the contract has is malformed */
  ofSocket({ pattern, description }: Route): SocketTypes | undefined {
    const contract = this.#contract;
    if (contract === undefined || description === undefined) return undefined;
    return knownPath(pattern.source, description.path, (path) => contract.socket(path));
  }
}
