// Drizzle: the migrations of a folder of drizzle-kit, in the table of Drizzle's own migrator, so that its tools work beside
// this. That one runs what is newer than the last one that ran, and leaves out what a merge has put before it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MigrationConfig } from 'drizzle-orm/migrator';
import { ConfigError } from '../../config-error.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { either, filled, flag, object, type Rules, required } from '../../options/rules.js';
import { shown } from '../../options/shown.js';
import type { Engine } from '../database-url.js';
import { LOCK_RULES, type MigrationLockOptions } from '../migration-lock.js';
import { isCompared } from '../migrations/compared.js';
import { placeOfDatabase } from '../migrations/database-place.js';
import { MigrationSet, type Migrations, type MigrationsOptions } from '../migrations/migrations.js';
import { hasTable, makeTable, notMade, rowsOf } from '../migrations/notes.js';
import type {
  AppliedMigration,
  DatabasePlace,
  Direction,
  KnownMigration,
  MigrationSession,
  MigrationTarget,
  RunSql,
} from '../migrations/target.js';
import { type MigrationClient, migrationClient } from './migration-client.js';

/** A folder of `drizzle-kit generate`, or the options of Drizzle's own `migrate`, such as `migrationsFolder`. */
export type MigrationSource = string | MigrationConfig;

const DB = object('a database of drizzleFromUrl()');
const SOURCE = either(filled, object("the folder of drizzle-kit, or { migrationsFolder: 'drizzle' }"));
const SOURCE_RULES: Rules<MigrationConfig> = {
  migrationsFolder: required(filled),
  migrationsTable: filled,
  migrationsSchema: filled,
};
const RULES: Rules<MigrationsOptions> = { ...LOCK_RULES, allowUnordered: flag };

/**
 * The migrations of an app: what has run, and running them. They are the files of `drizzle-kit generate`; one can be
 * reverted if there is a file `<name>.down.sql` beside it.
 *
 * ```ts
 * const all = migrations(db, 'drizzle');
 * await all.up();
 * ```
 *
 * On PostgreSQL and SQLite a run is one transaction. MySQL and MariaDB cannot undo changes of tables: there, a table
 * `fw_migrations` keeps which one is running.
 *
 * @throws ConfigError if an argument is not of its kind
 */
export function migrations(db: object, source: MigrationSource, options: MigrationsOptions = {}): Migrations {
  const { $client } = checkValue('migrations', 'the database', db, DB) as { $client?: unknown };
  checkValue('migrations', 'the source', source, SOURCE);
  const config =
    typeof source === 'string'
      ? { migrationsFolder: source }
      : checkOptions('migrations', source, SOURCE_RULES);
  const checked = checkOptions('migrations', options, RULES);
  return new MigrationSet(
    new DrizzleTarget(migrationClient($client), $client as object, config, checked),
    checked,
  );
}

/** Options of `migrateToLatest`: those of Drizzle's own `migrate`, such as `migrationsFolder`, and those of `migrations`. */
export type MigrateOptions = MigrationConfig & MigrationsOptions;

const LATEST_RULES: Rules<MigrateOptions> = { ...RULES, ...SOURCE_RULES };

/**
 * Runs all migrations of a folder that have not run yet, and returns their names: `migrations(db, source).up()`.
 *
 * ```ts
 * await migrateToLatest(db, { migrationsFolder: 'drizzle' });
 * ```
 *
 * @throws Error if a migration fails, or another process holds the lock for longer than `lockTimeoutMs`.
 */
export async function migrateToLatest(db: object, options: MigrateOptions): Promise<readonly string[]> {
  const { lockTimeoutMs, allowUnordered, ...source } = checkOptions('migrateToLatest', options, LATEST_RULES);
  return migrations(db, source, {
    ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
    ...(allowUnordered !== undefined && { allowUnordered }),
  }).up();
}

/** An entry of `meta/_journal.json`. */
interface Entry {
  readonly tag: string;
  /** Milliseconds since 1970, by which the table knows it. */
  readonly when: number;
}

const DEFAULT_TABLE = '__drizzle_migrations';
const DEFAULT_SCHEMA = 'drizzle';

class DrizzleTarget implements MigrationTarget {
  readonly #client: MigrationClient;
  readonly #handle: object;
  readonly #folder: string;
  readonly #schema: string;
  readonly #tableName: string;
  readonly #lock: MigrationLockOptions;

  constructor(
    client: MigrationClient,
    handle: object,
    { migrationsFolder, migrationsTable = DEFAULT_TABLE, migrationsSchema = DEFAULT_SCHEMA }: MigrationConfig,
    { lockTimeoutMs }: MigrationsOptions,
  ) {
    this.#client = client;
    this.#handle = handle;
    this.#folder = migrationsFolder;
    this.#tableName = migrationsTable;
    this.#schema = migrationsSchema;
    this.#lock = lockTimeoutMs === undefined ? {} : { lockTimeoutMs };
  }

  get engine(): Engine {
    return this.#client.engine;
  }

