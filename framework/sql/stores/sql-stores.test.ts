// The stores of sessions, rate limits and tokens in tables, of both toolkits on every database.
import { getTableConfig as ofMysql } from 'drizzle-orm/mysql-core';
import { getTableConfig as ofPg, pgTable, text } from 'drizzle-orm/pg-core';
import { getTableConfig as ofSqlite } from 'drizzle-orm/sqlite-core';
import { CamelCasePlugin, DummyDriver, Kysely, type Migration, MssqlAdapter, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TokenStore } from '../../auth/accounts/token-store.js';
import { databaseKinds, type TestDatabase } from '../../conformance/databases.js';
import { testRateLimitStore } from '../../conformance/rate-limit-store-contract.js';
import { change, stored, testSessionStore } from '../../conformance/session-store-contract.js';
import { type SqlStores, storeToolkits } from '../../conformance/sql-stores.js';
import { storedToken, testTokenStore } from '../../conformance/token-store-contract.js';
import type { RateLimitStore } from '../../middleware/rate-limit/rate-limit-store.js';
import type { SessionStore } from '../../session/session-store.js';
import * as drizzle from '../drizzle/index.js';
import * as kysely from '../kysely/index.js';

const combinations = databaseKinds.flatMap((kind) => storeToolkits.map((toolkit) => ({ kind, toolkit })));

/** What a store gets once the database is there. */
function later<Store extends object>(find: () => Store): Store {
  let store: Store | undefined;
  return new Proxy({} as Store, {
    get: (_, name) => {
      store ??= find();
      const value = Reflect.get(store, name) as (...args: unknown[]) => unknown;
      return value.bind(store);
    },
  });
}

