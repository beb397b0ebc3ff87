// Requests whose client leaves, and what else must not leave anything behind in a database or in the process.
import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { createNotes, type Opened, toolkits } from '../conformance/sql-toolkits.js';
import { TestClient } from '../testing/test-client.js';

for (const kind of databaseKinds) {
  describe.skipIf(kind.missing !== undefined)(kind.engine, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await kind.create();
      await createNotes(toolkits[0] as never, database);
    });
    afterAll(() => database.drop());

    describe.each(toolkits)('with $name', (toolkit) => {
      let opened: Opened;
      beforeAll(async () => {
        opened = await toolkit.open(database, { maxConnections: 1, acquireTimeoutMs: 300 });
      });
      afterAll(() => opened.close());

      it('rolls back when the client leaves, even if the handler never ends', async () => {
        let isIn = () => {};
        const entered = new Promise<void>((resolve) => {
          isIn = resolve;
        });
        const app = opened.attach(new App().shutdownGracePeriod(100)).post('/', (ctx) =>
          opened.transaction(ctx, async (trx) => {
            await trx.insert('lost');
            isIn();
            await new Promise(() => {});
          }),
        );
        const server = await app.listen(0);
        const leaving = new AbortController();
        const answer = fetch(server.url, { method: 'POST', signal: leaving.signal });
        await entered;
        leaving.abort();
        await expect(answer).rejects.toThrow();
        // The only connection is free again.
        const names = () => opened.own.names().catch(() => undefined);
        await vi.waitFor(async () => expect(await names()).toEqual([]));
        await server.close();
        opened = await toolkit.open(database, { maxConnections: 1, acquireTimeoutMs: 300 });
      });

      // With SQLite a commit takes no time.
      it.runIf(kind.engine !== 'sqlite')(
        'refuses a query that comes while the transaction is committed',
        async () => {
          let late: Promise<unknown> | undefined;
          await opened.transaction(new AbortController(), async (trx) => {
            await trx.names();
            // Runs when the commit is sent, before its answer is there.
            process.nextTick(() => {
              late = trx.insert('late');
              late.catch(() => {});
            });
          });
          await expect(late).rejects.toThrow();
          expect(await opened.own.names()).toEqual([]);
        },
      );

      it('leaves no listener on the signal', async () => {
        const { signal } = new AbortController();
        await opened.transaction({ signal }, (trx) => trx.names());
        await opened
          .transaction({ signal }, () => Promise.reject(new Error('failed')))
          .catch((error: unknown) => expect(error).toMatchObject({ message: 'failed' }));
        expect(getEventListeners(signal, 'abort')).toEqual([]);
      });

      it('answers 503 if a transaction holds the only connection', async () => {
        const client = new TestClient(
          opened.attach(new App()).get('/', (ctx) => opened.handle(ctx.db()).names()),
        );
        await opened.transaction(new AbortController(), async (trx) => {
          await trx.names();
          (await client.get('/')).assertStatus(503);
        });
        (await client.get('/')).assertStatus(200);
      });
    });
  });
}
