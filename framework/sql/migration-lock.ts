// Migrations: a lock for those of a SQLite file, which two processes may start at once.

import { setTimeout as wait } from 'node:timers/promises';
import { milliseconds, type Rules } from '../options/rules.js';

const RETRY_MS = 50;

/** Options of `migrateToLatest` of both toolkits. */
export interface MigrationLockOptions {
  /** How long to wait for another process that migrates, in milliseconds; 60,000 by default. */
  lockTimeoutMs?: number;
}

/** @internal */
export const LOCK_RULES: Rules<MigrationLockOptions> = { lockTimeoutMs: milliseconds(0) };

/** The file beside the database whose lock is held during migrations; the system frees it if the process dies. */
export function lockFileOf(database: string): string {
  return `${database}-migrate`;
}

/**
 * Runs `work` while this process alone holds the lock.
 *
 * @param lock Takes the lock and returns what frees it. It throws an error with the code `SQLITE_BUSY` if another
 * process holds it.
 */
export async function withMigrationLock<Result>(
  lock: () => Promise<() => unknown> | (() => unknown),
  { lockTimeoutMs = 60_000 }: MigrationLockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = Date.now() + lockTimeoutMs;
  for (;;) {
    let release: () => unknown;
    try {
      release = await lock();
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
      if (Date.now() < end) {
        await wait(RETRY_MS);
        continue;
      }
      throw new Error(`another process has migrated the database for ${lockTimeoutMs} ms; is it stuck?`, {
        cause: error,
      });
    }
    try {
      return await work();
    } finally {
      await release();
    }
  }
}
