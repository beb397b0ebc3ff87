// Transactions: ends one with the outcome of what runs in it, and with the request's abort.
import { FwResponse } from '../http/response.js';

/** Whether a transaction may still be used: set on its connection, and asked before each statement. */
export class TransactionGuard {
  readonly #signal: AbortSignal;
  #isOver = false;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  end(): void {
    this.#isOver = true;
  }

  /** @throws Error if the transaction has ended, or the reason for which the request was aborted. */
  check(): void {
    this.#signal.throwIfAborted();
    if (this.#isOver) throw new Error('the transaction has ended; await every query before it does');
  }
}

/** Thrown inside of a transaction to roll it back without failing. */
class RolledBack {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

export interface TransactionSteps<Trx> {
  /** Commits if `inside` resolves, and rolls back if it rejects. */
  begin(inside: (trx: Trx) => Promise<unknown>): Promise<unknown>;
  /** Makes the transaction ask the guard before each statement. */
  guard(trx: Trx, guard: TransactionGuard): Promise<void> | void;
}

/**
 * Runs `work` in a transaction, and commits if it resolves to a success before the signal aborts. It rejects when
 * the connection is free again, or at once if it still waits for one.
 */
export function runTransaction<Trx, Result>(
  signal: AbortSignal,
  { begin, guard: setGuard }: TransactionSteps<Trx>,
  work: (trx: Trx) => Promise<Result> | Result,
  isSuccess: (result: Result) => boolean = () => true,
): Promise<Result> {
  const guard = new TransactionGuard(signal);
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stopWaiting = () => reject(signal.reason);
    signal.addEventListener('abort', stopWaiting, { once: true });
    const inside = async (trx: Trx): Promise<Result> => {
      signal.removeEventListener('abort', stopWaiting);
      try {
        await setGuard(trx, guard);
        guard.check();
        const result = await untilAbort(signal, () => work(trx));
        if (!isSuccess(result)) throw new RolledBack(result);
        return result;
      } finally {
        guard.end();
      }
    };
    begin(inside as (trx: Trx) => Promise<unknown>)
      .then(resolve as (result: unknown) => void, (error: unknown) => {
        if (error instanceof RolledBack) resolve(error.result as Result);
        else reject(error as Error);
      })
      .finally(() => signal.removeEventListener('abort', stopWaiting));
  });
}

/** Rejects when the signal aborts, also if the work waits for something else than the database. */
function untilAbort<Result>(signal: AbortSignal, work: () => Promise<Result> | Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve()
      .then(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Routes answer with a response, procedures with the plain result. An error that is returned counts as thrown. */
export function isSuccess(result: unknown): boolean {
  if (result instanceof FwResponse) return result.status < 400;
  return !(result instanceof Error);
}
