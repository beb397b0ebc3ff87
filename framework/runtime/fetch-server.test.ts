import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { SseEvent } from '../streaming/sse-event.js';
import { formatAddress } from './address.js';
import { listen as listenOnBun } from './bun/index.js';
import { listen as listenOnDeno } from './deno/index.js';
import type { Answer, Runtime } from './fetch-server.js';
import type { RunningServer } from './node/listen.js';

/** A runtime whose server is called by the test, and which stops when the test says so. */
function runtimeOf(given: Partial<Runtime> = {}) {
  const calls: string[] = [];
  let answer: Answer = () => new Response();
  let stopped = () => {};
  const runtime: Runtime = {
    name: 'Bun',
    isHere: true,
    checksHost: false,
    start(given, wanted) {
      answer = given;
      calls.push(`start ${formatAddress(wanted)}`);
      const stopping = new Promise<void>((resolve) => {
        stopped = resolve;
      });
      return {
        port: 4711,
        stop() {
          calls.push('stop');
          return stopping;
        },
        cut() {
          calls.push('cut');
          stopped();
        },
      };
    },
    readPeer: (_request, info) => info as { address: string; port: number },
    upgradeOf: () => {
      throw new Error('nobody asks for an upgrade');
    },
    streams: (_request, info) => calls.push(`stream for ${JSON.stringify(info)}`),
    ...given,
  };
  const ask = (path: string, info?: unknown, headers: Record<string, string> = {}) =>
    answer(new Request(`http://x${path}`, { headers }), info) as Response | Promise<Response>;
  return { runtime, calls, ask, stopped: () => stopped() };
}

async function listening(app: App, given: Partial<Runtime> = {}) {
  const fake = runtimeOf(given);
  const server: RunningServer = await app.listenOn(fake.runtime, 'localhost:0');
  return { ...fake, server };
}

/** An app with an event stream that only its signal ends. */
function streaming(ends: string[]): App {
  return new App()
    .get('/events', (ctx) => {
      ctx.signal.addEventListener('abort', () => ends.push(`${ctx.signal.reason}`));
      return ctx.sse(
        (async function* () {
          try {
            yield SseEvent.data('1');
            await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
          } finally {
            ends.push('finally');
          }
        })(),
      );
    })
    .get('/bytes', (ctx) => ctx.stream(silentAfter('first')));
}

/** A stream that gives nothing more. */
function silentAfter(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
}

async function readerOf(answer: Response | Promise<Response>) {
  return (await answer).body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
}

describe('a server of a fetch runtime', () => {
  it('has the address that was asked for, with the port that it got', async () => {
    const { server, calls } = await listening(new App());
    expect(calls).toEqual(['start localhost:0']);
    expect({ ...server, close: undefined }).toEqual({
      host: 'localhost',
      port: 4711,
      url: 'http://localhost:4711',
      close: undefined,
    });
  });

  it('answers without a promise if nothing is awaited, and knows its peer', async () => {
    const app = new App()
      .get('/at-once', (ctx) => ctx.json([ctx.peerAddr(), ctx.clientIp()]))
      .get('/later', async () => 'later');
    const { ask } = await listening(app);
    const peer = { address: '192.0.2.1', port: 9 };
    const answer = ask('/at-once', peer);
    expect(answer).toBeInstanceOf(Response);
    expect(await (answer as Response).json()).toEqual([peer, '192.0.2.1']);
    const later = ask('/later', peer);
    expect(later).toBeInstanceOf(Promise);
    expect(await (await later).text()).toBe('later');
  });

  it('is told of streams alone', async () => {
    const { ask, calls } = await listening(streaming([]).get('/text', () => 'text'));
    await ask('/text', 'a');
    await ask('/events', 'b');
    await ask('/bytes', 'c');
    expect(calls.slice(1)).toEqual(['stream for "b"', 'stream for "c"']);
  });

  it('is not started on another runtime, or at a malformed address', async () => {
    const here = runtimeOf();
    await expect(new App().listenOn(here.runtime, 'nonsense')).rejects.toMatchObject({ code: 'FW_ADDRESS' });
    expect(here.calls).toEqual([]);
    await expect(listenOnBun(new App(), 0)).rejects.toThrow('this process does not run on Bun');
    await expect(listenOnDeno(new App(), 0)).rejects.toThrow('this process does not run on Deno');
  });

  it('that cannot start says where and why', async () => {
    const start = () => {
      throw Object.assign(new Error('Failed to start server'), { code: 'EADDRINUSE' });
    };
    await expect(new App().listenOn(runtimeOf({ start }).runtime, 80)).rejects.toMatchObject({
      message: expect.stringMatching(/^cannot listen on 127\.0\.0\.1:80: the port is already in use/),
      code: 'EADDRINUSE',
    });
  });
});

