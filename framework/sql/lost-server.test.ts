// A database server that goes away and comes back, an exhausted pool, and the end of a pool after the drain.
import diagnostics from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { DatabaseProxy, databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { createNotes, type Handle, toolkits } from '../conformance/sql-toolkits.js';
import { TestClient } from '../testing/test-client.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';

const LOAD = 20;
const SLOW = { postgres: 'select pg_sleep(0.3)', mysql: 'select sleep(0.3)', sqlite: 'select 1' };

let errors: FwErrorEvent[] = [];
const onError = (message: unknown) => errors.push(message as FwErrorEvent);
beforeEach(() => {
  errors = [];
  diagnostics.subscribe('fw:error', onError);
});
afterEach(() => {
  diagnostics.unsubscribe('fw:error', onError);
});

for (const kind of databaseKinds.filter(({ engine }) => engine !== 'sqlite')) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await kind.create();
      await createNotes(toolkits[0] as never, database);
    });
    afterAll(() => database.drop());

    /** Waits until the server has no connections to the database any more. */
    async function untilUnused(): Promise<void> {
      while ((await database.connections()) > 0) await wait(20);
    }

    describe.each(toolkits)('with $name', (toolkit) => {
      it('answers 503 while the server is away, and works when it is back', async () => {
        const { proxy, url } = await DatabaseProxy.before(database);
        const options = { maxConnections: 4, acquireTimeoutMs: 1_000 };
        const opened = await toolkit.open({ url, engine: database.engine }, options);
        const app = opened
          .attach(new App())
          .get('/', (ctx) => opened.handle(ctx.db()).names())
          .get('/slow', (ctx) => opened.handle(ctx.db()).run(SLOW[database.engine]) as Promise<object>)
          .post('/transaction', (ctx) => opened.transaction(ctx, (trx) => trx.names()));
        const server = await app.listen(0);
        const client = new TestClient(server.url);
        (await client.get('/')).assertStatus(200);

        const statuses = new Set<number>();
        let isLoaded = true;
        const load = Array.from({ length: LOAD }, async (_, index) => {
          while (isLoaded) {
            const answer =
              index % 2 === 0
                ? await client.get(index % 4 === 0 ? '/' : '/slow')
                : await client.post('/transaction');
            statuses.add(answer.status);
          }
        });
        const seen = async (status: number) => {
          statuses.clear();
          while (!statuses.has(status)) await wait(10);
        };
        await seen(200);
        for (let times = 0; times < 3; times++) {
          proxy.goAway();
          await seen(503);
          proxy.comeBack();
          await seen(200);
        }
        isLoaded = false;
        await Promise.all(load);
        for (let times = 0; times < 8; times++) {
          (await client.get('/')).assertStatus(200);
          (await client.post('/transaction')).assertStatus(200);
        }
        const failed = errors.filter(({ path }) => path !== '');
        expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([503]));
        expect(failed.every(({ error }) => (error as Error).cause !== undefined)).toBe(true);
        await server.close();
        proxy.close();
      });

      it('survives the loss of connections that are idle, or between two queries of a transaction', async () => {
        const { proxy, url } = await DatabaseProxy.before(database);
        const opened = await toolkit.open({ url, engine: database.engine }, { acquireTimeoutMs: 1_000 });
        const idle = opened.own.names();
        const { signal } = new AbortController();
        const lost = opened.transaction({ signal }, async (trx: Handle) => {
          await trx.insert('lost');
          await idle;
          proxy.goAway();
          while (!errors.some(({ method }) => method === 'database')) await wait(10);
          await trx.insert('lost too');
        });
        await expect(lost).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
        expect(errors[0]).toMatchObject({ status: 500, method: 'database', path: '' });
        proxy.comeBack();
        expect(await opened.own.names()).not.toContain('lost');
        await opened.close();
        proxy.close();
      });

      it('answers 503 if no connection is free in time, and serves those who wait less', async () => {
        const options = { maxConnections: 1, acquireTimeoutMs: 1_000 };
        const opened = await toolkit.open(database, options);
        const app = opened.attach(new App()).get('/', (ctx) => opened.handle(ctx.db()).names());
        const client = new TestClient(app);
        const { signal } = new AbortController();
        await opened.transaction({ signal }, async (trx) => {
          await trx.names();
          const answer = await client.get('/');
          answer.assertStatus(503).assertHeader('retry-after', '1').assertJson({
            error: 'ServiceUnavailable',
            message: 'the database is not available; try again later',
          });
        });
        (await client.get('/')).assertStatus(200);
        await opened.close();
      });

      it('closes the pool after the drain: requests in flight still query', async () => {
        const opened = await toolkit.open(database);
        let isIn = () => {};
        const entered = new Promise<void>((resolve) => {
          isIn = resolve;
        });
        let goOn = () => {};
        const held = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        const app = opened.attach(new App()).get('/', async (ctx) => {
          isIn();
          await held;
          return opened.handle(ctx.db()).names();
        });
        await opened.own.names();
        const server = await app.listen(0);
        const answer = new TestClient(server.url).get('/');
        await entered;
        const closed = server.close();
        expect(await database.connections()).toBeGreaterThan(0);
        goOn();
        (await answer).assertStatus(200);
        await closed;
        await untilUnused();
        await expect(opened.own.names()).rejects.toMatchObject({ status: 503 });
      });
    });

    it('cancels a statement that takes longer than it may', async () => {
      for (const toolkit of toolkits) {
        const opened = await toolkit.open(database, { statementTimeoutMs: 50 });
        await expect(opened.own.run(SLOW[database.engine])).rejects.toMatchObject({ status: 503 });
        await opened.close();
      }
    });
  });
}

it('is not the end of a process that a server is never there', async () => {
  for (const toolkit of toolkits) {
    for (const engine of ['postgres', 'mysql'] as const) {
      const opened = await toolkit.open({ engine, url: `${engine}://nobody:secret@127.0.0.1:1/none` });
      const failed = (await opened.own.names().catch((error: unknown) => error)) as Error;
      expect(failed).toMatchObject({ status: 503, cause: { code: 'ECONNREFUSED' } });
      await opened.close();
    }
  }
});
