// The stores of both toolkits in the tables that they describe, for tests.
import { sql as drizzleSql, is, type SQL } from 'drizzle-orm';
import * as mysqlCore from 'drizzle-orm/mysql-core';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import { sql as kyselySql } from 'kysely';
import type { TokenStore } from '../auth/accounts/token-store.js';
import type { RateLimitStore } from '../middleware/rate-limit/rate-limit-store.js';
import type { SessionStore } from '../session/session-store.js';
import * as drizzle from '../sql/drizzle/index.js';
import { closeClient } from '../sql/handles.js';
import * as kysely from '../sql/kysely/index.js';
import type { TestDatabase } from './databases.js';

interface TableNames {
  readonly sessions?: string;
  readonly limits?: string;
  readonly tokens?: string;
}

export interface SqlStores {
  /** Creates the tables, `sessions`, `rate_limits` and `tokens` by default. */
  createTables(names?: TableNames): Promise<void>;
  sessions(table?: string): SessionStore;
  limits(table?: string): RateLimitStore;
  tokens(table?: string): TokenStore;
  /** Works with tokens in a transaction. */
  withTokens(work: (tokens: TokenStore) => Promise<unknown>): Promise<unknown>;
  rows(sql: string): Promise<readonly Record<string, unknown>[]>;
  run(sql: string): Promise<unknown>;
  close(): Promise<unknown>;
}

export interface StoreToolkit {
  readonly name: string;
  open(database: Pick<TestDatabase, 'engine' | 'url'>): Promise<SqlStores>;
}

const tableOption = (table: string | undefined) => (table === undefined ? {} : { table });

const withKysely: StoreToolkit = {
  name: 'kysely',
  async open({ url }) {
    const db = await kysely.kyselyFromUrl<Record<never, never>>(url);
    return {
      async createTables({ sessions, limits, tokens } = {}) {
        await kysely.createSessionTable(db, tableOption(sessions));
        await kysely.createRateLimitTable(db, tableOption(limits));
        await kysely.createTokenTable(db, tableOption(tokens));
      },
      sessions: (table) => new kysely.SqlSessionStore(db, tableOption(table)),
      limits: (table) => new kysely.SqlRateLimitStore(db, tableOption(table)),
      tokens: (table) => new kysely.SqlTokenStore(db, tableOption(table)),
      withTokens: (work) => db.transaction().execute((trx) => work(new kysely.SqlTokenStore(trx))),
      rows: async (text) =>
        (await kyselySql<Record<string, unknown>>`${kyselySql.raw(text)}`.execute(db)).rows,
      run: (text) => kyselySql.raw(text).execute(db),
      close: () => db.destroy(),
    };
  },
};

const DESCRIBED = {
  postgres: [drizzle.pgSessionTable, drizzle.pgRateLimitTable, drizzle.pgTokenTable],
  mysql: [drizzle.mysqlSessionTable, drizzle.mysqlRateLimitTable, drizzle.mysqlTokenTable],
  sqlite: [drizzle.sqliteSessionTable, drizzle.sqliteRateLimitTable, drizzle.sqliteTokenTable],
} as const;

const withDrizzle: StoreToolkit = {
  name: 'drizzle',
  async open({ url, engine }) {
    const db = (await drizzle.drizzleFromUrl(url, { schema: {} })) as unknown as drizzle.TransactionalDb & {
      $client: object;
      execute(query: SQL): Promise<{ rows: Record<string, unknown>[] } & [Record<string, unknown>[]]>;
      all(query: SQL): Promise<Record<string, unknown>[]>;
      run(query: SQL): Promise<unknown>;
    };
    const run = (text: string): Promise<unknown> =>
      engine === 'sqlite' ? db.run(drizzleSql.raw(text)) : db.execute(drizzleSql.raw(text));
    return {
      async createTables({ sessions, limits, tokens } = {}) {
        const [describeSessions, describeLimits, describeTokens] = DESCRIBED[engine];
        for (const table of [describeSessions(sessions), describeLimits(limits), describeTokens(tokens)]) {
          for (const text of statementsOf(table)) await run(text);
        }
      },
      sessions: (table) => new drizzle.SqlSessionStore(db, tableOption(table)),
      limits: (table) => new drizzle.SqlRateLimitStore(db, tableOption(table)),
      tokens: (table) => new drizzle.SqlTokenStore(db, tableOption(table)),
      withTokens: (work) =>
        db.transaction((trx) => work(new drizzle.SqlTokenStore(trx as drizzle.TransactionalDb))),
      async rows(text) {
        if (engine === 'sqlite') return db.all(drizzleSql.raw(text));
        const result = await db.execute(drizzleSql.raw(text));
        return engine === 'mysql' ? result[0] : result.rows;
      },
      run,
      close: () => closeClient(db.$client),
    };
  },
};

export const storeToolkits: readonly StoreToolkit[] = [withKysely, withDrizzle];

/** What drizzle-kit would generate for one of these tables. */
function statementsOf(table: pgCore.PgTable | mysqlCore.MySqlTable | sqliteCore.SQLiteTable): string[] {
  const { name, columns, indexes } = configOf(table);
  const defined = columns.map(
    (column) =>
      `${quote(table, column.name)} ${column.getSQLType()}${column.primary ? ' primary key' : ''}${column.notNull ? ' not null' : ''}`,
  );
  const made = indexes.map(({ config }) => {
    const on = config.columns.map((column) => (column as { name: string }).name);
    return `create index ${config.name} on ${name} (${on.join(', ')})`;
  });
  return [`create table ${name} (${defined.join(', ')})`, ...made];
}

function configOf(table: pgCore.PgTable | mysqlCore.MySqlTable | sqliteCore.SQLiteTable) {
  if (is(table, pgCore.PgTable)) return pgCore.getTableConfig(table);
  if (is(table, mysqlCore.MySqlTable)) return mysqlCore.getTableConfig(table);
  return sqliteCore.getTableConfig(table as sqliteCore.SQLiteTable);
}

const quote = (table: object, name: string) =>
  is(table, mysqlCore.MySqlTable) ? `\`${name}\`` : `"${name}"`;
