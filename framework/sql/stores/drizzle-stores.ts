// SQL: the stores of sessions, rate limits and tokens for Drizzle.
import { is, type SQL, sql } from 'drizzle-orm';
import { MySqlDatabase } from 'drizzle-orm/mysql-core';
import { PgDatabase } from 'drizzle-orm/pg-core';
import { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';
import { ConfigError } from '../../config-error.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { objectWith } from '../../options/rules.js';
import type { Engine } from '../database-url.js';
import type { TransactionalDb } from '../drizzle/transaction.js';
import { SqlRateLimits } from './sql-rate-limits.js';
import { SqlSessions } from './sql-sessions.js';
import { SqlTokens } from './sql-tokens.js';
import type { Runner, SqlDatabase, SqlResult } from './statement.js';
import {
  RATE_LIMITS_TABLE,
  SESSIONS_TABLE,
  type SqlStoreOptions,
  STORE_RULES,
  TOKENS_TABLE,
} from './table-options.js';

/**
 * Keeps sessions in a table of the app's database, such as `pgSessionTable` describes it. Each change locks the row of its
 * session, so concurrent requests lose no value that they do not both write. A new session removes up to ten that have
 * expired. While the database is away, requests with a session are answered 503.
 *
 * ```ts
 * app.use(session(new SqlSessionStore(db)));
 * ```
 */
export class SqlSessionStore extends SqlSessions {
  /** @throws ConfigError if the database is not one of Drizzle, or an option is malformed. */
  constructor(db: TransactionalDb, options: SqlStoreOptions = {}) {
    const { table = SESSIONS_TABLE } = checkOptions('SqlSessionStore', options, STORE_RULES);
    super(drizzleDatabase('SqlSessionStore', db), table);
  }
}

/**
 * Shares the buckets of `rateLimiter` between processes in a table of the app's database, such as
 * `pgRateLimitTable` describes it: each request changes its row in one atomic step, by the server's clock. Some requests
 * remove buckets that are full again. While the database is away, the option `storeErrors` of the limiter decides.
 *
 * ```ts
 * app.use(rateLimiter({ store: new SqlRateLimitStore(db) }));
 * ```
 */
export class SqlRateLimitStore extends SqlRateLimits {
  /** @throws ConfigError if the database is not one of Drizzle, or an option is malformed. */
  constructor(db: TransactionalDb, options: SqlStoreOptions = {}) {
    const { table = RATE_LIMITS_TABLE } = checkOptions('SqlRateLimitStore', options, STORE_RULES);
    super(drizzleDatabase('SqlRateLimitStore', db), table);
  }
}

/**
 * Keeps one-time tokens, refresh tokens and API keys of `fw/accounts` in a table of the app's database, such as
 * `pgTokenTable` describes it. A transaction is a database, too: what is done in it is done with it, or not at all. A new
 * token removes up to ten that have expired.
 *
 * ```ts
 * const resets = new OneTimeTokens({ store: new SqlTokenStore(db), purpose: 'reset-password' });
 * ```
 */
export class SqlTokenStore extends SqlTokens {
  /** @throws ConfigError if the database is not one of Drizzle, or an option is malformed. */
  constructor(db: TransactionalDb, options: SqlStoreOptions = {}) {
    const { table = TOKENS_TABLE } = checkOptions('SqlTokenStore', options, STORE_RULES);
    super(drizzleDatabase('SqlTokenStore', db), table);
  }
}

const DRIZZLE = objectWith(['transaction'], 'a database of Drizzle, such as drizzleFromUrl() makes');

/** @throws ConfigError if it is not a database of Drizzle, or one of another kind. */
function drizzleDatabase(who: string, given: TransactionalDb): SqlDatabase {
  const db = checkValue(who, 'the database', given, DRIZZLE);
  const engine = engineOf(who, db);
  return {
    engine,
    ...runnerOf(engine, db),
    transaction: (work) => db.transaction((trx) => work(runnerOf(engine, trx as object))),
  };
}

function engineOf(who: string, db: object): Engine {
  if (is(db, PgDatabase)) return 'postgres';
  if (is(db, MySqlDatabase)) return 'mysql';
  if (is(db, BaseSQLiteDatabase)) return 'sqlite';
  throw new ConfigError('FW_DATABASE', `${who} takes a Drizzle for PostgreSQL, MySQL or SQLite`);
}

/** What the databases of Drizzle have for statements that are text. */
interface Executor {
  execute(query: SQL): Promise<unknown>;
  all(query: SQL): Promise<SqlResult['rows']>;
  run(query: SQL): Promise<unknown>;
}

function runnerOf(engine: Engine, db: object): Runner {
  const executor = db as Executor;
  return {
    async run({ texts, values }) {
      const query = sql(texts as unknown as TemplateStringsArray, ...values);
      if (engine !== 'sqlite') return resultOf(await executor.execute(query));
      if (RETURNS_ROWS.test(texts.join(''))) return { rows: await executor.all(query), changed: 0 };
      return resultOf(await executor.run(query));
    },
  };
}

/** Of the statements of this folder. */
const RETURNS_ROWS = /^select | returning /;

/** The drivers name the number of changed rows in their own ways; mysql2 gives a pair. */
interface DriverResult {
  readonly rows?: SqlResult['rows'];
  readonly rowCount?: number | null;
  readonly rowsAffected?: number;
  readonly affectedRows?: number;
  readonly changes?: number;
}

function resultOf(result: unknown): SqlResult {
  const given: unknown = Array.isArray(result) ? result[0] : result;
  if (Array.isArray(given)) return { rows: given, changed: 0 };
  const { rows = [], rowCount, rowsAffected, affectedRows, changes } = given as DriverResult;
  return { rows, changed: rowCount ?? rowsAffected ?? affectedRows ?? changes ?? 0 };
}
