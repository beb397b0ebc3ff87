// Both toolkits behind one small interface, so that every guarantee is tested with each of them.
import { sql as drizzleSql } from 'drizzle-orm';
import * as mysqlCore from 'drizzle-orm/mysql-core';
import type { MySql2Database } from 'drizzle-orm/mysql2';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import { type Generated, type Kysely, sql as kyselySql } from 'kysely';
import type { App } from '../app/app.js';
import type { ContextMiddleware } from '../extract/context-middleware.js';
import type { DatabaseOptions } from '../sql/database-options.js';
import * as drizzle from '../sql/drizzle/index.js';
import * as kysely from '../sql/kysely/index.js';
import type { TestDatabase } from './databases.js';

/** What tests do with a database or a transaction. */
export interface Handle {
  insert(name: string): Promise<unknown>;
  names(): Promise<string[]>;
  run(sql: string): Promise<unknown>;
  /** The rows of notes one by one: of Kysely, for PostgreSQL with another package; of Drizzle, for MySQL alone. */
  stream(): AsyncIterable<unknown>;
  /** What it was made of. */
  readonly of: unknown;
}

interface Caller {
  readonly signal: AbortSignal;
}

export interface Opened {
  attach(app: App): App;
  /** Of what `ctx.db()` or a transaction gives. */
  handle(db: unknown): Handle;
  readonly own: Handle;
  readonly db: unknown;
  transaction<Result>(ctx: Caller, work: (handle: Handle) => Promise<Result>): Promise<Result>;
  /** A transaction that is given another one as its database. */
  within<Result>(outer: Handle, ctx: Caller, work: (handle: Handle) => Promise<Result>): Promise<Result>;
  readonly transactional: ContextMiddleware<{ trx: unknown }>;
  close(): Promise<unknown>;
}

export interface Toolkit {
  readonly name: string;
  open(database: Pick<TestDatabase, 'url' | 'engine'>, options?: DatabaseOptions): Promise<Opened>;
}

interface Tables {
  notes: { id: Generated<number>; name: string };
}

const CREATE = {
  postgres: 'create table notes (id serial primary key, name varchar(100) not null unique)',
  mysql: 'create table notes (id int auto_increment primary key, name varchar(100) not null unique)',
  sqlite: 'create table notes (id integer primary key, name text not null unique)',
};

export async function createNotes(toolkit: Toolkit, database: TestDatabase): Promise<void> {
  const opened = await toolkit.open(database);
  await opened.own.run(CREATE[database.engine]);
  await opened.close();
}

const withKysely: Toolkit = {
  name: 'kysely',
  async open({ url }, options = {}) {
    const db = await kysely.kyselyFromUrl<Tables>(url, options);
    const handle = (given: unknown): Handle => {
      const it = given as Kysely<Tables>;
      return {
        of: given,
        stream: () => it.selectFrom('notes').select('name').stream(),
        insert: (name) => it.insertInto('notes').values({ name }).execute(),
        names: async () =>
          (await it.selectFrom('notes').select('name').orderBy('id').execute()).map(({ name }) => name),
        run: (text) => kyselySql.raw(text).execute(it),
      };
    };
    return {
      db,
      own: handle(db),
      handle,
      attach: (app) => app.withKysely(db),
      transaction: ({ signal }, work) =>
        kysely.transaction({ db: () => db, signal }, (trx) => work(handle(trx))),
      within: ({ of }, { signal }, work) =>
        kysely.transaction({ db: () => of as Kysely<Tables>, signal }, (trx) => work(handle(trx))),
      transactional: kysely.transactional(db),
      close: () => db.destroy(),
    };
  },
};

const tables = {
  postgres: {
    notes: pgCore.pgTable('notes', {
      id: pgCore.serial().primaryKey(),
      name: pgCore.varchar({ length: 100 }).notNull(),
    }),
  },
  mysql: {
    notes: mysqlCore.mysqlTable('notes', {
      id: mysqlCore.int().autoincrement().primaryKey(),
      name: mysqlCore.varchar({ length: 100 }).notNull(),
    }),
  },
  sqlite: {
    notes: sqliteCore.sqliteTable('notes', {
      id: sqliteCore.integer().primaryKey(),
      name: sqliteCore.text().notNull(),
    }),
  },
};

const withDrizzle: Toolkit = {
  name: 'drizzle',
  async open({ url, engine }, options = {}) {
    const schema = tables[engine];
    // As if it were PostgreSQL: what the tests use is spelled the same for all databases.
    const db = (await drizzle.drizzleFromUrl(url, {
      schema,
      ...options,
    })) as unknown as NodePgDatabase<typeof tables.postgres> & { $client: object };
    const notes = schema.notes as typeof tables.postgres.notes;
    const handle = (given: unknown): Handle => {
      const it = given as typeof db & { run?: (query: unknown) => Promise<unknown> };
      return {
        of: given,
        stream: () =>
          (it as unknown as MySql2Database)
            .select({ name: tables.mysql.notes.name })
            .from(tables.mysql.notes)
            .iterator() as AsyncIterable<unknown>,
        insert: async (name) => it.insert(notes).values({ name }),
        names: async () =>
          (await it.select({ name: notes.name }).from(notes).orderBy(notes.id)).map(({ name }) => name),
        run: async (text) =>
          engine === 'sqlite' ? it.run?.(drizzleSql.raw(text)) : it.execute(drizzleSql.raw(text)),
      };
    };
    return {
      db,
      own: handle(db),
      handle,
      attach: (app) => app.withDrizzle(db),
      transaction: ({ signal }, work) =>
        drizzle.transaction({ db: () => db, signal }, (trx) => work(handle(trx))),
      within: ({ of }, { signal }, work) =>
        drizzle.transaction({ db: () => of as typeof db, signal }, (trx) => work(handle(trx))),
      transactional: drizzle.transactional(db),
      async close() {
        const { closeClient } = await import('../sql/handles.js');
        await closeClient(db.$client);
      },
    };
  },
};

export const toolkits: readonly Toolkit[] = [withKysely, withDrizzle];
