// Drizzle: connects to the database that a URL names.

import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@libsql/client';
import { is } from 'drizzle-orm';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { MySqlTable } from 'drizzle-orm/mysql-core';
import type { MySql2Database } from 'drizzle-orm/mysql2';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { PgTable } from 'drizzle-orm/pg-core';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Pool as MysqlPool } from 'mysql2';
import type { Pool as PostgresPool } from 'pg';
import { ConfigError } from '../../config-error.js';
import { checkOptions } from '../../options/check.js';
import { object, oneOf, type Rules, required } from '../../options/rules.js';
import {
  DATABASE_RULES,
  type DatabaseOptions,
  type ResolvedOptions,
  resolveOptions,
} from '../database-options.js';
import { type Engine, readDatabaseUrl } from '../database-url.js';
import { missingDriver } from '../load-driver.js';
import { notePlaceOfDatabase } from '../migrations/database-place.js';
import { mysqlPool } from '../mysql-pool.js';
import { postgresPool } from '../postgres-pool.js';
import { opening } from '../sqlite-file.js';
import { watchDrizzle } from './watch-drizzle.js';

/** Options of `drizzleFromUrl`. */
export interface DrizzleOptions<Schema extends Record<string, unknown>> extends DatabaseOptions {
  /** The tables and relations; they decide which kind of database it is. */
  schema: Schema;
  /** How names of columns are made from keys. */
  casing?: 'snake_case' | 'camelCase';
}

/** The database for the tables of a schema, and the client of its driver. */
export type DatabaseOf<Schema extends Record<string, unknown>> =
  Extract<Schema[keyof Schema], PgTable> extends never
    ? Extract<Schema[keyof Schema], MySqlTable> extends never
      ? LibSQLDatabase<Schema> & { $client: Client }
      : MySql2Database<Schema> & { $client: MysqlPool }
    : NodePgDatabase<Schema> & { $client: PostgresPool };

/**
 * Makes a Drizzle of the URL's scheme: `postgres:` with the package `pg`, `mysql:` or `mariadb:` with `mysql2`, and
 * `file:` or `:memory:` with `@libsql/client`. The tables of the schema must be those of the same database. It
 * connects with the first query.
 *
 * ```ts
 * const db = await drizzleFromUrl(process.env.DATABASE_URL ?? 'file:data.db', { schema });
 * ```
 *
 * A file of SQLite is made with the mode 0600 if it does not exist.
 *
 * @throws ConfigError if the URL or an option is not usable, or the package of the driver is not installed.
 */
export async function drizzleFromUrl<Schema extends Record<string, unknown>>(
  url: string,
  options: DrizzleOptions<Schema>,
): Promise<DatabaseOf<Schema>> {
  const who = 'drizzleFromUrl';
  const given = checkOptions<DrizzleOptions<Schema>>(who, options, RULES);
  const resolved = resolveOptions(given);
  const named = readDatabaseUrl(who, url);
  const { engine, location } = named;
  const { schema, casing } = given;
  assertEngine(schema, engine);
  const config = { schema, ...(casing && { casing }) };
  const db = await connect(who, engine, location, config, resolved);
  notePlaceOfDatabase((db as { $client: object }).$client, named);
  watchDrizzle(db, given);
  return db as unknown as DatabaseOf<Schema>;
}

const RULES: Rules<DrizzleOptions<never>> = {
  ...DATABASE_RULES,
  schema: required(object('the tables and relations, such as import * as schema')),
  casing: oneOf('snake_case', 'camelCase'),
};

async function connect(
  who: string,
  engine: Engine,
  location: string,
  config: { schema: Record<string, unknown>; casing?: 'snake_case' | 'camelCase' },
  options: ResolvedOptions,
): Promise<object> {
  if (engine === 'postgres') {
    const client = await postgresPool(who, location, options);
    const { drizzle } = await import('drizzle-orm/node-postgres').catch(missingDriver(who, 'pg@8'));
    return drizzle({ client, ...config });
  }
  if (engine === 'mysql') {
    const client = await mysqlPool(who, location, options);
    const { drizzle } = await import('drizzle-orm/mysql2').catch(missingDriver(who, 'mysql2@3'));
    return drizzle({ client, mode: 'default', ...config });
  }
  const libsql = await import('@libsql/client').catch(missingDriver(who, '@libsql/client@0.18'));
  const client = await opening(location, () => openLibsql(libsql, location, options));
  const { drizzle } = await import('drizzle-orm/libsql').catch(missingDriver(who, '@libsql/client@0.18'));
  return drizzle({ client, ...config });
}

/** @throws ConfigError if the schema has tables of another database than the URL names. */
function assertEngine(schema: Record<string, unknown>, engine: Engine): void {
  const tables = Object.values(schema);
  const kinds = { postgres: PgTable, mysql: MySqlTable, sqlite: SQLiteTable } as const;
  for (const [kind, Table] of Object.entries(kinds)) {
    if (kind === engine || !tables.some((one) => is(one, Table))) continue;
    throw new ConfigError(
      'FW_DATABASE_SCHEMA',
      `drizzleFromUrl: the URL names a database of ${engine}, and the schema has tables for ${kind}; give a URL of ${kind}, or write the tables for ${engine}`,
    );
  }
}

type Libsql = typeof import('@libsql/client');

/** How often the change of the journal's mode is tried: it fails at once while another process has the lock. */
const TRIES = 100;
const RETRY_MS = 50;

async function openLibsql(
  { createClient }: Libsql,
  path: string,
  { maxConnections, acquireTimeoutMs }: ResolvedOptions,
): Promise<Client> {
  const url = path === ':memory:' ? path : `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}`;
  const client = createClient({ url, timeout: acquireTimeoutMs, concurrency: maxConnections });
  for (let tries = 1; ; tries++) {
    try {
      // Readers and a writer do not wait for each other. The mode stays in the file. Foreign keys are on by default.
      await client.execute('PRAGMA journal_mode = WAL');
      return client;
    } catch (error) {
      if (tries === TRIES || (error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error;
      await wait(RETRY_MS);
    }
  }
}
