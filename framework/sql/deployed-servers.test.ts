// Servers as people run them: behind PgBouncer in transaction mode, with TLS, with a role that may not create tables, and
// with statements that somebody cancels.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { bookMakers } from '../conformance/migration-books.js';
import { noOwnMariaDb, OwnMariaDb } from '../conformance/own-mariadb.js';
import { noPgBouncer, PgBouncer } from '../conformance/pgbouncer.js';
import { selfSigned } from '../conformance/self-signed.js';
import { createNotes, toolkits } from '../conformance/sql-toolkits.js';
import { TestClient } from '../testing/test-client.js';
import { kyselyFromUrl } from './kysely/index.js';

const find = (engine: TestDatabase['engine']) => databaseKinds.find((kind) => kind.engine === engine);
const [postgres, mysql] = [find('postgres'), find('mysql')];

async function asRoot<Row>(database: TestDatabase, sql: string): Promise<Row[]> {
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

describe.skipIf(postgres?.missing !== undefined)('PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = (await postgres?.create()) as TestDatabase;
    await createNotes(toolkits[0] as never, database);
  });
  afterAll(() => database.drop());

  describe.skipIf(noPgBouncer !== undefined)('behind PgBouncer in transaction mode', () => {
    let bouncer: PgBouncer;
    beforeAll(async () => {
      bouncer = await PgBouncer.start(database.url);
    });
    afterAll(() => bouncer.stop());

    it.each(toolkits)('queries, and keeps transactions together ($name)', async (toolkit) => {
      const opened = await toolkit.open({ engine: 'postgres', url: bouncer.urlOf(database.url) });
      const signal = new AbortController().signal;
      const rounds = Array.from({ length: 20 }, (_, index) =>
        opened.transaction({ signal }, async (trx) => {
          await trx.insert(`${toolkit.name} ${index}`);
          await wait(5);
          if (index % 2 === 1) throw new Error('taken back');
        }),
      );
      await Promise.allSettled(rounds);
      const names = await opened.own.names();
      expect(names.filter((name) => name.startsWith(toolkit.name))).toHaveLength(10);
      await opened.close();
    });

    it.each(bookMakers)('migrates once, though several do at once ($name)', async (maker) => {
      const own = (await postgres?.create()) as TestDatabase;
      const books = await Promise.all([1, 2, 3].map(() => maker.open(bouncer.urlOf(own.url))));
      const branch = {
        '20260101090000_a': { up: ['create table a (id integer)', 'select pg_sleep(0.1)'] },
        '20260201090000_b': { up: ['insert into a values (1)'] },
      };
      const ran = await Promise.all(books.map((book) => book.with(branch).up()));
      expect(ran.flat().sort()).toEqual(Object.keys(branch));
      expect(await books[0]?.run('select * from a')).toEqual([{ id: 1 }]);
      // Nothing of the lock is left on a connection that others get.
      const held = await asRoot<{ n: number }>(
        own,
        `select count(*)::int as n from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(held).toEqual([{ n: 0 }]);
      await Promise.all(books.map((book) => book.close()));
      await wait(1500);
      await own.drop();
    });
  });

  describe('with TLS', () => {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      sockets.add(client);
      client.on('error', () => {});
      // An SSLRequest of eight bytes, which is answered with S (PostgreSQL protocol, section 55.2.10).
      client.once('data', (request) => {
        if (request.readInt32BE(4) !== 80877103) {
          client.destroy();
          return;
        }
        client.write('S');
        const secure = new TLSSocket(client, { isServer: true, ...selfSigned });
        const upstream = connect(Number(new URL(database.url).port || 5432), '127.0.0.1');
        for (const [from, to] of [
          [secure, upstream],
          [upstream, secure],
        ] as const) {
          from.on('error', () => to.destroy());
          from.pipe(to);
        }
      });
    });
    beforeAll(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterAll(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const urlWith = (query: string): string => {
      const url = new URL(database.url);
      url.port = String((server.address() as { port: number }).port);
      url.search = query;
      return url.href;
    };

    it.each(toolkits)(
      'connects as the URL says, and not to a server that it cannot verify ($name)',
      async (toolkit) => {
        const trusting = await toolkit.open({ engine: 'postgres', url: urlWith('sslmode=no-verify') });
        await trusting.own.insert(`${toolkit.name} over tls`);
        expect(await trusting.own.names()).toContain(`${toolkit.name} over tls`);
        await trusting.close();
        const verifying = await toolkit.open({ engine: 'postgres', url: urlWith('sslmode=verify-full') });
        await expect(verifying.own.names()).rejects.toMatchObject({
          cause: { message: expect.stringMatching(/self.signed/i) },
        });
        await verifying.close();
      },
    );
  });

  it.each(bookMakers)(
    'says that a role may not create tables, and starts with it once others have migrated ($name)',
    async (maker) => {
      const own = (await postgres?.create()) as TestDatabase;
      const role = `fw_reader_${maker.name}_${process.pid}`;
      await asRoot(own, `create role ${role} login; revoke create on schema public from public`);
      const url = Object.assign(new URL(own.url), { username: role }).href;
      const branch = { '20260101090000_own': { up: ['create table own_table (id integer)'] } };
      const owner = await maker.open(own.url);
      const restricted = await maker.open(url);
      expect(await restricted.with(branch).pending()).toEqual(['20260101090000_own']);
      await expect(restricted.with(branch).up()).rejects.toThrow(
        /cannot be made: permission denied for .*; migrate with a role that may create tables$/,
      );
      await owner.with(branch).up();
      await expect(restricted.with(branch).pending()).rejects.toThrow(/permission denied/);
      for (const schema of maker.name === 'drizzle' ? ['public', 'drizzle'] : ['public']) {
        await owner.run(`grant usage on schema ${schema} to ${role}`);
        await owner.run(`grant select on all tables in schema ${schema} to ${role}`);
      }
      expect(await restricted.with(branch).pending()).toEqual([]);
      expect(await restricted.with(branch).up()).toEqual([]);
      await Promise.all([owner.close(), restricted.close()]);
      await asRoot(own, `drop owned by ${role}; drop role ${role}`);
      await own.drop();
    },
  );
});

describe.skipIf(noOwnMariaDb !== undefined)('MariaDB with TLS', () => {
  let server: OwnMariaDb;
  beforeAll(async () => {
    server = await OwnMariaDb.start();
  });
  afterAll(() => server.stop());

  it.each(toolkits)(
    'connects as the URL says, and not to a server that it cannot verify ($name)',
    async (toolkit) => {
      const open = (isVerified: boolean) =>
        toolkit.open({ engine: 'mysql', url: `${server.url}?ssl={"rejectUnauthorized":${isVerified}}` });
      const trusting = await open(false);
      const cipher = await trusting.own.run("show status like 'Ssl_cipher'");
      expect(JSON.stringify(cipher)).toContain('TLS_');
      await trusting.close();
      const verifying = await open(true);
      await expect(verifying.own.run('select 1')).rejects.toThrow(/self.signed/i);
      await verifying.close();
    },
  );
});

describe.skipIf(noOwnMariaDb !== undefined)(
  'MariaDB that rolls back a transaction after a wait for a lock',
  () => {
    let server: OwnMariaDb;
    let url: string;
    beforeAll(async () => {
      server = await OwnMariaDb.start(['--innodb-rollback-on-timeout=ON', '--innodb-lock-wait-timeout=1']);
      const root = await createConnection(server.url);
      await root.query('create database notes');
      await root.end();
      url = server.url.replace(/mysql$/, 'notes');
      await createNotes(toolkits[0] as never, { engine: 'mysql', url } as TestDatabase);
    });
    afterAll(() => server.stop());

    it.each(toolkits)('commits nothing that follows ($name)', async (toolkit) => {
      const opened = await toolkit.open({ engine: 'mysql', url });
      const held = await createConnection(url);
      await held.query('begin');
      await held.query("insert into notes (name) values ('held')");
      const work = opened.transaction({ signal: new AbortController().signal }, async (trx) => {
        await trx.insert('lost');
        await trx.insert('held').catch(() => {});
        await expect(trx.stream()[Symbol.asyncIterator]().next()).rejects.toThrow('nothing was committed');
        await trx.insert('after').catch(() => {});
      });
      await expect(work).rejects.toThrow('nothing was committed');
      await held.end();
      expect(await opened.own.names()).toEqual([]);
      await opened.close();
    });
  },
);

describe.skipIf(mysql?.missing !== undefined)('MariaDB or MySQL', () => {
  it.each(bookMakers)(
    'says that an account may not create tables, and starts with it once others have migrated ($name)',
    async (maker) => {
      const own = (await mysql?.create()) as TestDatabase;
      const account = `fw_${maker.name}_${process.pid}`;
      const owner = await maker.open(own.url);
      await owner.run(`create user ${account} identified by ''`);
      await owner.run(`grant select on ${own.name}.* to ${account}`);
      const restricted = await maker.open(Object.assign(new URL(own.url), { username: account }).href);
      const branch = { '20260101090000_own': { up: ['create table own_table (id integer)'] } };
      expect(await restricted.with(branch).pending()).toEqual(['20260101090000_own']);
      await expect(restricted.with(branch).up()).rejects.toThrow(
        /cannot be made: CREATE command denied .*; migrate with a role that may create tables$/,
      );
      await owner.with(branch).up();
      expect(await restricted.with(branch).pending()).toEqual([]);
      expect(await restricted.with(branch).up()).toEqual([]);
      await restricted.close();
      await owner.run(`drop user ${account}`);
      await owner.close();
      await own.drop();
    },
  );
});

describe('a statement that is cancelled', () => {
  for (const kind of [postgres, mysql]) {
    const isPostgres = kind?.engine === 'postgres';
    const sleep = isPostgres
      ? 'select pg_sleep(30)'
      : 'select sleep(30) as slept from (select 1 union select 2) as two';
    describe.skipIf(kind?.missing !== undefined)(String(kind?.engine), () => {
      let database: TestDatabase;
      const open: (() => Promise<unknown>)[] = [];
      beforeAll(async () => {
        database = (await kind?.create()) as TestDatabase;
      });
      afterEach(async () => {
        for (const close of open.splice(0)) await close();
      });
      afterAll(() => database.drop());

      it.each(toolkits)(
        'by its time limit is answered 503, and the connection goes on ($name)',
        async (toolkit) => {
          const opened = await toolkit.open(database, { statementTimeoutMs: 200, maxConnections: 1 });
          open.push(() => opened.close());
          const app = opened
            .attach(new App())
            .get('/slow', async (ctx) => void (await opened.handle(ctx.db()).run(slow(kind?.engine))))
            .get('/fast', async (ctx) => void (await opened.handle(ctx.db()).run('select 1')));
          const client = new TestClient(app);
          (await client.get('/slow')).assertStatus(503).assertJson({
            error: 'ServiceUnavailable',
            message: 'the database has cancelled the statement; try again later',
          });
          (await client.get('/fast')).assertStatus(204);
        },
      );

      it('by an administrator too', async () => {
        const db = await kyselyFromUrl<Record<string, never>>(database.url);
        open.push(() => db.destroy());
        const { sql } = await import('kysely');
        const running = sql
          .raw(sleep)
          .execute(db)
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        await wait(300);
        await cancelAll(database);
        expect(await running).toMatchObject({ status: 503 });
      });
    });
  }
});

/** PostgreSQL and MariaDB end it by themselves; MySQL's `sleep` returns when it is interrupted. */
function slow(engine: string | undefined): string {
  if (engine === 'postgres') return 'select pg_sleep(30)';
  return 'select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c';
}

async function cancelAll(database: TestDatabase): Promise<void> {
  if (database.engine === 'postgres') {
    await asRoot(
      database,
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = '${database.name}' and pid <> pg_backend_pid() and query like '%pg_sleep%'`,
    );
    return;
  }
  const connection = await createConnection(database.url);
  const [rows] = await connection.query(
    `select id from information_schema.processlist where db = '${database.name}' and info like '%sleep(30)%' and id <> connection_id()`,
  );
  for (const { id } of rows as { id: number }[]) await connection.query(`kill query ${id}`);
  await connection.end();
}