for (const { kind, toolkit } of combinations) {
  describe.skipIf(kind.missing)(`${toolkit.name} on ${kind.engine}`, () => {
    let database: TestDatabase;
    let one: SqlStores;
    let other: SqlStores;
    beforeAll(async () => {
      database = await kind.create();
      one = await toolkit.open(database);
      // SQLite waits for a lock without giving way, so that a process has one handle.
      other = kind.engine === 'sqlite' ? one : await toolkit.open(database);
      await one.createTables();
    });
    afterAll(async () => {
      await one.close();
      if (other !== one) await other.close();
      await database.drop();
    });

    describe('SqlSessionStore', () => {
      testSessionStore(
        'SqlSessionStore',
        later<SessionStore>(() => one.sessions()),
      );

      it('loses no change of two processes, each of which writes many', async () => {
        await one.sessions().create('busy', stored('ada'));
        const stores = [one.sessions(), other.sessions()];
        const writes = Array.from({ length: 40 }, (_, index) =>
          stores[index % 2]?.update('busy', change({ set: new Map([[`v${index}`, `${index}`]]) })),
        );
        expect(await Promise.all(writes)).toEqual(Array(40).fill(true));
        expect((await other.sessions().load('busy'))?.values.size).toBe(42);
      });

      it('removes ten that have expired for each new one, and no other', async () => {
        const store = one.sessions();
        await one.run('delete from sessions');
        for (let index = 0; index < 25; index += 1) await store.create(`old${index}`, stored('eve', 200_000));
        const count = async () => Number((await one.rows('select count(*) as n from sessions'))[0]?.n);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
        try {
          await store.create('new1', stored('eve'));
          expect(await count()).toBe(16);
          await store.create('new2', stored('eve'));
          await store.create('new3', stored('eve'));
          expect(await count()).toBe(3);
          expect(await store.list('eve')).toHaveLength(3);
        } finally {
          vi.useRealTimers();
        }
      });

      it('tells the ids of users apart by case and by spaces', async () => {
        const store = one.sessions();
        await store.create('lea 1', stored('Lea'));
        await store.create('lea 2', stored('lea'));
        await store.create('lea 3', stored('lea '));
        expect(await store.list('lea')).toMatchObject([{ id: 'lea 2' }]);
        expect(await store.end('LEA', 'lea 2')).toBe(false);
        expect(await store.endAll('lea')).toBe(1);
        expect(await store.load('lea 1')).toBeDefined();
        expect(await store.load('lea 3')).toBeDefined();
      });

      it('keeps scopes, labels and values as they are', async () => {
        const user = { id: 'ada', scopes: ['with space', '"', ''], label: "O'Neil 🙂" };
        const values = new Map([
          ['__proto__', '"x"'],
          ['constructor', '"\\u0000🙂"'],
        ]);
        await one.sessions().create('odd', { ...stored('ada'), user, values });
        expect(await other.sessions().load('odd')).toMatchObject({ user, values });
      });

      it('reads scopes that are words, as apps of the templates have written them', async () => {
        await one.sessions().create('words', stored('ada'));
        await one.run(`update sessions set scopes = 'staff admin'`);
        expect((await one.sessions().load('words'))?.user?.scopes).toEqual(['staff', 'admin']);
        await one.run(`update sessions set scopes = ''`);
        expect((await one.sessions().load('words'))?.user?.scopes).toEqual([]);
      });

      it('tells who watches when a session moves and ends, by whatever call', async () => {
        const store = one.sessions();
        const heard: string[] = [];
        for (const key of ['w1', 'w2', 'w3', 'w4']) {
          await store.create(key, stored('watched'));
          store.watch?.(
            { key, userId: 'watched' },
            { ended: () => heard.push(`${key} ended`), moved: (next) => heard.push(`${key} is ${next}`) },
          );
        }
        await store.update('w1', change({ newKey: 'w1b' }));
        await store.delete('w1b');
        await store.end('watched', 'w2');
        await store.end('somebody else', 'w3');
        await store.endAll('watched', { except: 'w4' });
        expect(heard).toEqual(['w1 is w1b', 'w1 ended', 'w2 ended', 'w3 ended']);
      });
    });

    describe('SqlRateLimitStore', () => {
      testRateLimitStore(
        later<RateLimitStore>(() => one.limits()),
        later<RateLimitStore>(() => other.limits()),
      );

      it('counts exactly if a token takes a fraction of a millisecond', async () => {
        const store = one.limits();
        const limit = { max: 7, windowMs: 100_000_000 };
        const states = [];
        for (let index = 0; index < 8; index += 1) states.push(await store.take('thirds', limit));
        expect(states.map(({ isAllowed }) => isAllowed)).toEqual([...Array(7).fill(true), false]);
        expect(states.map(({ remaining }) => remaining)).toEqual([6, 5, 4, 3, 2, 1, 0, 0]);
      });

      it('takes back a token that was given', async () => {
        const store = one.limits();
        const limit = { max: 1, windowMs: 3_600_000 };
        expect((await store.take('given', limit)).isAllowed).toBe(true);
        expect((await store.take('given', limit)).isAllowed).toBe(false);
        await store.giveBack?.('given', limit);
        expect((await store.take('given', limit)).isAllowed).toBe(true);
        await store.giveBack?.('unknown', limit);
      });

      it('tells keys apart by case and by spaces', async () => {
        const limit = { max: 1, windowMs: 3_600_000 };
        const keys = ['Key', 'key', 'key ', "k'ey"];
        const states = await Promise.all(keys.map((key) => one.limits().take(key, limit)));
        expect(states.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true]);
      });

      it('lets nobody wait for longer than a window if the clock was set back', async () => {
        const store = one.limits();
        await store.take('back', { max: 1, windowMs: 3_600_000 });
        const short = { max: 1, windowMs: 300 };
        expect((await store.take('back', short)).retryAfterMs).toBeLessThanOrEqual(300);
        await expect
          .poll(async () => (await store.take('back', short)).isAllowed, { interval: 50 })
          .toBe(true);
      });

      it('removes buckets that are full again on the way', async () => {
        const store = one.limits();
        for (let index = 0; index < 30; index += 1) await store.take(`full${index}`, { max: 1, windowMs: 1 });
        for (let index = 0; index < 50; index += 1) await store.take('used', { max: 100, windowMs: 60_000 });
        const [row] = await one.rows(
          `select count(*) as n from rate_limits where full_at_ms < 0 or ${
            kind.engine === 'mysql' ? '`key`' : 'key'
          } like 'full%'`,
        );
        expect(Number(row?.n)).toBe(0);
      });

      it('refuses a key that the column does not take, instead of shortening it', async () => {
        await expect(one.limits().take('é'.repeat(257), { max: 1, windowMs: 1 })).rejects.toThrow(
          'SqlRateLimitStore: the key has more than 512 bytes; give a digest of it',
        );
      });
    });

    describe('SqlTokenStore', () => {
      testTokenStore(
        'SqlTokenStore',
        later<TokenStore>(() => one.tokens()),
      );

      it('lets one of several processes use and remove a token', async () => {
        await one.tokens().add(storedToken('shared', { userId: 'several' }));
        const stores = [one.tokens(), other.tokens()];
        const used = await Promise.all(
          Array.from({ length: 10 }, (_, at) => stores[at % 2]?.use('shared', at)),
        );
        expect(used.filter((isFirst) => isFirst)).toHaveLength(1);
        const removed = await Promise.all(
          Array.from({ length: 10 }, (_, at) => stores[at % 2]?.remove({ key: 'shared' })),
        );
        expect(removed.sort()).toEqual([...Array(9).fill(0), 1]);
      });

      it('removes ten that have expired for each new one, and none that lasts', async () => {
        const store = one.tokens();
        await one.run('delete from tokens');
        const soon = Date.now() + 200_000;
        await store.add(storedToken('lasting', { expiresAtMs: undefined }));
        for (let index = 0; index < 25; index += 1) {
          await store.add(storedToken(`old${index}`, { expiresAtMs: soon }));
        }
        const count = async () => Number((await one.rows('select count(*) as n from tokens'))[0]?.n);
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
        try {
          await store.add(storedToken('new1'));
          expect(await count()).toBe(17);
          await store.add(storedToken('new2'));
          await store.add(storedToken('new3'));
          expect(await count()).toBe(4);
          expect(await store.find('lasting')).toBeDefined();
        } finally {
          vi.useRealTimers();
        }
      });

      it('tells the ids of users apart by case and by spaces', async () => {
        const store = one.tokens();
        await store.add(storedToken('lea 1', { userId: 'Lea' }));
        await store.add(storedToken('lea 2', { userId: 'lea' }));
        await store.add(storedToken('lea 3', { userId: 'lea ' }));
        expect(await store.list('refresh', 'lea')).toMatchObject([{ key: 'lea 2' }]);
        expect(await store.remove({ kind: 'refresh', userId: 'LEA' })).toBe(0);
        expect(await store.remove({ kind: 'refresh', userId: 'lea' })).toBe(1);
        expect(await store.find('lea 1')).toBeDefined();
        expect(await store.find('lea 3')).toBeDefined();
      });

      it('works in a transaction, with which a use is done or not', async () => {
        await one.tokens().add(storedToken('undone', { userId: 'trx' }));
        const failed = one.withTokens(async (tokens) => {
          expect(await tokens.remove({ key: 'undone' })).toBe(1);
          expect(await tokens.find('undone')).toBeUndefined();
          throw new Error('the change of the app failed');
        });
        await expect(failed).rejects.toThrow('the change of the app failed');
        expect(await one.tokens().find('undone')).toBeDefined();
        await one.withTokens(async (tokens) => {
          expect(await tokens.use('undone', 5)).toBe(true);
          await tokens.add(storedToken('next', { userId: 'trx' }));
        });
        expect(await one.tokens().list('refresh', 'trx')).toMatchObject([{ key: 'next' }]);
      });
    });

    it('uses tables of other names', async () => {
      const names = { sessions: 'app_sessions', limits: 'app_limits', tokens: 'app_tokens' };
      await one.createTables(names);
      await one.sessions(names.sessions).create('named', stored('ada'));
      expect(await one.sessions().load('named')).toBeUndefined();
      expect(await one.sessions(names.sessions).load('named')).toBeDefined();
      await one.limits(names.limits).take('named', { max: 1, windowMs: 60_000 });
      expect(await one.rows(`select * from ${names.limits}`)).toHaveLength(1);
      await one.tokens(names.tokens).add(storedToken('named'));
      expect(await one.tokens().find('named')).toBeUndefined();
      expect(await one.tokens(names.tokens).find('named')).toBeDefined();
    });

    it('uses the tables that the other toolkit makes', async () => {
      const names = { sessions: 'their_sessions', limits: 'their_limits', tokens: 'their_tokens' };
      const their = storeToolkits.find(({ name }) => name !== toolkit.name);
      const theirs = (await their?.open(database)) as SqlStores;
      await theirs.createTables(names);
      await theirs.close();
      await one.sessions(names.sessions).create('a', stored('ada'));
      expect(await one.sessions(names.sessions).load('a')).toMatchObject({ usedAtMs: 2_000 });
      expect((await one.limits(names.limits).take('a', { max: 2, windowMs: 60_000 })).remaining).toBe(1);
      await one.tokens(names.tokens).add(storedToken('a'));
      expect(await one.tokens(names.tokens).list('refresh', 'ada')).toMatchObject([{ key: 'a' }]);
    });
  });
}

