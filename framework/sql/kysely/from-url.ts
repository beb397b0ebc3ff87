// Kysely: connects to the database that a URL names.

import { setTimeout as wait } from 'node:timers/promises';
import {
  Kysely,
  type KyselyPlugin,
  MysqlDialect,
  PostgresDialect,
  type SqliteDatabase,
  SqliteDialect,
} from 'kysely';
import { checkOptions } from '../../options/check.js';
import { listOf, objectWith, type Rules } from '../../options/rules.js';
import {
  DATABASE_RULES,
  type DatabaseOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../database-options.js';
import { type DatabaseUrl, readDatabaseUrl } from '../database-url.js';
import { missingDriver } from '../load-driver.js';
import { notePlaceOfDatabase } from '../migrations/database-place.js';
import { mysqlPool } from '../mysql-pool.js';
import { postgresPool } from '../postgres-pool.js';
import { opening } from '../sqlite-file.js';
import { watchKysely } from './watch-kysely.js';

/** Options of `kyselyFromUrl`. */
export interface KyselyOptions extends DatabaseOptions {
  /** Plugins of Kysely, such as `new CamelCasePlugin()`. */
  plugins?: KyselyPlugin[];
}

/**
 * Makes a Kysely of the URL's scheme: `postgres:` with the package `pg`, `mysql:` or `mariadb:` with `mysql2`, and
 * `file:` or `:memory:` with `libsql`. It connects with the first query.
 *
 * ```ts
 * const db = await kyselyFromUrl<Database>(process.env.DATABASE_URL ?? 'file:data.db');
 * ```
 *
 * A file of SQLite is made with the mode 0600 if it does not exist.
 *
 * @throws ConfigError if the URL or an option is not usable, or the package of the driver is not installed.
 */
export async function kyselyFromUrl<Database>(
  url: string,
  options: KyselyOptions = {},
): Promise<Kysely<Database>> {
  const who = 'kyselyFromUrl';
  const given = checkOptions(who, options, RULES);
  const resolved = resolveOptions(given);
  const named = readDatabaseUrl(who, url);
  const dialect = await makeDialect(who, named, resolved);
  const db = new Kysely<Database>({ dialect, ...(given.plugins && { plugins: given.plugins }) });
  notePlaceOfDatabase(db.getExecutor().adapter, named);
  const { slowQueryMs } = given;
  watchKysely(db, {
    ...(slowQueryMs !== undefined && { slowQueryMs }),
    ...(named.engine === 'sqlite' && { acquireTimeoutMs: resolved.acquireTimeoutMs }),
  });
  return db;
}

const RULES: Rules<KyselyOptions> = {
  ...DATABASE_RULES,
  plugins: listOf(objectWith(['transformQuery'], 'a plugin of Kysely, such as new CamelCasePlugin()')),
};

async function makeDialect(
  who: string,
  { engine, location }: DatabaseUrl,
  options: ResolvedOptions,
): Promise<PostgresDialect | MysqlDialect | SqliteDialect> {
  if (engine === 'postgres') return new PostgresDialect({ pool: await postgresPool(who, location, options) });
  if (engine === 'mysql') return new MysqlDialect({ pool: await mysqlPool(who, location, options) });
  const { default: Database } = await import('libsql').catch(missingDriver(who, 'libsql@0.5'));
  return new SqliteDialect({
    database: () => opening(location, () => openSqlite(Database, location, options.acquireTimeoutMs)),
  });
}

/** The class of the package `libsql`, whose interface is that of better-sqlite3. */
type DatabaseClass = typeof import('libsql');

/** How often the change of the journal's mode is tried: it fails at once while another process has the lock. */
const TRIES = 100;
const RETRY_MS = 50;

async function openSqlite(
  Database: DatabaseClass,
  path: string,
  lockTimeoutMs: number,
): Promise<SqliteDatabase> {
  const database = new Database(path, { timeout: lockTimeoutMs });
  database.exec('PRAGMA foreign_keys = ON');
  for (let tries = 1; ; tries++) {
    try {
      // Readers and a writer do not wait for each other. The mode stays in the file.
      database.exec('PRAGMA journal_mode = WAL');
      return database as unknown as SqliteDatabase;
    } catch (error) {
      if (tries === TRIES || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      await wait(RETRY_MS);
    }
  }
}
