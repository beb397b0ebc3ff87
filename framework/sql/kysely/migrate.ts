// Kysely: runs migrations with its Migrator, in one process at a time.

import {
  DEFAULT_MIGRATION_TABLE,
  type Kysely,
  type Migration,
  type MigrationProvider,
  type MigrationResultSet,
  Migrator,
  SqliteAdapter,
  sql,
} from 'kysely';
import { checkOptions } from '../../options/check.js';
import { object, type Rules, required } from '../../options/rules.js';
import { isTraced, publishEvent } from '../../tracing/event.js';
import { missingDriver } from '../load-driver.js';
import { LOCK_RULES, lockFileOf, type MigrationLockOptions, withMigrationLock } from '../migration-lock.js';

/** Options of `migrateToLatest`. */
export interface MigrateOptions extends MigrationLockOptions {
  /** The migrations by name, in the alphabetical order of which they run, or a provider of Kysely. */
  migrations: Readonly<Record<string, Migration>> | MigrationProvider;
}

const RULES: Rules<MigrateOptions> = {
  ...LOCK_RULES,
  migrations: required(object('the migrations by name, or a provider of Kysely')),
};

/**
 * Runs all migrations that have not run yet, and returns their names, which are events for subscribers too. If another process migrates, it waits: with
 * PostgreSQL and MySQL by the lock of Kysely's Migrator, with a SQLite file by a lock on a file beside it.
 *
 * ```ts
 * await migrateToLatest(db, { migrations: { '2026-01-notes': { up: (db) => db.schema.createTable('notes')… } } });
 * ```
 *
 * They run in one transaction where the database has transactions around changes of tables, which PostgreSQL and SQLite
 * have, and MySQL has not: one that fails, or is killed, leaves nothing behind.
 *
 * @throws Error that names the migration which failed, with its error as the cause.
 */
export async function migrateToLatest<Database>(
  db: Kysely<Database>,
  options: MigrateOptions,
): Promise<readonly string[]> {
  const { migrations, ...lockOptions } = checkOptions('migrateToLatest', options, RULES);
  const provider = isProvider(migrations) ? migrations : { getMigrations: async () => migrations };
  if (await hasAll(db, provider)) return [];
  const names = await runAll(db, provider, lockOptions);
  if (isTraced()) {
    for (const name of names) publishEvent('info', `migrated the database: ${name}`, { migration: name });
  }
  return names;
}

async function runAll<Database>(
  db: Kysely<Database>,
  provider: MigrationProvider,
  lockOptions: MigrationLockOptions,
): Promise<readonly string[]> {
  const migrator = new Migrator({ db: atomic(db), provider });
  const file = await fileOf(db);
  if (file === undefined) return namesOf(await migrator.migrateToLatest());
  const { default: Libsql } = await import('libsql').catch(missingDriver('migrateToLatest', 'libsql@0.5'));
  const lock = (): (() => void) => {
    const database = new Libsql(lockFileOf(file), { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    return () => database.close();
  };
  return withMigrationLock(lock, lockOptions, async () => namesOf(await migrator.migrateToLatest()));
}

/**
 * SQLite changes tables in a transaction (https://sqlite.org/lang_transaction.html), although Kysely's adapter says that
 * it does not. `PRAGMA foreign_keys` has no effect inside of one; `PRAGMA defer_foreign_keys` has.
 */
function atomic<Database>(db: Kysely<Database>): Kysely<Database> {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof SqliteAdapter)) return db;
  const transactional = Object.create(adapter, {
    supportsTransactionalDdl: { value: true },
  }) as typeof adapter;
  return new Proxy(db, {
    get(target, name) {
      if (name === 'getExecutor') return () => ({ adapter: transactional });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * Whether all migrations have run, in their order, by one query: the Migrator looks at every table first, which is the
 * longest part of the start of a small app. Where the query fails, as before the first migration, the Migrator decides.
 */
async function hasAll<Database>(db: Kysely<Database>, provider: MigrationProvider): Promise<boolean> {
  const names = Object.keys(await provider.getMigrations()).sort();
  try {
    const ran = await sql<{
      name: string;
    }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by ${sql.ref('timestamp')}, name`.execute(
      db.withoutPlugins(),
    );
    return ran.rows.length === names.length && ran.rows.every(({ name }, index) => name === names[index]);
  } catch {
    return false;
  }
}

function isProvider(migrations: MigrateOptions['migrations']): migrations is MigrationProvider {
  return typeof (migrations as MigrationProvider).getMigrations === 'function';
}

/** The file of a SQLite database; undefined for other databases, and for one in memory. */
async function fileOf<Database>(db: Kysely<Database>): Promise<string | undefined> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return undefined;
  const { rows } = await sql<{ name: string; file: string }>`PRAGMA database_list`.execute(
    db.withoutPlugins(),
  );
  return rows.find(({ name }) => name === 'main')?.file || undefined;
}

function namesOf({ error, results = [] }: MigrationResultSet): readonly string[] {
  const failed = results.find(({ status }) => status === 'Error');
  if (failed !== undefined) {
    throw new Error(`the migration '${failed.migrationName}' failed: ${messageOf(error)}`, { cause: error });
  }
  if (error !== undefined) throw new Error(`the migrations failed: ${messageOf(error)}`, { cause: error });
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
