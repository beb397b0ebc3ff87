// Transactions: ends one with the outcome of what runs in it, and with the request's abort.
import { AsyncLocalStorage } from 'node:async_hooks';
import { FwResponse } from '../http/response.js';
import { callback, type Rule } from '../options/rules.js';

/** Runs another statement on the connection of a transaction, and gives its rows. */
export type Ask = (sql: string) => Promise<readonly unknown[]>;

/** Whether a transaction may still be used: set on its connection, and asked before each statement. */
export class TransactionGuard {
  readonly #signal: AbortSignal;
  #isOver = false;
  #failure: unknown = undefined;
  /** The failure with which the server has rolled back everything, if it did. */
  #lost: unknown = undefined;
  #turn: Promise<void> = Promise.resolve();
  readonly #open = new Set<() => void>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
    for (const close of this.#open) close();
  }

  /**
   * Closes something when the transaction ends, such as rows that nobody reads any more: the server could not roll back.
   *
   * @returns what forgets it
   */
  closes(close: () => void): () => void {
    this.#open.add(close);
    return () => void this.#open.delete(close);
  }

  /** Runs a statement, and notes its failure, which `work` may catch. */
  async noting<Result>(run: () => PromiseLike<Result>, ask: Ask): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      await this.failed(error, ask);
      throw error;
    }
  }

  /** A statement has failed. */
  async failed(error: unknown, ask: Ask): Promise<void> {
    this.#failure = error;
    if (await hasRolledBack(causeOf(error), ask)) this.#lost ??= error;
  }

  /**
   * Runs a statement when those before it have ended: after a failure that rolls back everything, the server would commit
   * each of the next ones for itself.
   *
   * @param isEnding it commits or rolls back
   */
  async inTurn<Result>(run: () => PromiseLike<Result>, isEnding: boolean): Promise<Result> {
    const before = this.#turn;
    let done = (): void => {};
    this.#turn = new Promise((resolve) => {
      done = resolve;
    });
    try {
      await before;
      if (!isEnding) this.#checkLost();
      return await run();
    } finally {
      done();
    }
  }

  /**
   * A server may have given the transaction up with the statement, and would answer its commit by a rollback.
   *
   * @param probe runs a statement in the transaction
   * @throws Error if so
   */
  async checkOutcome(probe: () => Promise<unknown>): Promise<void> {
    this.#checkLost();
    const failure = this.#failure;
    if (failure === undefined) return;
    const { code } = causeOf(failure);
    // PostgreSQL gives up every transaction with a failed statement, unless there is a savepoint.
    if (typeof code !== 'string' || !SQLSTATE.test(code)) return;
    try {
      await probe();
    } catch {
      throw rolledBack(failure);
    }
  }

  /** @throws Error if the transaction has ended or is lost, or the reason for which the request was aborted. */
  check(): void {
    this.#signal.throwIfAborted();
    if (this.#isOver) throw new Error('the transaction has ended; await every query before it does');
    this.#checkLost();
  }

  #checkLost(): void {
    if (this.#lost !== undefined) throw rolledBack(this.#lost);
  }
}

/**
 * The server ends the whole transaction with the statement: a deadlock in MySQL and MariaDB, and a row that has changed
 * since the snapshot in MariaDB with innodb_snapshot_isolation, which is on since 11.6.2.
 */
const ROLLS_BACK: ReadonlySet<unknown> = new Set([1213, 1020]);
/** MySQL and MariaDB: it has waited too long for a lock. With innodb_rollback_on_timeout, the transaction is rolled back. */
const LOCK_WAIT_TIMEOUT = 1205;
const SQLSTATE = /^[\dA-Z]{5}$/;
const SQLITE = /^SQLITE_/;

interface DriverFailure {
  readonly code?: unknown;
  readonly errno?: unknown;
}

function causeOf(failure: unknown): DriverFailure {
  return ((failure as Error).cause ?? failure) as DriverFailure;
}

/** Whether the failure of a statement has ended its whole transaction. What cannot be asked for counts as so. */
async function hasRolledBack({ code, errno }: DriverFailure, ask: Ask): Promise<boolean> {
  if (ROLLS_BACK.has(errno)) return true;
  if (errno === LOCK_WAIT_TIMEOUT) {
    const rows = await ask('select @@innodb_rollback_on_timeout as is_rolled_back').catch(() => undefined);
    return Number((rows?.[0] as { is_rolled_back?: unknown } | undefined)?.is_rolled_back ?? 1) !== 0;
  }
  if (typeof code !== 'string' || !SQLITE.test(code)) return false;
  // A full disk, or a conflict that rolls back. If there is a transaction still, it refuses another one; else the one that
  // begins here is what the end of the transaction rolls back.
  return ask('begin').then(
    () => true,
    () => false,
  );
}

function rolledBack(cause: unknown): Error {
  return new Error(
    'nothing was committed: a statement of the transaction has failed, and the database rolls all of it back; ' +
      'catch the error outside of the transaction',
    { cause },
  );
}

/** Thrown inside of a transaction to roll it back without failing. */
class RolledBack {
  readonly result: unknown;

  constructor(result: unknown) {
    this.result = result;
  }
}

/** A transaction, for what runs inside of it. */
interface Surrounding {
  readonly database: object;
  readonly guard: TransactionGuard;
  readonly outer: Surrounding | undefined;
}

const surroundings = new AsyncLocalStorage<Surrounding>();

function isInside(database: object): boolean {
  for (let at = surroundings.getStore(); at !== undefined; at = at.outer) {
    if (at.database === database && !at.guard.isOver) return true;
  }
  return false;
}

/** Another connection would commit by itself, and requests that wait for their second one wait for each other. */
export function nestedTransaction(): Error {
  return new Error(
    'a transaction was begun inside of another one of the same database, on a connection of its own; ' +
      'pass `trx` of the outer transaction on, and run the statements on it',
  );
}

export const WORK: Rule = callback('a function async (trx) => …');

export interface TransactionSteps<Trx> {
  /** What two transactions of the same database have in common. */
  readonly database: object;
  /** Commits if `inside` resolves, and rolls back if it rejects. */
  begin(inside: (trx: Trx) => Promise<unknown>): Promise<unknown>;
  /** Makes the transaction ask the guard before each statement. */
  guard(trx: Trx, guard: TransactionGuard): Promise<void> | void;
  /** Runs a statement that has no effect in the transaction. */
  probe(trx: Trx): Promise<unknown>;
}

/**
 * Runs `work` in a transaction, and commits if it resolves to a success before the signal aborts. It rejects when
 * the connection is free again, or at once if it still waits for one, or runs inside of another one.
 */
export function runTransaction<Trx, Result>(
  signal: AbortSignal,
  { database, begin, guard: setGuard, probe }: TransactionSteps<Trx>,
  work: (trx: Trx) => Promise<Result> | Result,
  isSuccess: (result: Result) => boolean = () => true,
): Promise<Result> {
  if (isInside(database)) return Promise.reject(nestedTransaction());
  const guard = new TransactionGuard(signal);
  const surrounding: Surrounding = { database, guard, outer: surroundings.getStore() };
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
        const result = await surroundings.run(surrounding, () => untilAbort(signal, () => work(trx)));
        if (!isSuccess(result)) throw new RolledBack(result);
        await guard.checkOutcome(() => probe(trx));
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
