// Drizzle: runs the migrations that drizzle-kit generated, in one process at a time.

import type { Client } from '@libsql/client';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import type { MigrationConfig } from 'drizzle-orm/migrator';
import type { MySql2Database } from 'drizzle-orm/mysql2';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Pool as MysqlPool } from 'mysql2';
import type { Pool as PostgresPool } from 'pg';
import { ConfigError } from '../../config-error.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, object, type Rules, required } from '../../options/rules.js';
import { missingDriver } from '../load-driver.js';
import { LOCK_RULES, lockFileOf, type MigrationLockOptions, withMigrationLock } from '../migration-lock.js';

/** Options of `migrateToLatest`: those of Drizzle's own `migrate`, such as `migrationsFolder`, and `lockTimeoutMs`. */
export type MigrateOptions = MigrationConfig & MigrationLockOptions;

type Schema = Record<string, unknown>;

/** The databases that `drizzleFromUrl` makes. */
type Migratable =
  | (NodePgDatabase<Schema> & { $client: PostgresPool })
  | (MySql2Database<Schema> & { $client: MysqlPool })
  | (LibSQLDatabase<Schema> & { $client: Client });

const DRIZZLE = object('a database of drizzleFromUrl()');

const RULES: Rules<MigrateOptions> = {
  ...LOCK_RULES,
  migrationsFolder: required(filled),
  migrationsTable: filled,
  migrationsSchema: filled,
};

/** Any number: the lock belongs to the database. */
const POSTGRES_LOCK = 7_233_411_940;

/**
 * Runs all migrations of a folder that have not run yet, with Drizzle's own `migrate`. If another process migrates,
 * it waits: with PostgreSQL and MySQL by a lock of the server, with a SQLite file by a lock on a file beside it.
 *
 * ```ts
 * await migrateToLatest(db, { migrationsFolder: 'drizzle' });
 * ```
 *
 * @throws Error if a migration fails, or another process holds the lock for longer than `lockTimeoutMs`.
 */
export async function migrateToLatest(db: object, options: MigrateOptions): Promise<void> {
  checkOptions('migrateToLatest', options, RULES);
  const { $client } = checkValue('migrateToLatest', 'the database', db, DRIZZLE) as Migratable;
  if (typeof $client !== 'object') throw notMigratable();
  if ('idleCount' in $client) return migratePostgres($client, options);
  if ('getConnection' in $client) return migrateMysql($client, options);
  if ('migrate' in $client) return migrateLibsql(db as LibSQLDatabase<Schema>, $client, options);
  throw notMigratable();
}

function notMigratable(): ConfigError {
  return new ConfigError(
    'FW_DATABASE',
    'migrateToLatest takes a database of drizzleFromUrl(), or one with the same driver and a pool',
  );
}

async function migratePostgres(pool: PostgresPool, options: MigrateOptions): Promise<void> {
  const { drizzle } = await import('drizzle-orm/node-postgres').catch(
    missingDriver('migrateToLatest', 'pg@8'),
  );
  const { migrate } = await import('drizzle-orm/node-postgres/migrator').catch(
    missingDriver('migrateToLatest', 'pg@8'),
  );
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query(`set lock_timeout = ${Math.ceil(options.lockTimeoutMs ?? 60_000)}`);
    await client.query(`select pg_advisory_lock(${POSTGRES_LOCK})`);
    await client.query('reset lock_timeout');
    await migrate(drizzle({ client }), options);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    if (failure === undefined) await client.query(`select pg_advisory_unlock(${POSTGRES_LOCK})`);
    // The end of the connection frees the lock.
    client.release(failure !== undefined);
  }
}

async function migrateMysql(pool: MysqlPool, options: MigrateOptions): Promise<void> {
  const { drizzle } = await import('drizzle-orm/mysql2').catch(missingDriver('migrateToLatest', 'mysql2@3'));
  const { migrate } = await import('drizzle-orm/mysql2/migrator').catch(
    missingDriver('migrateToLatest', 'mysql2@3'),
  );
  const { lockTimeoutMs = 60_000 } = options;
  const promises = 'promise' in pool && typeof pool.promise === 'function' ? pool.promise() : pool;
  const connection = await (promises as ReturnType<MysqlPool['promise']>).getConnection();
  // Names of locks belong to the server, not to the database.
  const name = "concat('fw-migrate-', md5(database()))";
  try {
    const [rows] = await connection.query(
      `select get_lock(${name}, ${Math.ceil(lockTimeoutMs / 1000)}) as won`,
    );
    if ((rows as { won: unknown }[])[0]?.won !== 1) {
      throw new Error(`another process has migrated the database for ${lockTimeoutMs} ms; is it stuck?`);
    }
    await migrate(drizzle({ client: connection as never }), options);
  } finally {
    // Frees the lock, whatever happened.
    connection.destroy();
  }
}

async function migrateLibsql(
  db: LibSQLDatabase<Schema>,
  client: Client,
  options: MigrateOptions,
): Promise<void> {
  const { migrate } = await import('drizzle-orm/libsql/migrator').catch(
    missingDriver('migrateToLatest', '@libsql/client@0.18'),
  );
  const { rows } = await client.execute('PRAGMA database_list');
  const file = rows.find(({ name }) => name === 'main')?.file;
  if (typeof file !== 'string' || file === '') return migrate(db, options);
  const { createClient } = await import('@libsql/client').catch(
    missingDriver('migrateToLatest', '@libsql/client@0.18'),
  );
  const url = `file:${encodeURI(lockFileOf(file)).replace(/[?#]/g, encodeURIComponent)}`;
  const lock = async (): Promise<() => void> => {
    const holder = createClient({ url, timeout: 0 });
    try {
      await holder.transaction('write');
    } catch (error) {
      holder.close();
      throw error;
    }
    return () => holder.close();
  };
  await withMigrationLock(lock, options, () => migrate(db, options));
}
