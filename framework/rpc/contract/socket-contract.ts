// RPC: the checks of the events that sockets receive, from the types that `fw generate` inferred.

import { type CheckResult, compileCheck } from '../../wire/check/check.js';
import { Contract } from './contract.js';
import { knownPath } from './known-path.js';

/** Returns a copy of the data without the keys that its type does not have, or at most 20 issues. */
export type ContractEventCheck = (data: unknown) => CheckResult;

/** The sockets of a contract file. */
export class SocketContract {
  readonly #contract: Contract;

  /** @throws ConfigError if it is not a contract of this version */
  constructor(contract: unknown) {
    this.#contract = contract instanceof Contract ? contract : new Contract(contract);
  }

  /**
   * The checks of what a socket receives, by event; undefined if the contract has none for it. Its types are parsed
   * now, so that a fault in the file is found before the first event.
   *
   * @param whole the path as the outermost App knows it
   * @param own the path as it was registered
   * @throws ConfigError if what the contract has of it is malformed
   */
  checks(whole: string, own: string = whole): ReadonlyMap<string, ContractEventCheck> | undefined {
    const { receives } = knownPath(whole, own, (path) => this.#contract.socket(path)) ?? {};
    if (receives === undefined) return undefined;
    return new Map(
      Object.entries(receives).map(([event, type]) => {
        let check: ContractEventCheck | undefined;
        return [
          event,
          (data: unknown) => {
            check ??= compileCheck(type, this.#contract.named);
            return check(data);
          },
        ];
      }),
    );
  }
}
