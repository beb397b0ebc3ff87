// An application with Kysely: what it declares types `ctx.db()` everywhere. Compiled against the tarball and run.
import assert from 'node:assert/strict';
import { App, createMiddleware, describeRoute } from 'fw';
import { kyselyFromUrl, transaction, transactional } from 'fw/kysely';
import { RpcRegistry } from 'fw/rpc';
import { TestClient } from 'fw/testing';
import { type Generated, sql } from 'kysely';

interface Tables {
  notes: { id: Generated<number>; text: string };
}

const db = await kyselyFromUrl<Tables>(':memory:');
await sql`create table notes (id integer primary key, text text not null)`.execute(db);

declare module 'fw' {
  interface Register {
    db: typeof db;
  }
}

const counted = createMiddleware(async ({ ctx }, next) => {
  const notes: { id: number }[] = await ctx.db().selectFrom('notes').select('id').execute();
  return next({ count: notes.length });
});
const rpc = new RpcRegistry()
  .query('texts', async (_: undefined, { ctx }) => {
    const rows: { text: string }[] = await ctx.db().selectFrom('notes').select('text').execute();
    return rows.map(({ text }) => text);
  })
  .mutation('add', { use: [transactional()] }, async (text: string, { trx }) => {
    await trx.insertInto('notes').values({ text }).execute();
    // @ts-expect-error there is no such table
    const wrong = () => trx.selectFrom('users');
    assert.ok(wrong);
  });
const app = new App()
  .withKysely(db)
  .use(async (ctx, next) => {
    await ctx.db().selectFrom('notes').selectAll().execute();
    return next();
  })
  .mountRpc('/rpc', rpc)
  .get(describeRoute('/count', { use: [counted] }), (_, { count }) => count)
  .post('/notes', (ctx) =>
    transaction(ctx, async (trx) => {
      await trx.insertInto('notes').values({ text: 'one' }).execute();
      // @ts-expect-error there is no such column
      const wrong = () => trx.insertInto('notes').values({ title: 'one' });
      assert.ok(wrong);
    }),
  );

const client = new TestClient(app);
(await client.post('/notes')).assertStatus(204);
(await client.get('/count')).assertText('1');
const called = await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'texts', id: 1 } });
assert.deepEqual(called.json(), { jsonrpc: '2.0', id: 1, result: ['one'] });
await db.destroy();
