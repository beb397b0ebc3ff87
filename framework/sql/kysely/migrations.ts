// Kysely: the migrations of an app, in the table of Kysely's own Migrator, so that its tools work beside this.

import {
  CompiledQuery as Compiled,
  type CompiledQuery,
  type Kysely,
  MysqlAdapter,
  PostgresAdapter,
  SqliteAdapter,
} from 'kysely';
import { ConfigError } from '../../config-error.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { flag, object, objectWith, type Rules, record, required } from '../../options/rules.js';
import { shown } from '../../options/shown.js';
import type { Engine } from '../database-url.js';
import { missingDriver } from '../load-driver.js';
import { LOCK_RULES, lockFileOf, type MigrationLockOptions, withMigrationLock } from '../migration-lock.js';
import { checksumOf } from '../migrations/checksum.js';
import { isCompared } from '../migrations/compared.js';
import { placeOfDatabase } from '../migrations/database-place.js';
import { MigrationSet, type Migrations, type MigrationsOptions } from '../migrations/migrations.js';
import { makeTable, rowsOf, withPlaceholders } from '../migrations/notes.js';
import { failedMigration } from '../migrations/run.js';
import { lockServer } from '../migrations/server-lock.js';
import type {
  AppliedMigration,
  DatabasePlace,
  KnownMigration,
  MigrationSession,
  MigrationTarget,
  RunSql,
} from '../migrations/target.js';

// biome-ignore lint/suspicious/noExplicitAny: a handle of any schema.
type AnyKysely = Kysely<any>;

/** A migration, as Kysely has it: a function that changes the tables, and one that reverts it. */
export interface Migration {
  up(db: AnyKysely): Promise<unknown>;
  down?(db: AnyKysely): Promise<unknown>;
}

/** Gives the migrations by name, as providers of Kysely do. */
export interface MigrationProvider {
  getMigrations(): Promise<Readonly<Record<string, Migration>>>;
}

/** The table of Kysely's own Migrator. */
const MIGRATION_TABLE = 'kysely_migration';

/** Migrations by name, or a provider of Kysely, such as its `FileMigrationProvider`. */
export type MigrationSource = Readonly<Record<string, Migration>> | MigrationProvider;

const DB = objectWith(['getExecutor'], 'a database of Kysely, such as kyselyFromUrl() makes');
const SOURCE = record('the migrations by name, or a provider of Kysely');
const PROVIDER = objectWith(['getMigrations'], 'a provider of Kysely');
const RULES: Rules<MigrationsOptions> = { ...LOCK_RULES, allowUnordered: flag };

/**
 * The migrations of an app: what has run, and running them. Each has a function `up`, and a `down` if it can be reverted;
 * they run in the order of their names.
 *
 * ```ts
 * const all = migrations(db, {
 *   '20260105090000_notes': { up: (db) => db.schema.createTable('notes').addColumn('text', 'text').execute() },
 * });
 * await all.up();
 * ```
 *
 * On PostgreSQL and SQLite a run is one transaction. MySQL and MariaDB cannot undo changes of tables: there, a table
 * `fw_migrations` keeps which one is running. Outside of production it keeps the checksums of those that have run.
 *
 * @throws ConfigError if an argument is not of its kind
 */
export function migrations<Database>(
  db: Kysely<Database>,
  source: MigrationSource,
  options: MigrationsOptions = {},
): Migrations {
  checkValue('migrations', 'the database', db, DB);
  checkValue('migrations', 'the source', source, isProvider(source) ? PROVIDER : SOURCE);
  if (!isProvider(source)) assertAll(source);
  const checked = checkOptions('migrations', options, RULES);
  return new MigrationSet(new KyselyTarget(db, source, checked), checked);
}

/** Options of `migrateToLatest`. */
export interface MigrateOptions extends MigrationsOptions {
  /** The migrations by name, in the alphabetical order of which they run, or a provider of Kysely. */
  migrations: MigrationSource;
}

