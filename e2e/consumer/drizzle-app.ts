// An application with Drizzle: what it declares types `ctx.db()` everywhere. Compiled against the tarball and run.
import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { App, describeRoute } from 'fw';
import { drizzleFromUrl, transaction, transactional } from 'fw/drizzle';
import { RpcRegistry } from 'fw/rpc';
import { TestClient } from 'fw/testing';

const notes = sqliteTable('notes', { id: integer().primaryKey(), text: text().notNull() });
const db = await drizzleFromUrl(':memory:', { schema: { notes } });
await db.run(sql`create table notes (id integer primary key, text text not null)`);

declare module 'fw' {
  interface Register {
    db: typeof db;
  }
}

const rpc = new RpcRegistry()
  .query('texts', async (_: undefined, { ctx }) => {
    const rows: { text: string }[] = await ctx.db().query.notes.findMany();
    // @ts-expect-error there is no such table
    assert.equal(ctx.db().query.users, undefined);
    return rows.map((row) => row.text);
  })
  .mutation('add', { use: [transactional()] }, async (text: string, { trx }) => {
    await trx.insert(notes).values({ text });
  });
const app = new App()
  .withDrizzle(db)
  .mountRpc('/rpc', rpc)
  .post(describeRoute('/notes', { use: [transactional()] }), async (_, { trx }) => {
    await trx.insert(notes).values({ text: 'one' });
    // @ts-expect-error there is no such column
    const wrong = () => trx.insert(notes).values({ title: 'one' });
    assert.ok(wrong);
  })
  .post('/more', (ctx) =>
    transaction(ctx, async (trx) => {
      await trx.insert(notes).values({ text: 'two' });
    }),
  );

const client = new TestClient(app);
(await client.post('/notes')).assertStatus(204);
(await client.post('/more')).assertStatus(204);
const called = await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'texts', id: 1 } });
assert.deepEqual(called.json(), { jsonrpc: '2.0', id: 1, result: ['one', 'two'] });
db.$client.close();