describe.each(databaseKinds)('tables of Kysely on $engine', ({ engine, missing, create }) => {
  it.skipIf(missing)(
    'end the sessions and tokens of a user whose row is deleted, through plugins too',
    async () => {
      const database = await create();
      const db = await kysely.kyselyFromUrl<{ members: { id: string } }>(database.url, {
        plugins: [new CamelCasePlugin()],
      });
      const migrations: Record<string, Migration> = {
        '1-members': {
          up: (trx) => sql`create table members (id varchar(36) primary key)`.execute(trx).then(() => {}),
        },
        '2-sessions': { up: (trx) => kysely.createSessionTable(trx, { references: 'members.id' }) },
        '3-tokens': { up: (trx) => kysely.createTokenTable(trx, { references: 'members.id' }) },
      };
      try {
        await kysely.migrateToLatest(db, { migrations });
        const store = new kysely.SqlSessionStore(db);
        const tokens = new kysely.SqlTokenStore(db);
        await expect(store.create('early', stored('ada'))).rejects.toThrow();
        await expect(tokens.add(storedToken('early'))).rejects.toThrow();
        await db.insertInto('members').values({ id: 'ada' }).execute();
        await store.create('a', stored('ada'));
        await store.create('nobody', stored());
        await tokens.add(storedToken('t'));
        await db.deleteFrom('members').execute();
        expect(await tokens.find('t')).toBeUndefined();
        expect(await store.load('a')).toBeUndefined();
        expect(await store.load('nobody')).toBeDefined();
      } finally {
        await db.destroy();
        await database.drop();
      }
    },
    60_000,
  );
  expect(engine).toBeDefined();
});

