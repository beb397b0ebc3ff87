// What a server takes over when it starts, and releases when it ends: connections, signals, event streams and its port.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { App } from '../../app/app.js';
import { LifeCycle } from '../../app/settings/life-cycle.js';
import { openAnswer, readText } from '../../conformance/open-answer.js';
import { exchange, statuses } from '../../conformance/raw-client.js';
import { serveUntil } from './listen.js';

describe('a shutdown', () => {
  it('answers connections that were accepted before the server was loaded', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const answer = openAnswer(`http://127.0.0.1:${port}`);
    const early = (await once(listener, 'connection')) as [Socket];
    const shutdown = new AbortController();
    const handle = new App().get('/', () => 'x').handler();
    const settings = {
      connection: {},
      drainDelayMs: 0,
      gracePeriodMs: 1_000,
      hasWebSockets: false,
      lifeCycle: new LifeCycle(),
    };
    const ended = serveUntil(handle, { listener, event: 'connection', early }, shutdown.signal, settings);
    expect(await readText(await answer)).toBe('x');
    shutdown.abort();
    await ended;
  });

  it('begins immediately if the signal is already aborted', async () => {
    await new App().listenWithShutdown(0, AbortSignal.abort());
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    await new App().serveWithShutdown(listener, AbortSignal.abort());
    expect(listener.listening).toBe(false);
  });

  it('ends an event stream with a signal that has a reason', async () => {
    const reasons: unknown[] = [];
    const app = new App().get('/', (ctx) => {
      ctx.signal.addEventListener('abort', () => reasons.push(ctx.signal.reason));
      return ctx.stream(new ReadableStream(), 'text/event-stream');
    });
    const server = await app.listen(0);
    const answer = await openAnswer(server.url);
    const read = readText(answer);
    await server.close();
    expect(await read).toBe('');
    expect(reasons).toEqual([new Error('the server is shutting down')]);
  });

  it('releases the port for the next server', async () => {
    const { port, close } = await new App().listen(0);
    await expect(new App().listenWithShutdown(port, Promise.resolve())).rejects.toThrow('already in use');
    await close();
    const shutdown = new AbortController();
    const ended = new App().get('/', () => 'x').listenWithShutdown(port, shutdown.signal);
    const read = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { Connection: 'close' } });
      return answer.text();
    };
    await expect.poll(() => read().catch(() => 'not yet')).toBe('x');
    shutdown.abort();
    await ended;
    const next = await new App().listen(port);
    await next.close();
  });

  it('answers HEAD for an event stream, which has no stream to end', async () => {
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const server = await new App()
      .get('/', async (ctx) => {
        begin();
        await gone;
        return ctx.stream(new ReadableStream(), 'text/event-stream');
      })
      .listen(0);
    const head = 'HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = exchange(server.port, head, 5_000);
    await begun;
    const closed = server.close();
    go();
    expect(statuses(await answer)).toEqual([200]);
    await closed;
  });
});

describe('a request that node:http would answer or drop itself', () => {
  const app = () => new App().get('/', (ctx) => ctx.text(`${ctx.req.header('user-agent')}`));

  it.each([
    ['no Host', '', 400, /X-Powered-By: fw/],
    ['two Hosts', 'Host: a\r\nHost: b\r\n', 400, /the Host header is malformed/],
    ['an unknown expectation', 'Host: x\r\nExpect: wonders\r\n', 200, /undefined$/],
    ['a field that comes twice', 'Host: x\r\nUser-Agent: a\r\nUser-Agent: b\r\n', 200, /\r\n\r\na, b$/],
  ])('reaches the App: %s', async (_what, fields, status, text) => {
    const server = await app().listen(0);
    const answer = await exchange(server.port, `GET / HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`, 5_000);
    await server.close();
    expect(statuses(answer)).toEqual([status]);
    expect(answer).toMatch(text);
  });
});
