// RPC: everything that is wrong with the types of a registry, told at once.
import type { Procedure } from './procedure.js';

/** One thing that is wrong, and where the procedure is registered that has it. */
export interface TypeFault {
  readonly message: string;
  /** `file:line:column`; undefined for what belongs to no procedure. */
  readonly place: string | undefined;
}

/** One thing that is wrong with a type; a `TypeFaultsError` follows, which has all of them. */
export class TypeFaultError extends Error {}

/** Types that cannot be told. The message has every fault with its place; `fw generate` shows each in its source. */
class TypeFaultsError extends Error {
  readonly faults: readonly TypeFault[];

  constructor(faults: readonly TypeFault[], texts: readonly string[]) {
    const [only = ''] = texts;
    super(
      texts.length === 1 ? only : `${texts.length} types of procedures are wrong:\n- ${texts.join('\n- ')}`,
    );
    this.name = 'Error';
    this.faults = faults;
  }
}

/** Goes on after a fault, so that all of them are found. */
export class TypeFaultCollector {
  readonly #faults: TypeFault[] = [];
  readonly #texts: string[] = [];

  /** What the step gives; undefined where it throws a `TypeFaultError`, which is kept. */
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

  /** @throws TypeFaultsError where something was wrong. */
  throwFound(): void {
    if (this.#faults.length > 0) throw new TypeFaultsError(this.#faults, this.#texts);
  }
}

/** The end of a message about a procedure. */
export function registered({ name, place }: Procedure): string {
  return `; '${name}' is registered at ${place()}`;
}