describe('what is refused', () => {
  const db = new Kysely<Record<never, never>>({
    dialect: {
      createAdapter: () => new MssqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: () => ({}) as never,
      createQueryCompiler: () => ({}) as never,
    },
  });

  it.each([
    [
      () => new kysely.SqlSessionStore({} as never),
      'SqlSessionStore: the database is an object; give a database of Kysely',
    ],
    [() => new kysely.SqlSessionStore(db), 'SqlSessionStore takes a Kysely for PostgreSQL, MySQL or SQLite'],
    [
      () => new kysely.SqlSessionStore(db, { table: 'a; drop table b' }),
      "SqlSessionStore: table is 'a; drop table b'; give the name of a table",
    ],
    [
      () => new kysely.SqlRateLimitStore(db, { name: 'a' } as never),
      "SqlRateLimitStore has no option 'name'",
    ],
    [
      () => new kysely.SqlTokenStore({} as never),
      'SqlTokenStore: the database is an object; give a database of Kysely',
    ],
    [
      () => new kysely.SqlTokenStore(db, { table: '' }),
      "SqlTokenStore: table is ''; give the name of a table",
    ],
    [() => new drizzle.SqlTokenStore({} as never), 'SqlTokenStore: the database is an object'],
    [() => drizzle.pgTokenTable('a b'), "pgTokenTable: the name is 'a b'; give the name of a table"],
    [() => new drizzle.SqlSessionStore({} as never), 'give a database of Drizzle'],
    [
      () => new drizzle.SqlRateLimitStore({ transaction: async () => {} }),
      'SqlRateLimitStore takes a Drizzle for PostgreSQL, MySQL or SQLite',
    ],
    [() => drizzle.pgSessionTable('a b'), "pgSessionTable: the name is 'a b'; give the name of a table"],
    [
      () => drizzle.pgSessionTable('a', { references: 'users.id' as never }),
      'give a function that returns a column',
    ],
  ])('%#', (call, message) => expect(call).toThrow(message));

  it('a reference that names no column', async () => {
    await expect(kysely.createSessionTable(db, { references: 'users' })).rejects.toThrow(
      "createSessionTable: references is 'users'; give a column of another table, such as 'users.id'",
    );
  });
});

describe('tables of Drizzle', () => {
  it('refer to users, whose sessions end with them', () => {
    const users = pgTable('users', { id: text().primaryKey() });
    const [key] = ofPg(drizzle.pgSessionTable('sessions', { references: () => users.id })).foreignKeys;
    expect(key?.onDelete).toBe('cascade');
    expect(key?.reference().foreignColumns[0]).toBe(users.id);
    expect(ofMysql(drizzle.mysqlSessionTable()).foreignKeys).toEqual([]);
    expect(ofSqlite(drizzle.sqliteSessionTable()).name).toBe('sessions');
    const [tokens] = ofPg(drizzle.pgTokenTable('tokens', { references: () => users.id })).foreignKeys;
    expect(tokens?.onDelete).toBe('cascade');
    expect(tokens?.reference().foreignColumns[0]).toBe(users.id);
  });
});
