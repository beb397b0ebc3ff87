// RPC: collects everything that is wrong with the types of a registry, to report it at once.
import { ConfigError } from '../../config-error.js';
import type { Procedure } from '../procedure/procedure.js';

/** One fault of a type, and the place where the procedure is registered. */
export interface TypeFault {
  readonly message: string;
  /** `file:line:column`; undefined for a fault that does not belong to a procedure. */
  readonly place: string | undefined;
}

/** One fault of a type; it is collected into a `TypeFaultsError`, which has all of them. */
export class TypeFaultError extends ConfigError {
  constructor(message: string, options?: ErrorOptions) {
    super('FW_RPC_TYPE', message, options);
  }
}

/** Faults of types. The message has every fault with its place; `fw generate` shows each in its source. */
class TypeFaultsError extends ConfigError {
  readonly faults: readonly TypeFault[];

  constructor(faults: readonly TypeFault[], texts: readonly string[]) {
    const [only = ''] = texts;
    super(
      'FW_RPC_TYPE',
      texts.length === 1 ? only : `${texts.length} types of procedures are wrong:\n- ${texts.join('\n- ')}`,
    );
    this.faults = faults;
  }
}

/** Collects faults, so that all of them are found. */
export class TypeFaultCollector {
  readonly #faults: TypeFault[] = [];
  readonly #texts: string[] = [];

  /** The result of the step; undefined if it throws a `TypeFaultError`, which is recorded. */
  collect<Result>(procedure: Procedure | undefined, step: () => Result): Result | undefined {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof TypeFaultError)) throw error;
      const { message } = error;
      this.#faults.push({ message, place: procedure?.place() });
      this.#texts.push(procedure === undefined ? message : message + registered(procedure));
      return undefined;
    }
  }

  /** @throws TypeFaultsError if a fault was recorded */
  throwFound(): void {
    if (this.#faults.length > 0) throw new TypeFaultsError(this.#faults, this.#texts);
  }
}

/** The end of a message about a procedure. */
export function registered({ name, place }: Procedure): string {
  return `; '${name}' is registered at ${place()}`;
}
