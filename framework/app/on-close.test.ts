// What an App runs when its servers have closed, and the databases that it accepts.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { ConfigError } from '../config-error.js';
import { kyselyFromUrl } from '../sql/kysely/index.js';
import { TestClient } from '../testing/test-client.js';
import { App } from './app.js';

it('runs callbacks once, after the last server has closed, the last one first', async () => {
  const ran: string[] = [];
  const app = new App()
    .onClose(() => ran.push('first'))
    .onClose(async () => {
      await null;
      ran.push('second');
    });
  const [one, other] = [await app.listen(0), await app.listen(0)];
  await one.close();
  expect(ran).toEqual([]);
  await Promise.all([other.close(), other.close()]);
  expect(ran).toEqual(['second', 'first']);
  await app.listenWithShutdown(0, AbortSignal.abort());
  expect(ran).toHaveLength(2);
});

it('runs callbacks after requests in flight', async () => {
  const log: string[] = [];
  const stop = new AbortController();
  const app = new App()
    .onClose(() => log.push('closed'))
    .get('/', async () => {
      stop.abort();
      await new Promise((resolve) => setImmediate(resolve));
      log.push('answered');
      return 'x';
    });
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const served = app.serveWithShutdown(listener, stop.signal);
  (await new TestClient(`http://127.0.0.1:${port}`).get('/')).assertText('x');
  await served;
  expect(log).toEqual(['answered', 'closed']);
});

it('takes over the callbacks of mounted Apps, and goes on after an error', async () => {
  const ran: string[] = [];
  const errors: unknown[] = [];
  const onError = (message: unknown) => errors.push(message);
  diagnostics.subscribe('fw:error', onError);
  const error = new Error('it broke');
  const mounted = new App().onClose(() => ran.push('mounted'));
  const app = new App()
    .onClose(() => ran.push('own'))
    .route('/mounted', mounted)
    .onClose(() => {
      throw error;
    });
  await (await app.listen(0)).close();
  diagnostics.unsubscribe('fw:error', onError);
  expect(ran).toEqual(['mounted', 'own']);
  expect(errors).toEqual([{ error, status: 500, method: 'onClose', path: '' }]);
  expect(() => mounted.onClose(() => {})).toThrow(ConfigError);
  expect(() => new App().onClose(1 as never)).toThrow('onClose: the argument is 1; give a function');
});

it('accepts one database, on the App that listens', async () => {
  const db = await kyselyFromUrl(':memory:');
  expect(() => new App().withKysely({} as never)).toThrow(
    'withKysely takes a database of Kysely, such as kyselyFromUrl() makes',
  );
  expect(() => new App().withDrizzle(db as never)).toThrow('withDrizzle takes a database of Drizzle');
  expect(() => new App().withKysely(undefined as never)).toThrow(ConfigError);
  expect(() => new App().withKysely(db).withKysely(db)).toThrow('a database is attached already');
  expect(() => new App().withKysely(db, { slowQueryMs: -1 })).toThrow('withKysely: slowQueryMs is -1');
  expect(() => new App().route('/x', new App().withKysely(db))).toThrow(
    "the App mounted under '/x' sets withKysely; set it on the App that listens",
  );
  const app = new App().withKysely(db).route(
    '/x',
    new App().get('/', (ctx) => String((ctx.db() as unknown) === db)),
  );
  await db.introspection.getTables();
  const server = await app.listen(0);
  (await new TestClient(server.url).get('/x')).assertText('true');
  await server.close();
  await expect(db.introspection.getTables()).rejects.toThrow();
});
