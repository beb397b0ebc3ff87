// SQL: the tables of sessions, rate limits and tokens, for schemas of Drizzle.
import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as sqlite from 'drizzle-orm/sqlite-core';
import { checkOptions, checkValue } from '../../options/check.js';
import { callback, type Rules } from '../../options/rules.js';
import { RATE_LIMITS_TABLE, SESSIONS_TABLE, TABLE_NAME, TOKENS_TABLE } from './table-options.js';

/** Options of the tables of sessions and of tokens. */
export interface SessionTableOptions<Column> {
  /** The column with the ids of users: what belongs to a user ends when its row is deleted. */
  references?: () => Column;
}

const SESSION_RULES: Rules<SessionTableOptions<unknown>> = {
  references: callback('a function that returns a column, such as () => users.id'),
};

const CASCADE = { onDelete: 'cascade' } as const;

/**
 * The table of `SqlSessionStore` in PostgreSQL, for the schema from which drizzle-kit makes migrations:
 *
 * ```ts
 * export const sessions = pgSessionTable('sessions', { references: () => users.id });
 * ```
 *
 * @throws ConfigError if the name or an option is malformed.
 */
export function pgSessionTable(
  name: string = SESSIONS_TABLE,
  options: SessionTableOptions<pg.AnyPgColumn> = {},
): pg.PgTable {
  const { references } = checked('pgSessionTable', name, options);
  const userId = pg.text('user_id');
  const columns = {
    key: pg.text('key').primaryKey(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    scopes: pg.text('scopes').notNull(),
    label: pg.text('label'),
    data: pg.text('data').notNull(),
    createdAtMs: pg.doublePrecision('created_at_ms').notNull(),
    usedAtMs: pg.doublePrecision('used_at_ms').notNull(),
    expiresAtMs: pg.doublePrecision('expires_at_ms').notNull(),
  };
  return pg.pgTable(name, columns, (table) => [
    pg.index(`${name}_user`).on(table.userId),
    pg.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/** The table of `SqlSessionStore` in MySQL and MariaDB; see `pgSessionTable`. */
export function mysqlSessionTable(
  name: string = SESSIONS_TABLE,
  options: SessionTableOptions<mysql.AnyMySqlColumn> = {},
): mysql.MySqlTable {
  const { references } = checked('mysqlSessionTable', name, options);
  const userId = mysql.varchar('user_id', { length: 255 });
  const columns = {
    key: mysql.varchar('key', { length: 64 }).primaryKey(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    scopes: mysql.text('scopes').notNull(),
    label: mysql.text('label'),
    data: mysql.mediumtext('data').notNull(),
    createdAtMs: mysql.double('created_at_ms').notNull(),
    usedAtMs: mysql.double('used_at_ms').notNull(),
    expiresAtMs: mysql.double('expires_at_ms').notNull(),
  };
  return mysql.mysqlTable(name, columns, (table) => [
    mysql.index(`${name}_user`).on(table.userId),
    mysql.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/** The table of `SqlSessionStore` in SQLite; see `pgSessionTable`. */
export function sqliteSessionTable(
  name: string = SESSIONS_TABLE,
  options: SessionTableOptions<sqlite.AnySQLiteColumn> = {},
): sqlite.SQLiteTable {
  const { references } = checked('sqliteSessionTable', name, options);
  const userId = sqlite.text('user_id');
  const columns = {
    key: sqlite.text('key').primaryKey(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    scopes: sqlite.text('scopes').notNull(),
    label: sqlite.text('label'),
    data: sqlite.text('data').notNull(),
    createdAtMs: sqlite.real('created_at_ms').notNull(),
    usedAtMs: sqlite.real('used_at_ms').notNull(),
    expiresAtMs: sqlite.real('expires_at_ms').notNull(),
  };
  return sqlite.sqliteTable(name, columns, (table) => [
    sqlite.index(`${name}_user`).on(table.userId),
    sqlite.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/**
 * The table of `SqlTokenStore` in PostgreSQL, for the schema from which drizzle-kit makes migrations:
 *
 * ```ts
 * export const tokens = pgTokenTable('tokens', { references: () => users.id });
 * ```
 *
 * @throws ConfigError if the name or an option is malformed.
 */
export function pgTokenTable(
  name: string = TOKENS_TABLE,
  options: SessionTableOptions<pg.AnyPgColumn> = {},
): pg.PgTable {
  const { references } = checked('pgTokenTable', name, options);
  const userId = pg.text('user_id').notNull();
  const columns = {
    key: pg.text('key').primaryKey(),
    kind: pg.text('kind').notNull(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    family: pg.text('family').notNull(),
    data: pg.text('data').notNull(),
    createdAtMs: pg.doublePrecision('created_at_ms').notNull(),
    usedAtMs: pg.doublePrecision('used_at_ms'),
    expiresAtMs: pg.doublePrecision('expires_at_ms'),
  };
  return pg.pgTable(name, columns, (table) => [
    pg.index(`${name}_user`).on(table.userId),
    pg.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/** The table of `SqlTokenStore` in MySQL and MariaDB; see `pgTokenTable`. */
export function mysqlTokenTable(
  name: string = TOKENS_TABLE,
  options: SessionTableOptions<mysql.AnyMySqlColumn> = {},
): mysql.MySqlTable {
  const { references } = checked('mysqlTokenTable', name, options);
  const userId = mysql.varchar('user_id', { length: 255 }).notNull();
  const columns = {
    key: mysql.varchar('key', { length: 64 }).primaryKey(),
    kind: mysql.varchar('kind', { length: 64 }).notNull(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    family: mysql.varchar('family', { length: 64 }).notNull(),
    data: mysql.mediumtext('data').notNull(),
    createdAtMs: mysql.double('created_at_ms').notNull(),
    usedAtMs: mysql.double('used_at_ms'),
    expiresAtMs: mysql.double('expires_at_ms'),
  };
  return mysql.mysqlTable(name, columns, (table) => [
    mysql.index(`${name}_user`).on(table.userId),
    mysql.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/** The table of `SqlTokenStore` in SQLite; see `pgTokenTable`. */
export function sqliteTokenTable(
  name: string = TOKENS_TABLE,
  options: SessionTableOptions<sqlite.AnySQLiteColumn> = {},
): sqlite.SQLiteTable {
  const { references } = checked('sqliteTokenTable', name, options);
  const userId = sqlite.text('user_id').notNull();
  const columns = {
    key: sqlite.text('key').primaryKey(),
    kind: sqlite.text('kind').notNull(),
    userId: references === undefined ? userId : userId.references(references, CASCADE),
    family: sqlite.text('family').notNull(),
    data: sqlite.text('data').notNull(),
    createdAtMs: sqlite.real('created_at_ms').notNull(),
    usedAtMs: sqlite.real('used_at_ms'),
    expiresAtMs: sqlite.real('expires_at_ms'),
  };
  return sqlite.sqliteTable(name, columns, (table) => [
    sqlite.index(`${name}_user`).on(table.userId),
    sqlite.index(`${name}_expiry`).on(table.expiresAtMs),
  ]);
}

/** The table of `SqlRateLimitStore` in PostgreSQL. @throws ConfigError if the name is malformed. */
export function pgRateLimitTable(name: string = RATE_LIMITS_TABLE): pg.PgTable {
  checked('pgRateLimitTable', name);
  const columns = {
    key: pg.text('key').primaryKey(),
    fullAtMs: pg.doublePrecision('full_at_ms').notNull(),
  };
  return pg.pgTable(name, columns, (table) => [pg.index(`${name}_full`).on(table.fullAtMs)]);
}

/** The table of `SqlRateLimitStore` in MySQL and MariaDB. @throws ConfigError if the name is malformed. */
export function mysqlRateLimitTable(name: string = RATE_LIMITS_TABLE): mysql.MySqlTable {
  checked('mysqlRateLimitTable', name);
  const columns = {
    key: mysql.varbinary('key', { length: 512 }).primaryKey(),
    fullAtMs: mysql.double('full_at_ms').notNull(),
  };
  return mysql.mysqlTable(name, columns, (table) => [mysql.index(`${name}_full`).on(table.fullAtMs)]);
}

/** The table of `SqlRateLimitStore` in SQLite. @throws ConfigError if the name is malformed. */
export function sqliteRateLimitTable(name: string = RATE_LIMITS_TABLE): sqlite.SQLiteTable {
  checked('sqliteRateLimitTable', name);
  const columns = {
    key: sqlite.text('key').primaryKey(),
    fullAtMs: sqlite.real('full_at_ms').notNull(),
  };
  return sqlite.sqliteTable(name, columns, (table) => [sqlite.index(`${name}_full`).on(table.fullAtMs)]);
}

function checked<Column>(
  who: string,
  name: string,
  options: SessionTableOptions<Column> = {},
): SessionTableOptions<Column> {
  checkValue(who, 'the name', name, TABLE_NAME);
  return checkOptions<SessionTableOptions<Column>>(who, options, SESSION_RULES);
}