  get place(): DatabasePlace | undefined {
    return placeOfDatabase(this.#handle);
  }

  get schemas(): readonly string[] {
    return this.engine === 'postgres' ? [this.#schema] : [];
  }

  get sql(): RunSql {
    return this.#client.sql;
  }

  downName(name: string): string {
    return `file ${name}.down.sql in ${this.#folder}`;
  }

  async list(): Promise<readonly KnownMigration[]> {
    const hashes = new Map((await this.#files()).map(({ folderMillis, hash }) => [folderMillis, hash]));
    return this.#entries().map(({ tag, when }) => ({
      name: tag,
      checksum: isCompared() ? hashes.get(when) : undefined,
      hasDown: existsSync(this.#downFile(tag)),
    }));
  }

  async applied(sql: RunSql): Promise<readonly AppliedMigration[]> {
    const table = this.engine === 'postgres' ? `${this.#schema}.${this.#tableName}` : this.#tableName;
    const names = new Map(this.#entries().map(({ tag, when }) => [when, tag]));
    const statement = `select hash, created_at from ${this.#table} order by created_at`;
    const rows = await rowsOf(this.engine, sql, table, statement);
    return rows.map(({ hash, created_at }) => {
      const when = Number(created_at);
      // When it was generated; when it has run is not kept.
      const name = names.get(when) ?? `generated at ${new Date(when).toISOString()}`;
      return { name, at: undefined, checksum: String(hash) };
    });
  }

  /** As Drizzle's own migrator makes it. */
  async prepare(): Promise<void> {
    const { engine, sql } = this;
    const time = engine === 'sqlite' ? 'numeric' : 'bigint';
    const statement = `create table if not exists ${this.#table} (id serial primary key, hash text not null, created_at ${time})`;
    if (engine !== 'postgres') return makeTable(engine, sql, this.#tableName, statement);
    const name = `${this.#schema}.${this.#tableName}`;
    if (await hasTable(engine, sql, name)) return;
    await this.#makeSchema();
    return makeTable(engine, sql, name, statement);
  }

  /** `if not exists` fails for one of two processes at the same moment, which finds it then. */
  async #makeSchema(): Promise<void> {
    const statement = `create schema if not exists ${this.#quoted(this.#schema)}`;
    await this.sql(statement)
      .catch(() => this.sql(statement))
      .catch((error: unknown) => {
        throw notMade(`${this.#schema}.${this.#tableName}`, error);
      });
  }

  async record(write: RunSql, name: string, isApplied: boolean): Promise<void> {
    const when = this.#entries().find(({ tag }) => tag === name)?.when;
    await write(`delete from ${this.#table} where created_at = ?`, [when]);
    if (!isApplied) return;
    const hash = (await this.#files()).find(({ folderMillis }) => folderMillis === when)?.hash;
    await write(`insert into ${this.#table} (hash, created_at) values (?, ?)`, [hash, when]);
  }

  async alone<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    const files = new Map((await this.#files()).map(({ folderMillis, sql }) => [folderMillis, sql]));
    const times = new Map(this.#entries().map(({ tag, when }) => [tag, when]));
    const statementsOf = (direction: Direction, name: string): readonly string[] => {
      const found =
        direction === 'up' ? (files.get(times.get(name) ?? -1) ?? []) : this.#downStatements(name);
      return found.filter((statement) => statement.trim() !== '');
    };
    return this.#client.alone(statementsOf, this.#lock, work);
  }

  onOne<Result>(work: (sql: RunSql) => Promise<Result>): Promise<Result> {
    return this.#client.onOne(work);
  }

  get #table(): string {
    const name = this.#quoted(this.#tableName);
    return this.engine === 'postgres' ? `${this.#quoted(this.#schema)}.${name}` : name;
  }

  #quoted(name: string): string {
    const quote = this.engine === 'mysql' ? '`' : '"';
    return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
  }

  #downFile(name: string): string {
    return join(this.#folder, `${name}.down.sql`);
  }

  #downStatements(name: string): string[] {
    return readFileSync(this.#downFile(name), 'utf8').split('--> statement-breakpoint');
  }

  async #files(): Promise<ReturnType<typeof import('drizzle-orm/migrator').readMigrationFiles>> {
    const { readMigrationFiles } = await import('drizzle-orm/migrator');
    return readMigrationFiles({ migrationsFolder: this.#folder });
  }

  /** In the order of their times, as Drizzle's own migrator runs them. */
  #entries(): readonly Entry[] {
    const file = join(this.#folder, 'meta/_journal.json');
    if (!existsSync(file)) {
      throw new ConfigError(
        'FW_OPTION_FORM',
        `migrations: there is no ${file}; run drizzle-kit generate, or give the folder that it writes`,
      );
    }
    let journal: { entries?: readonly Entry[] };
    try {
      journal = JSON.parse(readFileSync(file, 'utf8')) as typeof journal;
    } catch (error) {
      throw new ConfigError(
        'FW_OPTION_FORM',
        `migrations: ${file} is not JSON (${(error as Error).message}); after a merge, keep the entries of both branches`,
      );
    }
    const { entries } = journal;
    if (!Array.isArray(entries)) {
      throw new ConfigError(
        'FW_OPTION_FORM',
        `migrations: ${file} has no list of entries, but ${shown(entries)}`,
      );
    }
    return [...entries].sort((one, other) => one.when - other.when);
  }
}