const LATEST_RULES: Rules<MigrateOptions> = {
  ...RULES,
  migrations: required(object('the migrations by name, or a provider of Kysely')),
};

/**
 * Runs all migrations that have not run yet, and returns their names: `migrations(db, source).up()`.
 *
 * ```ts
 * await migrateToLatest(db, { migrations: { '2026-01-notes': { up: (db) => db.schema.createTable('notes')… } } });
 * ```
 *
 * @throws Error that names the migration which failed, with its error as the cause.
 */
export async function migrateToLatest<Database>(
  db: Kysely<Database>,
  options: MigrateOptions,
): Promise<readonly string[]> {
  const { migrations: source, ...others } = checkOptions('migrateToLatest', options, LATEST_RULES);
  return migrations(db, source, others).up();
}

class KyselyTarget implements MigrationTarget {
  readonly engine: Engine;
  readonly schemas = [];
  readonly sql: RunSql;
  readonly #db: AnyKysely;
  readonly #source: MigrationSource;
  readonly #lock: MigrationLockOptions;

  constructor(db: AnyKysely, source: MigrationSource, { lockTimeoutMs }: MigrationsOptions) {
    this.engine = engineOf(db);
    this.#db = db;
    this.#source = source;
    this.#lock = lockTimeoutMs === undefined ? {} : { lockTimeoutMs };
    this.sql = runOn(db, this.engine);
  }

  get place(): DatabasePlace | undefined {
    return placeOfDatabase(this.#db.getExecutor().adapter);
  }

  downName(): string {
    return 'function down';
  }

  async list(): Promise<readonly KnownMigration[]> {
    const all = await this.#all();
    return Object.keys(all)
      .sort()
      .map((name) => {
        const { up, down } = all[name] as Migration;
        const checksum = isCompared() ? checksumOf(up, ...(down === undefined ? [] : [down])) : undefined;
        return { name, checksum, hasDown: typeof down === 'function' };
      });
  }

  async applied(sql: RunSql): Promise<readonly AppliedMigration[]> {
    const statement = `select name, timestamp from ${MIGRATION_TABLE}`;
    const rows = await rowsOf(this.engine, sql, MIGRATION_TABLE, statement);
    return rows.map(({ name, timestamp }) => ({ name: String(name), at: new Date(String(timestamp)) }));
  }

  /** As Kysely's Migrator makes it. */
  prepare(): Promise<void> {
    return makeTable(
      this.engine,
      this.sql,
      MIGRATION_TABLE,
      `create table if not exists ${MIGRATION_TABLE} (name varchar(255) not null primary key, timestamp varchar(255) not null)`,
    );
  }

  async record(write: RunSql, name: string, isApplied: boolean): Promise<void> {
    await write(`delete from ${MIGRATION_TABLE} where name = ?`, [name]);
    if (!isApplied) return;
    const values = [name, new Date().toISOString()];
    await write(`insert into ${MIGRATION_TABLE} (name, timestamp) values (?, ?)`, values);
  }

  async alone<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    const all = await this.#all();
    if (this.engine === 'mysql') return this.#onMysql((db) => work(this.#session(db, all)));
    const run = (): Promise<Result> =>
      this.#db.transaction().execute(async (trx) => {
        if (this.engine === 'postgres') await lockServer('postgres', runOn(trx, 'postgres'), this.#lock);
        return work(this.#session(trx, all));
      });
    const file = this.engine === 'sqlite' ? await this.#file() : undefined;
    return file === undefined ? run() : withMigrationLock(await fileLock(file), this.#lock, run);
  }

  onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    return this.#db.connection().execute((db) => work(runOn(db, this.engine)));
  }

