// Migrations: a lock of the database server, which frees it if the connection ends. Kysely's own Migrator takes the same, so
// that its tools and this wait for each other.
import type { MigrationLockOptions } from '../migration-lock.js';
import type { RunSql } from './target.js';

/** As in the adapters of Kysely 0.28 and 0.29. */
const POSTGRES_LOCK = '3853314791062309107';
const MYSQL_LOCK = 'ea586330-2c93-47c8-908d-981d9d270f9d';

/**
 * Takes the lock on this connection. On PostgreSQL within a transaction, whose end frees it: also behind a pooler, which
 * gives every transaction another connection.
 *
 * @returns a function that frees it, where it is not the end of the transaction
 * @throws Error if another process holds it for too long
 */
export async function lockServer(
  engine: 'postgres' | 'mysql',
  sql: RunSql,
  { lockTimeoutMs = 60_000 }: MigrationLockOptions,
): Promise<() => Promise<void>> {
  if (engine === 'postgres') await lockPostgres(sql, lockTimeoutMs);
  else await lockMysql(sql, lockTimeoutMs);
  return async () => {
    if (engine === 'mysql') await sql('select release_lock(?)', [MYSQL_LOCK]);
  };
}

async function lockPostgres(sql: RunSql, timeoutMs: number): Promise<void> {
  const [row] = await sql("select current_setting('lock_timeout') as before");
  await sql(`set local lock_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`);
  try {
    await sql(`select pg_advisory_xact_lock(${POSTGRES_LOCK})`);
  } catch (error) {
    throw isLockTimeout(error) ? stuck(timeoutMs, error) : error;
  }
  await sql("select set_config('lock_timeout', ?, true)", [row?.before]);
}

/** `lock_not_available` (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
function isLockTimeout(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return code === '55P03' || cause?.code === '55P03';
}

async function lockMysql(sql: RunSql, timeoutMs: number): Promise<void> {
  const [row] = await sql('select get_lock(?, ?) as won', [MYSQL_LOCK, Math.ceil(timeoutMs / 1000)]);
  if (Number(row?.won) !== 1) throw stuck(timeoutMs);
}

function stuck(timeoutMs: number, cause?: unknown): Error {
  return new Error(`another process has migrated the database for ${timeoutMs} ms; is it stuck?`, {
    cause,
  });
}
