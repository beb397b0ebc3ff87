// What an App runs when it begins to listen and when it listens, and where it runs nothing.
import diagnostics from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { TestClient } from '../testing/test-client.js';
import { subscribe, type TracingEvent } from '../tracing/index.js';
import { App } from './app.js';
import type { AnnouncedApp } from './app-channel.js';
import { toNodeHandler } from './to-node-handler.js';

const errorsOf = async (work: () => Promise<unknown>): Promise<unknown[]> => {
  const errors: unknown[] = [];
  const onError = (message: unknown) => errors.push(message);
  diagnostics.subscribe('fw:error', onError);
  await work();
  diagnostics.unsubscribe('fw:error', onError);
  return errors;
};

it('starts in the order of registration, before it accepts, and once for all servers', async () => {
  const ran: string[] = [];
  const app = new App()
    .onStart(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ran.push('first');
    })
    .onStart(() => ran.push('second'))
    .onReady(({ url }) => ran.push(url))
    .onClose(() => ran.push('closed'));
  const [one, other] = await Promise.all([app.listen(0), app.listen(0)]);
  const [first, second, ready, ...rest] = ran;
  expect([first, second, rest]).toEqual(['first', 'second', []]);
  expect([one.url, other.url]).toContain(ready);
  await Promise.all([one.close(), other.close()]);
  expect(ran.slice(3)).toEqual(['closed']);
});

it('does not accept connections before the start has ended', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const log: string[] = [];
  const stop = new AbortController();
  let goOn = () => {};
  const app = new App()
    .get('/', () => {
      log.push('answered');
      return 'x';
    })
    .onStart(async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      log.push('started');
    })
    .onReady(() => log.push('ready'));
  const served = app.serveWithShutdown(listener, stop.signal);
  const answer = new TestClient(`http://127.0.0.1:${port}`).get('/');
  await once(listener, 'connection');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(log).toEqual([]);
  goOn();
  (await answer).assertText('x');
  expect(log).toEqual(['started', 'ready', 'answered']);
  stop.abort();
  await served;
});

it.each(['throws', 'rejects'])(
  'does not start if a callback %s, and releases what the others hold',
  async (how) => {
    const ran: string[] = [];
    const error = new Error('the queue is away');
    const app = new App()
      .onClose(() => ran.push('released'))
      .onStart(() => ran.push('taken'))
      .onStart(() => {
        if (how === 'throws') throw error;
        return Promise.reject(error);
      })
      .onStart(() => ran.push('never'))
      .onReady(() => ran.push('never'));
    await expect(app.listen(0)).rejects.toBe(error);
    expect(ran).toEqual(['taken', 'released']);
    await expect(app.listenWithShutdown(0, AbortSignal.abort())).rejects.toBe(error);
    expect(ran).toEqual(['taken', 'released']);
  },
);

it.each(['away', undefined, { code: 7 }])(
  'an onStart that throws %j gives an error with its place',
  async (thrown) => {
    const app = new App().onStart(() => Promise.reject(thrown));
    const error = await app.listen(0).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      cause: thrown,
      message: expect.stringMatching(/^onStart at .*life-cycle\.test\.ts:/),
    });
    expect(error).toMatchObject({ message: expect.stringMatching(/ threw .*, which is not an error$/) });
  },
);

it('may listen elsewhere if a port is in use, and does not start again', async () => {
  const ran: string[] = [];
  const app = new App().onStart(() => ran.push('started')).onClose(() => ran.push('closed'));
  const taken = await new App().listen(0);
  await expect(app.listen(taken.port)).rejects.toThrow(String(taken.port));
  expect(ran).toEqual(['started']);
  const server = await app.listen(0);
  await server.close();
  await taken.close();
  expect(ran).toEqual(['started', 'closed']);
});

it('goes on if a callback of onReady fails, and reports it', async () => {
  const ran: string[] = [];
  const errors = await errorsOf(async () => {
    const app = new App()
      .onReady(() => {
        throw new Error('no browser');
      })
      .onReady(() => Promise.reject(new Error('no mail')))
      .onReady(() => ran.push('third'));
    const server = await app.listen(0);
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
  });
  expect(ran).toEqual(['third']);
  expect(errors).toMatchObject([
    { error: { message: 'no browser' }, method: 'onReady' },
    { error: { message: 'no mail' }, method: 'onReady' },
  ]);
});

it('takes over the callbacks of mounted Apps', async () => {
  const ran: string[] = [];
  const mounted = new App().onStart(() => ran.push('start')).onReady(() => ran.push('ready'));
  const app = new App().route('/mounted', mounted);
  await (await app.listen(0)).close();
  expect(ran).toEqual(['start', 'ready']);
  expect(() => mounted.onStart(() => {})).toThrow('mounted');
  expect(() => mounted.onReady(() => {})).toThrow('mounted');
});

it('names a callback that takes long', async () => {
  vi.useFakeTimers();
  const events: TracingEvent[] = [];
  const end = subscribe((event) => void events.push(event));
  let goOn = () => {};
  const app = new App().onStart(
    () =>
      new Promise<void>((resolve) => {
        goOn = resolve;
      }),
  );
  const listening = app.listen(0);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  goOn();
  await (await listening).close();
  end();
  expect(events.find(({ level }) => level === 'warn')?.message).toMatch(
    /^onStart at .*life-cycle\.test\.ts:\d+:\d+ has not ended after 10 s; the server starts after it$/,
  );
});

it('runs nothing for whoever answers without listening', async () => {
  const ran: string[] = [];
  const app = new App()
    .get('/', () => 'x')
    .onStart(() => ran.push('start'))
    .onReady(() => ran.push('ready'))
    .onClose(() => ran.push('close'));
  (await new TestClient(app).get('/')).assertText('x');
  expect(await (await app.fetch(new Request('http://x/'))).text()).toBe('x');
  expect(await (await app.oneshot(new Request('http://x/'))).text()).toBe('x');
  app.accessList();
  const server = createHttpServer(toNodeHandler(app)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  (await new TestClient(`http://127.0.0.1:${port}`).get('/')).assertText('x');
  server.close();
  expect(ran).toEqual([]);
});

it('neither starts nor listens for a tool that only looks', async () => {
  const ran: string[] = [];
  let found: AnnouncedApp | undefined;
  const look = (message: unknown) => {
    found = message as AnnouncedApp;
    found.isOnlyDescribed = true;
  };
  diagnostics.subscribe('fw:app', look);
  const app = new App().get('/looked-at', () => 'x').onStart(() => ran.push('start'));
  const listening = app.listen(0).then(() => ran.push('listens'));
  await vi.waitFor(() => expect(found).toBeDefined());
  diagnostics.unsubscribe('fw:app', look);
  const description = await found?.describe();
  expect(description?.routes.map(({ path }) => path)).toEqual(['/looked-at']);
  await Promise.race([listening, new Promise((resolve) => setTimeout(resolve, 100))]);
  expect(ran).toEqual([]);
});

it('takes functions', () => {
  expect(() => new App().onStart(1 as never)).toThrow('onStart: the argument is 1; give a function');
  expect(() => new App().onReady('x' as never)).toThrow("onReady: the argument is 'x'; give a function");
});
