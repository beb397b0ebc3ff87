// SQL: the tables of sessions, rate limits and tokens, for migrations of Kysely.
import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely';
import { checkOptions, checkValue } from '../../options/check.js';
import { matching, type Rules } from '../../options/rules.js';
import type { Engine } from '../database-url.js';
import type { AnyKysely } from '../kysely/watch-kysely.js';
import { engineOf, KYSELY } from './kysely-database.js';
import {
  RATE_LIMITS_TABLE,
  SESSIONS_TABLE,
  type SqlStoreOptions,
  STORE_RULES,
  TOKENS_TABLE,
} from './table-options.js';

/** Options of `createSessionTable` and `createTokenTable`. */
export interface SessionTableOptions extends SqlStoreOptions {
  /** The column with the ids of users, such as `users.id`: what belongs to a user ends when its row is deleted. */
  references?: string;
}

const SESSION_RULES: Rules<SessionTableOptions> = {
  ...STORE_RULES,
  references: matching(
    /^(?:[A-Za-z_][A-Za-z0-9_]{0,62}\.){1,2}[A-Za-z_][A-Za-z0-9_]{0,62}$/,
    "a column of another table, such as 'users.id'",
  ),
};

/**
 * Creates the table of `SqlSessionStore`, with its indexes, in a migration:
 *
 * ```ts
 * '2026-01-sessions': { up: (db) => createSessionTable(db) },
 * ```
 *
 * @throws ConfigError if the database is not a Kysely, or an option is malformed; FwError if the database refuses it.
 */
export async function createSessionTable(db: AnyKysely, options: SessionTableOptions = {}): Promise<void> {
  const who = 'createSessionTable';
  const { table: name = SESSIONS_TABLE, references } = checkOptions(who, options, SESSION_RULES);
  const { schema, engine } = schemaOf(who, db);
  const types = TYPES[engine];
  const table = schema
    .createTable(name)
    .addColumn('key', types.key, (column) => column.primaryKey())
    .addColumn('user_id', types.id, (column) => referring(column, engine, references))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('label', 'text')
    .addColumn('data', types.data, (column) => column.notNull())
    .addColumn('created_at_ms', 'double precision', (column) => column.notNull())
    .addColumn('used_at_ms', 'double precision', (column) => column.notNull())
    .addColumn('expires_at_ms', 'double precision', (column) => column.notNull());
  await withForeignKey(table, { engine, name, references }).execute();
  await indexUsersAndExpiry(schema, name);
}

/**
 * Creates the table of `SqlTokenStore`, with its indexes, in a migration:
 *
 * ```ts
 * '2026-03-tokens': { up: (db) => createTokenTable(db, { references: 'users.id' }) },
 * ```
 *
 * @throws ConfigError if the database is not a Kysely, or an option is malformed; FwError if the database refuses it.
 */
export async function createTokenTable(db: AnyKysely, options: SessionTableOptions = {}): Promise<void> {
  const who = 'createTokenTable';
  const { table: name = TOKENS_TABLE, references } = checkOptions(who, options, SESSION_RULES);
  const { schema, engine } = schemaOf(who, db);
  const types = TYPES[engine];
  const table = schema
    .createTable(name)
    .addColumn('key', types.key, (column) => column.primaryKey())
    .addColumn('kind', types.key, (column) => column.notNull())
    .addColumn('user_id', types.id, (column) => referring(column.notNull(), engine, references))
    .addColumn('family', types.key, (column) => column.notNull())
    .addColumn('data', types.data, (column) => column.notNull())
    .addColumn('created_at_ms', 'double precision', (column) => column.notNull())
    .addColumn('used_at_ms', 'double precision')
    .addColumn('expires_at_ms', 'double precision');
  await withForeignKey(table, { engine, name, references }).execute();
  await indexUsersAndExpiry(schema, name);
}

/**
 * Creates the table of `SqlRateLimitStore`, with its index, in a migration:
 *
 * ```ts
 * '2026-02-rate-limits': { up: (db) => createRateLimitTable(db) },
 * ```
 *
 * @throws ConfigError if the database is not a Kysely, or an option is malformed; FwError if the database refuses it.
 */
export async function createRateLimitTable(db: AnyKysely, options: SqlStoreOptions = {}): Promise<void> {
  const who = 'createRateLimitTable';
  const { table: name = RATE_LIMITS_TABLE } = checkOptions(who, options, STORE_RULES);
  const { schema, engine } = schemaOf(who, db);
  await schema
    .createTable(name)
    .addColumn('key', TYPES[engine].limitKey, (column) => column.primaryKey())
    .addColumn('full_at_ms', 'double precision', (column) => column.notNull())
    .execute();
  await schema
    .createIndex(`${bare(name)}_full`)
    .on(name)
    .column('full_at_ms')
    .execute();
}

/** MySQL has no keys of texts without a length, and compares them without regard to case, but for those of bytes. */
const TYPES = {
  postgres: { key: 'text', id: 'text', data: 'text', limitKey: 'text' },
  sqlite: { key: 'text', id: 'text', data: 'text', limitKey: 'text' },
  mysql: { key: 'varchar(64)', id: 'varchar(255)', data: sql`mediumtext`, limitKey: 'varbinary(512)' },
} as const;

function schemaOf(who: string, db: AnyKysely): { schema: AnyKysely['schema']; engine: Engine } {
  const { schema } = checkValue(who, 'the database', db, KYSELY).withoutPlugins();
  return { schema, engine: engineOf(who, db) };
}

/** MySQL ignores a reference that is part of a column. */
function referring(
  column: ColumnDefinitionBuilder,
  engine: Engine,
  references: string | undefined,
): ColumnDefinitionBuilder {
  if (references === undefined || engine === 'mysql') return column;
  return column.references(references).onDelete('cascade');
}

interface Reference {
  readonly engine: Engine;
  /** The name of the table. */
  readonly name: string;
  readonly references: string | undefined;
}

/** The reference of a table in MySQL. */
function withForeignKey(
  table: CreateTableBuilder<string, 'user_id'>,
  { engine, name, references }: Reference,
): CreateTableBuilder<string, 'user_id'> {
  if (references === undefined || engine !== 'mysql') return table;
  const end = references.lastIndexOf('.');
  const [target, column] = [references.slice(0, end), references.slice(end + 1)];
  return table.addForeignKeyConstraint(`${bare(name)}_user_id`, ['user_id'], target, [column], (key) =>
    key.onDelete('cascade'),
  );
}

async function indexUsersAndExpiry(schema: AnyKysely['schema'], name: string): Promise<void> {
  await schema
    .createIndex(`${bare(name)}_user`)
    .on(name)
    .column('user_id')
    .execute();
  await schema
    .createIndex(`${bare(name)}_expiry`)
    .on(name)
    .column('expires_at_ms')
    .execute();
}

/** Names of indexes have no schema. */
function bare(table: string): string {
  return table.slice(table.lastIndexOf('.') + 1);
}
