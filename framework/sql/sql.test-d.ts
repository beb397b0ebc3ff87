import { int, mysqlTable } from 'drizzle-orm/mysql-core';
import type { MySql2Database } from 'drizzle-orm/mysql2';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { integer as pgInteger, pgTable } from 'drizzle-orm/pg-core';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Kysely, Transaction } from 'kysely';
import { describe, expectTypeOf, it } from 'vitest';
import { App, type Context, route, type UndeclaredDb } from '../index.js';
import { drizzleFromUrl, transaction as inDrizzle, transactional as ofDrizzle } from './drizzle/index.js';
import { kyselyFromUrl, transaction, transactional } from './kysely/index.js';

interface Tables {
  notes: { id: number; text: string };
}

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() });
const signal = new AbortController().signal;

describe('databases', () => {
  it('ctx.db() says what to declare if nothing is declared', () => {
    expectTypeOf<ReturnType<Context['db']>>().toEqualTypeOf<UndeclaredDb>();
  });

  it('an App accepts those of both toolkits, and nothing else', async () => {
    new App().withKysely(await kyselyFromUrl<Tables>(':memory:'));
    new App().withDrizzle(await drizzleFromUrl(':memory:', { schema: { notes } }));
    // @ts-expect-error no database
    new App().withKysely({});
    // @ts-expect-error no database
    new App().withDrizzle({});
  });

  it('that of Drizzle is chosen by the tables of the schema', async () => {
    const postgres = { notes: pgTable('notes', { id: pgInteger() }) };
    expectTypeOf(await drizzleFromUrl('', { schema: postgres })).toExtend<NodePgDatabase<typeof postgres>>();
    const mysql = { notes: mysqlTable('notes', { id: int() }) };
    expectTypeOf(await drizzleFromUrl('', { schema: mysql })).toExtend<MySql2Database<typeof mysql>>();
  });
});

describe('transactions', () => {
  it('of Kysely have the tables of the database', async () => {
    const db = await kyselyFromUrl<Tables>(':memory:');
    expectTypeOf(db).toEqualTypeOf<Kysely<Tables>>();
    const result = transaction({ db: () => db, signal }, async (trx) => {
      expectTypeOf(trx).toEqualTypeOf<Transaction<Tables>>();
      // @ts-expect-error no such table
      trx.selectFrom('users');
      return 1;
    });
    expectTypeOf(result).resolves.toBeNumber();
    new App().get(route('/', { use: [transactional(db)] }), (_, { trx }) => {
      expectTypeOf(trx).toEqualTypeOf<Transaction<Tables>>();
    });
  });

  it('of Drizzle have the schema of the database', async () => {
    const db = await drizzleFromUrl(':memory:', { schema: { notes } });
    await inDrizzle({ db: () => db, signal }, async (trx) => {
      expectTypeOf(await trx.query.notes.findFirst()).toEqualTypeOf<
        { id: number; text: string } | undefined
      >();
      // @ts-expect-error no such table
      trx.query.users;
    });
    await inDrizzle({ db: () => db, signal }, async () => 1, { behavior: 'immediate' });
    new App().get(route('/', { use: [ofDrizzle(db)] }), async (_, { trx }) => {
      expectTypeOf(await trx.select().from(notes)).toEqualTypeOf<{ id: number; text: string }[]>();
    });
  });
});
