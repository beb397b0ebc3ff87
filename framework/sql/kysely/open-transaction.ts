// Kysely: a connection goes back to its pool without a transaction, also if the end of one was not answered in time.
import { setTimeout as wait } from 'node:timers/promises';
import { toDatabaseError } from '../database-errors.js';

/** Between two tries to roll back, in milliseconds. */
const RETRY_MS = 100;

/**
 * Whether a transaction may be left open on a connection. Before its version 0.28.19, Kysely gives a connection back
 * whatever becomes of the rollback, and drivers with a time limit of their own, such as `query_timeout` of pg, give up
 * before the server has answered: what the next one writes would be part of the old transaction, which nobody commits.
 */
export class OpenTransaction {
  #mayBeOpen = false;

  get mayBeOpen(): boolean {
    return this.#mayBeOpen;
  }

  /** Runs a statement of the driver, which may begin or end a transaction. */
  follow<Result>(sql: string, run: () => Promise<Result>): Promise<Result> {
    return sql === 'begin' || sql.startsWith('start transaction') || isEnding(sql)
      ? this.#follow(run)
      : run();
  }

  async #follow<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      const result = await run();
      this.#mayBeOpen = false;
      return result;
    } catch (error) {
      this.#mayBeOpen = isUnanswered(error);
      throw error;
    }
  }

  /**
   * Rolls back as soon as the server answers again. A connection that is lost, or that Kysely will not give back, has no
   * transaction for anybody else.
   */
  async rollBack(run: () => Promise<unknown>): Promise<void> {
    while (this.#mayBeOpen) {
      await wait(RETRY_MS, undefined, { ref: false });
      // The request has failed with its own error; whether it is tried again is what this one decides.
      await this.#follow(run).catch(() => {});
    }
  }
}

export function isEnding(sql: string): boolean {
  return sql === 'commit' || sql === 'rollback';
}

/** With its option `query_timeout`, pg does not wait longer. */
const GIVEN_UP = 'Query read timeout';

function isUnanswered(error: unknown): boolean {
  const { cause } = toDatabaseError(error);
  return cause instanceof Error && cause.message === GIVEN_UP;
}