  #onMysql<Result>(work: (db: AnyKysely) => Promise<Result>): Promise<Result> {
    return this.#db.connection().execute(async (db) => {
      const release = await lockServer('mysql', runOn(db, 'mysql'), this.#lock);
      try {
        return await work(db);
      } finally {
        await release();
      }
    });
  }

  #session(db: AnyKysely, all: Readonly<Record<string, Migration>>): MigrationSession {
    const sql = runOn(db, this.engine);
    return {
      read: sql,
      write: sql,
      async step(direction, name, changed) {
        const watched = db.withPlugin({
          transformQuery: ({ node }) => node,
          async transformResult({ result }) {
            changed();
            return result;
          },
        });
        try {
          refuseQuery(direction, await all[name]?.[direction]?.(watched));
        } catch (error) {
          throw failedMigration(name, error);
        }
      },
    };
  }

  async #all(): Promise<Readonly<Record<string, Migration>>> {
    const all = isProvider(this.#source) ? await this.#source.getMigrations() : this.#source;
    assertAll(all);
    return all;
  }

  /** The file of a SQLite database; undefined for one in memory. */
  async #file(): Promise<string | undefined> {
    const rows = await this.sql('PRAGMA database_list');
    return String(rows.find(({ name }) => name === 'main')?.file ?? '') || undefined;
  }
}

function isProvider(source: MigrationSource): source is MigrationProvider {
  return typeof (source as MigrationProvider | undefined)?.getMigrations === 'function';
}

/** @throws Error for a query that was made and not run: the migration would count as done */
function refuseQuery(direction: 'up' | 'down', result: unknown): void {
  if (typeof (result as { toOperationNode?: unknown } | undefined)?.toOperationNode !== 'function') return;
  throw new Error(`${direction} returned a query that was not run; end it with .execute()`);
}

/** What the tables of migrations take, in characters. */
const LONGEST_NAME = 255;

/** @throws ConfigError that names the migration without its function, or with a name that cannot be noted */
function assertAll(all: Readonly<Record<string, Migration>>): void {
  for (const [name, migration] of Object.entries(all)) {
    if (name === '' || name.length > LONGEST_NAME || /\p{Cc}|\p{Surrogate}/u.test(name)) {
      throw new ConfigError(
        'FW_OPTION_TYPE',
        `migrations: the name ${name === '' ? "''" : shown(name)} cannot be noted; give 1 to ${LONGEST_NAME} characters without control characters, such as '20260105090000_notes'`,
      );
    }
    if (typeof migration?.up === 'function') continue;
    throw new ConfigError(
      'FW_OPTION_TYPE',
      `migrations: ${shown(name)} has no function up; export async function up(db) from its file`,
    );
  }
}

function engineOf(db: AnyKysely): Engine {
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter) return 'sqlite';
  if (adapter instanceof PostgresAdapter) return 'postgres';
  if (adapter instanceof MysqlAdapter) return 'mysql';
  throw new ConfigError(
    'FW_DATABASE',
    'migrations takes a database of PostgreSQL, MySQL, MariaDB or SQLite, made with this copy of kysely',
  );
}

/** Without the plugins of the handle, which may change names of columns. */
function runOn(db: AnyKysely, engine: Engine): RunSql {
  const plain = db.withoutPlugins();
  return async (text, values = []) => {
    const query: CompiledQuery = Compiled.raw(withPlaceholders(text, engine), [...values]);
    return (await plain.executeQuery(query)).rows as Record<string, unknown>[];
  };
}

/** A lock on a file beside the database, which the system frees if the process ends. */
async function fileLock(file: string): Promise<() => () => void> {
  const { default: Libsql } = await import('libsql').catch(missingDriver('migrations', 'libsql@0.5'));
  return () => {
    const database = new Libsql(lockFileOf(file), { timeout: 0 });
    try {
      database.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      database.close();
      throw error;
    }
    // A file that was closed stays open, and locked, until its statements are collected.
    return () => {
      database.exec('ROLLBACK');
      database.close();
    };
  };
}
