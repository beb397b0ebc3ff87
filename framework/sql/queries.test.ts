// Queries of both toolkits on every database: rows, errors and events.
import diagnostics from 'node:diagnostics_channel';
import type { LibSQLDatabase } from 'drizzle-orm/libsql';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { App } from '../app/app.js';
import { databaseKinds, type TestDatabase } from '../conformance/databases.js';
import { createNotes, type Opened, toolkits } from '../conformance/sql-toolkits.js';
import type { FwError } from '../http/errors.js';
import { requestId } from '../middleware/request-id.js';
import { RpcRegistry } from '../rpc/registry/registry.js';
import { RpcMode } from '../rpc/registry/rpc-mode.js';
import { TestClient } from '../testing/test-client.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import type { TracingEvent } from '../tracing/event.js';
import { subscribe } from '../tracing/subscribe.js';
import { type FailedQuery, isUniqueViolation } from './database-errors.js';
import type { QueryTrace } from './query-watch.js';

let errors: FwErrorEvent[] = [];
const onError = (message: unknown) => errors.push(message as FwErrorEvent);
beforeEach(() => {
  errors = [];
  diagnostics.subscribe('fw:error', onError);
});
afterEach(() => {
  diagnostics.unsubscribe('fw:error', onError);
});

const KEY = {
  postgres: { constraint: 'notes_name_key', columns: ['name'] },
  mysql: { constraint: 'name', columns: undefined },
  sqlite: { constraint: undefined, columns: ['name'] },
};

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
      let client: TestClient;
      const named = (name: string) => `${toolkit.name} ${name}`;

      beforeAll(async () => {
        opened = await toolkit.open(database, { slowQueryMs: 0 });
        const rpc = new RpcRegistry()
          .query('names', (_: undefined, { ctx }) => opened.handle(ctx.db()).names())
          .mutation('add', async ({ name }: { name: string }, { ctx }) => {
            await opened.handle(ctx.db()).insert(name);
          });
        const rest = RpcRegistry.withMode(RpcMode.Rest).query('names', (_: undefined, { ctx }) =>
          opened.handle(ctx.db()).names(),
        );
        const app = opened
          .attach(new App())
          .use(requestId())
          .mountRpc('/rpc', rpc)
          .mountRest('/api', rest)
          .get('/notes', (ctx) => opened.handle(ctx.db()).names())
          .get('/missing', (ctx) => opened.handle(ctx.db()).run('select * from no_such_table'))
          .post('/notes/:name', async (ctx) => {
            await opened.handle(ctx.db()).insert(named(ctx.req.param('name')));
          });
        client = new TestClient(app);
      });
      afterAll(() => opened.close());

      it('answers with rows, in handlers and in procedures', async () => {
        (await client.post('/notes/first')).assertStatus(204);
        const names = (await client.get('/notes')).json<string[]>();
        expect(names).toContain(named('first'));
        const call = (method: string, id: number, params?: object) => ({
          jsonrpc: '2.0',
          method,
          id,
          params,
        });
        const single = await client.post('/rpc', { json: call('names', 1) });
        expect(single.json()).toMatchObject({ result: names });
        const batch = await client.post('/rpc', {
          json: [call('add', 1, { name: named('batch') }), call('names', 2)],
        });
        expect(batch.json()).toHaveLength(2);
        (await client.get('/api/names')).assertStatus(200);
        expect(errors).toEqual([]);
      });

      it('answers 409 if a unique value is taken, without names of the database', async () => {
        (await client.post('/notes/twice')).assertStatus(204);
        (await client.post('/notes/twice'))
          .assertStatus(409)
          .assertJson({ error: 'Conflict', message: 'already exists' });
        const [{ error } = { error: undefined }] = errors;
        expect(isUniqueViolation(error)).toBe(true);
        expect(error).toMatchObject(KEY[kind.engine]);
        expect(String((error as Error).cause)).toMatch(/uni|dup/i);
        const message = { code: -32009, message: 'already exists' };
        const params = { name: named('twice') };
        const called = await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'add', id: 1, params } });
        expect(called.json()).toMatchObject({ error: message });
        await expect(opened.own.insert(named('twice'))).rejects.toSatisfy(isUniqueViolation);
      });

      it.runIf(toolkit.name === 'drizzle' && kind.engine === 'sqlite')(
        'says so of a batch of statements too, of which nothing is stored',
        async () => {
          const db = opened.db as LibSQLDatabase;
          const insert = (name: string) => db.run(`insert into notes (name) values ('${named(name)}')`);
          const batch = db.batch([insert('of a batch'), insert('of a batch')]);
          await expect(batch).rejects.toSatisfy(isUniqueViolation);
          expect(await opened.own.names()).not.toContain(named('of a batch'));
        },
      );

      it('takes a second row with the same primary key for the same', async () => {
        const id = toolkit.name === 'kysely' ? 70_001 : 50_001;
        const insert = (name: string) =>
          opened.own.run(`insert into notes (id, name) values (${id}, '${named(name)}')`);
        await insert('one row');
        const error = await insert('another row').then(
          () => expect.unreachable(),
          (thrown: unknown) => thrown,
        );
        expect(isUniqueViolation(error)).toBe(true);
        expect(error).toMatchObject({ status: 409, ...(kind.engine !== 'mysql' && { columns: ['id'] }) });
      });

      it('answers 400 to a text that the database cannot store', async () => {
        const { status } = await client.post('/notes/a%00b');
        expect(status).toBe(kind.engine === 'postgres' ? 400 : 204);
        if (kind.engine !== 'postgres') return;
        const params = { name: 'a\u0000b' };
        const called = await client.post('/rpc', { json: { jsonrpc: '2.0', method: 'add', id: 1, params } });
        expect(called.json()).toMatchObject({ error: { message: expect.stringContaining('such as NUL') } });
      });

      it('answers other errors with the generic message, and reports the text', async () => {
        (await client.get('/missing'))
          .assertStatus(500)
          .assertJson({ error: 'DatabaseError', message: 'internal server error' });
        expect(errors).toMatchObject([
          { status: 500, path: '/missing', error: { variant: 'DatabaseError' } },
        ]);
        const error = errors[0]?.error as Error;
        expect(error.message).toContain('no_such_table');
        expect(error.cause).toHaveProperty('code');
        await expect(opened.own.run('select * from no_such_table')).rejects.toMatchObject({
          variant: 'DatabaseError',
        });
      });

      it('leads to the line that ran the statement, and has the statement without its parameters', async () => {
        const failedQueries: FailedQuery[] = [];
        const note = (message: unknown) => failedQueries.push(message as FailedQuery);
        const ran = async (): Promise<FwError> => {
          try {
            await opened.own.insert(named('line'));
            return await opened.own.insert(named('line')).then(() => expect.unreachable());
          } catch (error) {
            return error as FwError;
          }
        };
        const error = await ran();
        // The stack of Kysely 0.29 ends inside of it.
        if (toolkit.name !== 'kysely' || process.env.FW_KYSELY === undefined)
          expect(error.stack).toContain('queries.test.ts');
        expect(error.sql).toMatch(/^insert into \W?notes/);
        expect(JSON.stringify(error)).not.toContain(named('line'));
        const limit = Error.stackTraceLimit;
        diagnostics.subscribe('fw:failed-query', note);
        await ran().finally(() => diagnostics.unsubscribe('fw:failed-query', note));
        expect(failedQueries).toMatchObject([{ sql: error.sql, parameters: [named('line')] }]);
        expect(Error.stackTraceLimit).toBe(limit);
        const missing = await opened.own.run('select * from no_such_table').catch((thrown) => thrown);
        expect(missing).toMatchObject({ sql: 'select * from no_such_table' });
      });

      it('publishes the start and the end of each query on a channel, with its error', async () => {
        const seen: [string, QueryTrace][] = [];
        const take = (event: string) => (trace: unknown) => seen.push([event, trace as QueryTrace]);
        const subscribers = {
          start: take('start'),
          end: take('end'),
          asyncStart: take('asyncStart'),
          asyncEnd: take('asyncEnd'),
          error: take('error'),
        };
        const channel = diagnostics.tracingChannel('fw:query');
        channel.subscribe(subscribers);
        await client.get('/notes');
        await client.get('/missing');
        channel.unsubscribe(subscribers);
        await client.get('/notes');
        const [listed, missing] = [...new Set(seen.map(([, trace]) => trace))];
        expect(seen.map(([event, trace]) => [event, trace === listed])).toEqual([
          ['start', true],
          ['end', true],
          ['asyncEnd', true],
          ['start', false],
          ['end', false],
          ['error', false],
          ['asyncEnd', false],
        ]);
        expect(listed?.sql).toMatch(/^select .*name/);
        expect(missing).toMatchObject({
          sql: 'select * from no_such_table',
          error: { variant: 'DatabaseError' },
        });
      });

      it('publishes slow queries once, with the SQL and the id of the request', async () => {
        const events: TracingEvent[] = [];
        const end = subscribe((event) => events.push(event));
        await client.get('/notes', { headers: { 'X-Request-Id': 'r-1' } });
        await client.post('/notes/slow-one', { headers: { 'X-Request-Id': 'r-2' } });
        end();
        expect(events).toMatchObject([
          { level: 'warn', message: 'slow query', span: { request_id: 'r-1' } },
          { level: 'warn', message: 'slow query', span: { request_id: 'r-2' } },
        ]);
        expect(events[0]?.fields.sql).toMatch(/^select .*name/);
        expect(events[0]?.fields.durationMs).toBeTypeOf('number');
        expect(JSON.stringify(events)).not.toContain('slow-one');
      });
    });
  });
}

it('says which call is missing if no database is attached', async () => {
  const app = new App().get('/', (ctx) => ctx.db());
  (await new TestClient(app).get('/')).assertStatus(500);
  expect(errors[0]?.error).toMatchObject({
    message: 'ctx.db() needs a database: call app.withKysely(db) or app.withDrizzle(db) before',
  });
});