describe('the shutdown of a server of a fetch runtime', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits for what is in flight, then runs the callbacks of onClose, once', async () => {
    const ends: string[] = [];
    const { server, calls, stopped } = await listening(new App().onClose(() => ends.push('closed')));
    const closing = server.close();
    expect(server.close()).toBe(closing);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(calls.slice(1)).toEqual(['stop']);
    expect(ends).toEqual([]);
    stopped();
    await closing;
    expect(ends).toEqual(['closed']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('cuts off what outlasts the grace period', async () => {
    const { server, calls } = await listening(new App().shutdownGracePeriod(200));
    const closing = server.close();
    await vi.advanceTimersByTimeAsync(199);
    expect(calls.at(-1)).toBe('stop');
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.at(-1)).toBe('cut');
    await closing;
  });

  it('cuts other streams at the end of the grace period', async () => {
    const { server, ask } = await listening(streaming([]).shutdownGracePeriod(200));
    const bytes = await readerOf(ask('/bytes'));
    await bytes.read();
    const cut = expect(bytes.read()).rejects.toBeUndefined();
    const closing = server.close();
    await vi.advanceTimersByTimeAsync(200);
    await cut;
    await closing;
  });

  it('ends event streams at once, with their signals, and no other streams', async () => {
    const ends: string[] = [];
    const { server, ask, stopped } = await listening(streaming(ends));
    const events = await readerOf(ask('/events'));
    const bytes = await readerOf(ask('/bytes'));
    expect(new TextDecoder().decode((await events.read()).value)).toBe('data: 1\n\n');
    await bytes.read();
    let isByteRead = false;
    const waiting = bytes.read().then(() => {
      isByteRead = true;
    });
    const pending = events.read();
    const closing = server.close();
    expect((await pending).done).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(ends).toEqual(['Error: the server is shutting down', 'finally']);
    expect(isByteRead).toBe(false);
    await bytes.cancel();
    await waiting;
    stopped();
    await closing;
  });

  it('ends event streams that begin meanwhile, and leaves those alone that have ended', async () => {
    const ends: string[] = [];
    const app = streaming(ends).get('/short', (ctx) =>
      ctx.sse(
        (async function* () {
          yield SseEvent.data('1');
          ctx.signal.addEventListener('abort', () => ends.push('aborted after its end'));
        })(),
      ),
    );
    app.get('/broken', (ctx) => ctx.sse(ReadableStream.from([SseEvent.data('1'), 'no event'] as never[])));
    const { server, ask, stopped } = await listening(app);
    expect(await (await ask('/short')).text()).toBe('data: 1\n\n');
    const left = await readerOf(ask('/short'));
    await left.read();
    await left.cancel();
    await expect((await ask('/broken')).text()).rejects.toBeUndefined();
    const closing = server.close();
    expect((await (await readerOf(ask('/events'))).read()).done).toBe(true);
    expect(ends).toEqual(['Error: the server is shutting down', 'finally']);
    stopped();
    await closing;
  });
});

describe('a malformed Host', () => {
  const hosts = [
    'a/now?',
    'a/now#',
    'a:80/now?',
    '[::1]/now?',
    'a@b/now?',
    'a\\now?',
    'a b',
    'a,b',
    '[::1',
    'a:b',
  ];

  it.each(hosts)('is answered 400 where the runtime makes a URL of it: %s', async (host) => {
    const app = new App().get('/now', () => 'now').get('/any', () => 'any');
    const { ask } = await listening(app, { name: 'Deno', checksHost: true });
    // As Deno makes it of `GET /any`: the path is that of the Host field.
    for (const path of ['/now?/any', '/any']) {
      const response = await ask(path, undefined, { host });
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Host')]);
    }
    for (const good of ['a', 'a:80', '[::1]:80', 'a.b:', '']) {
      expect((await ask('/any', undefined, { host: good })).status).toBe(200);
    }
  });
});

it('is not ready from the start of a drain, and stops after its delay', async () => {
  vi.useFakeTimers();
  const app = new App().health('/healthz').drainDelay(5_000);
  const { server, calls, ask, stopped } = await listening(app);
  expect((await ask('/healthz')).status).toBe(200);
  const closed = server.close();
  expect((await ask('/healthz')).status).toBe(503);
  await vi.advanceTimersByTimeAsync(4_999);
  expect(calls).not.toContain('stop');
  await vi.advanceTimersByTimeAsync(1);
  expect(calls).toContain('stop');
  stopped();
  await closed;
  vi.useRealTimers();
});
