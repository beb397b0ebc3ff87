// The end of a transaction that a driver does not wait for: the connection goes back to its pool without it.
import { sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Kysely, sql as kyselySql, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import * as fwDrizzle from './drizzle/index.js';
import * as fwKysely from './kysely/index.js';
import { OpenTransaction } from './kysely/open-transaction.js';

const postgres = databaseKinds.find(({ engine }) => engine === 'postgres');
const ctx = { signal: new AbortController().signal };

/** A database whose driver gives up a statement after a time. */
interface Impatient {
  run(sql: string): Promise<unknown>;
  transaction(work: (run: (sql: string) => Promise<unknown>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const kinds: Record<string, (pool: pg.Pool) => Impatient> = {
  kysely(pool) {
    const db = new Kysely<Record<string, never>>({ dialect: new PostgresDialect({ pool }) });
    new App().withKysely(db);
    const on = (it: Kysely<Record<string, never>>) => (text: string) => kyselySql.raw(text).execute(it);
    return {
      run: on(db),
      transaction: (work) => fwKysely.transaction({ ...ctx, db: () => db }, (trx) => work(on(trx))),
      close: () => db.destroy(),
    };
  },
  drizzle(pool) {
    const db = drizzle({ client: pool });
    new App().withDrizzle(db);
    const on = (it: Pick<typeof db, 'execute'>) => async (text: string) => it.execute(drizzleSql.raw(text));
    return {
      run: on(db),
      transaction: (work) => fwDrizzle.transaction({ ...ctx, db: () => db }, (trx) => work(on(trx))),
      close: () => pool.end(),
    };
  },
};

describe.skipIf(postgres?.missing !== undefined).each(Object.keys(kinds))('with %s', (name) => {
  let database: TestDatabase;
  let admin: pg.Client;
  let own: Impatient;
  beforeEach(async () => {
    database = (await postgres?.create()) as TestDatabase;
    admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query('create table rows (n integer)');
    const pool = new pg.Pool({ connectionString: database.url, max: 1, query_timeout: 300 });
    pool.on('error', () => {});
    own = (kinds[name] as (pool: pg.Pool) => Impatient)(pool);
  });
  afterEach(async () => {
    await own.close();
    await admin.end();
    await database.drop();
  });
  const rows = async () => (await admin.query('select n from rows order by n')).rows.map(({ n }) => n);

  it('commits what is written after a statement that was given up', async () => {
    const work = own.transaction(async (run) => {
      await run('insert into rows values (1)');
      await run('select pg_sleep(1.5)');
    });
    await expect(work).rejects.toThrow('Query read timeout');
    // The pool has one connection, on which the server is still busy.
    await expect
      .poll(() => own.run('insert into rows values (2)').then(rows, () => []), { timeout: 30_000 })
      .toContain(2);
    expect(await rows()).not.toContain(1);
    await own.transaction(async (run) => void (await run('insert into rows values (3)')));
    expect(await rows()).toContain(3);
  });

  it('does not let the caller wait for the server', async () => {
    await admin.query('begin');
    await admin.query('lock table rows');
    const work = own.transaction(async (run) => void (await run('insert into rows values (1)')));
    // The lock is released below: whoever waits for the rollback would wait for ever.
    await expect(work).rejects.toThrow('Query read timeout');
    await admin.query('rollback');
    await expect
      .poll(() => own.run('insert into rows values (2)').then(rows, () => []), { timeout: 30_000 })
      .toContain(2);
    expect(await rows()).not.toContain(1);
  });
});

describe('whether a transaction may be open', () => {
  const failing = (error: object) => () =>
    Promise.reject(Object.assign(new Error('Query read timeout'), error));

  it.each<[string, string, object, boolean]>([
    ['a begin without an answer', 'begin', {}, true],
    ['one with an isolation level', 'start transaction isolation level serializable', {}, true],
    ['a commit without an answer', 'commit', {}, true],
    ['a rollback without an answer', 'rollback', {}, true],
    ['a rollback that the server refuses', 'rollback', { message: 'cannot rollback' }, false],
    [
      'one of a connection that Kysely gives up',
      'rollback',
      { message: 'Postgres connection has been discarded' },
      false,
    ],
    ['a lost connection', 'rollback', { message: 'Connection terminated unexpectedly' }, false],
    ['another statement', 'select 1', {}, false],
  ])('after %s', async (_, sql, error, mayBeOpen) => {
    const transaction = new OpenTransaction();
    await expect(transaction.follow(sql, failing(error))).rejects.toThrow();
    expect(transaction.mayBeOpen).toBe(mayBeOpen);
    if (!mayBeOpen) return;
    await transaction.follow('rollback', async () => {});
    expect(transaction.mayBeOpen).toBe(false);
  });

  it('is tried again until the server has answered, or the connection is lost', async () => {
    for (const last of [async () => {}, failing({ message: 'terminated', code: '57P01' })]) {
      const transaction = new OpenTransaction();
      await transaction.follow('rollback', failing({})).catch(() => {});
      const tries = [failing({}), failing({}), last];
      await transaction.rollBack(() => (tries.shift() as () => Promise<void>)());
      expect(tries).toEqual([]);
    }
  });
});
