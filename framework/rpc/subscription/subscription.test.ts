import { getEventListeners, once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { liveEvents, serving } from '../../conformance/live-events.js';
import { App, FwError } from '../../index.js';
import { PubSub } from '../../streaming/pub-sub.js';
import { TestClient } from '../../testing/index.js';
import { RpcMode, RpcRegistry, tracked } from '../index.js';

afterEach(() => vi.restoreAllMocks());

const READY = 'event: ready\ndata: {"heartbeatMs":15000}';
const DONE = 'event: done\ndata: ';

const counted = { input: z.object({ to: z.coerce.number() }), output: z.object({ n: z.number() }) };

function counter(mode: RpcMode = RpcMode.JsonRpc): RpcRegistry {
  return RpcRegistry.withMode(mode)
    .subscription(
      'count',
      { ...counted, errors: { tooFar: z.object({ most: z.number() }) } },
      async function* ({ to }, { errors, lastEventId }) {
        if (to < 0) throw new Error('secret');
        for (let n = Number(lastEventId ?? 0) + 1; n <= to; n++) {
          if (n > 3) throw errors.tooFar({ most: 3 });
          yield n === 2 ? tracked('2', { n, secret: true } as { n: number }) : { n };
        }
      },
    )
    .query('now', { input: z.object({}) }, () => 1);
}

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const request = (method: string, params: object, more: object = { id: 1 }): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', method, params, ...more }),
});

const ways = {
  jsonrpc: {
    app: (rpc: () => RpcRegistry) => new App().mountRpc('/rpc', rpc()),
    call: (method: string, params: object) => ['/rpc', request(method, params)] as const,
    tooFar: '{"code":-32000,"message":"too far","name":"tooFar","data":{"most":3}}',
    internal: '{"code":-32603,"message":"Internal error"}',
  },
  rest: {
    app: (rpc: (mode: RpcMode) => RpcRegistry) => new App().mountRest('/api', rpc(RpcMode.Rest)),
    call: (method: string, params: object) =>
      [`/api/${method}?${new URLSearchParams(params as Record<string, string>)}`, {} as RequestInit] as const,
    tooFar: '{"status":400,"body":{"error":"tooFar","message":"too far","code":-32000,"data":{"most":3}}}',
    internal: '{"status":500,"body":{"error":"Internal","message":"internal server error"}}',
  },
};

describe.each(Object.entries(ways))('a subscription over %s', (_, way) => {
  const text = async (params: object, headers: Record<string, string> = {}): Promise<string> => {
    const [path, init] = way.call('count', params);
    const app = way.app(counter);
    return (
      await app.fetch(new Request(`http://x${path}`, { ...init, headers: { ...init.headers, ...headers } }))
    ).text();
  };

  it('is a stream of its events, as their schema leaves them, with a frame at its end', async () => {
    const [path, init] = way.call('count', { to: 3 });
    await serving(way.app(counter), async (url) => {
      const { response, frame } = await liveEvents(url + path, init);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      const frames = [READY, 'data: {"n":1}', 'id: 2\ndata: {"n":2}', 'data: {"n":3}', DONE, undefined];
      for (const expected of frames) expect(await frame()).toBe(expected);
    });
    expect(await text({ to: 1 })).toBe(`${READY}\n\ndata: {"n":1}\n\n${DONE}\n\n`);
  });

  it('continues after the last event that the client received', async () => {
    expect(await text({ to: 3 }, { 'Last-Event-ID': '2' })).toBe(`${READY}\n\ndata: {"n":3}\n\n${DONE}\n\n`);
  });

  it('ends with the error that the handler throws', async () => {
    expect(await text({ to: 9 })).toContain(`data: {"n":3}\n\nevent: error\ndata: ${way.tooFar}\n\n`);
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await text({ to: -1 })).toBe(`${READY}\n\nevent: error\ndata: ${way.internal}\n\n`);
    expect(log.mock.calls.join()).toContain("procedure 'count'");
  });

  it('refuses an invalid input, and what middleware refuses, before the stream', async () => {
    const guarded = (mode?: RpcMode) =>
      counter(mode).use((call, next) => {
        if (call.kind === 'subscription' && Object(call.input).to === '7') throw FwError.forbidden('no');
        return next();
      });
    const call = async (to: string): Promise<[string | null, string]> => {
      const [path, init] = way.call('count', { to });
      const response = await way.app(guarded).fetch(new Request(`http://x${path}`, init));
      return [response.headers.get('content-type'), await response.text()];
    };
    const json = expect.stringContaining('application/json');
    expect(await call('many')).toEqual([json, expect.stringContaining('Invalid input: to: ')]);
    expect(await call('7')).toEqual([json, expect.stringContaining('"no"')]);
  });

  it('keeps an idle stream open with comments', async () => {
    let isEnded = false;
    const idle = (mode: RpcMode = RpcMode.JsonRpc) =>
      RpcRegistry.withMode(mode)
        .heartbeat(1)
        .subscription('idle', { input: z.object({}) }, async function* (_, { signal }) {
          try {
            yield await once(signal, 'abort');
          } finally {
            isEnded = true;
          }
        });
    await serving(way.app(idle), async (url) => {
      const [path, init] = way.call('idle', {});
      const { frame } = await liveEvents(url + path, init);
      for (const expected of ['event: ready\ndata: {"heartbeatMs":1}', ': ping', ': ping']) {
        expect(await frame()).toBe(expected);
      }
      // A shutdown ends it, without the frame that would tell the client that it is done.
    });
    expect(isEnded).toBe(true);
  });

  it('has started when its client knows that it is open', async () => {
    let hasStarted = false;
    const rpc = (mode: RpcMode = RpcMode.JsonRpc) =>
      RpcRegistry.withMode(mode).subscription('a', { input: z.object({}) }, async function* (_, { signal }) {
        hasStarted = true;
        yield await once(signal, 'abort');
      });
    const [path, init] = way.call('a', {});
    const { body } = await way.app(rpc).fetch(new Request(`http://x${path}`, init));
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    // Nothing more is produced until it is asked for.
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`${READY}\n\n`);
    expect(hasStarted).toBe(true);
    await reader.cancel();
  });

  it('is not cut by requestTimeout, which limits its start', async () => {
    let start = (): void => {};
    const app = way.app((mode = RpcMode.JsonRpc) =>
      RpcRegistry.withMode(mode)
        .subscription('slow', { input: z.object({}) }, async function* () {
          yield 1;
          await new Promise<void>((resolve) => {
            start = resolve;
          });
          yield 2;
        })
        .subscription(
          'never',
          { input: z.object({}), use: [() => new Promise(() => {})] },
          async function* () {},
        ),
    );
    app.requestTimeout(30);
    await serving(app, async (url) => {
      const [late, lateInit] = way.call('never', {});
      const [path, init] = way.call('slow', {});
      const { frame } = await liveEvents(url + path, init);
      expect([await frame(), await frame()]).toEqual([READY, 'data: 1']);
      const refused = await fetch(url + late, lateInit);
      expect(refused.status).toBe(408);
      // More time than it has went by.
      start();
      expect([await frame(), await frame()]).toEqual(['data: 2', DONE]);
    });
  });
});

describe('a client that leaves', () => {
  /** What the handler saw, in order. */
  const seen: string[] = [];
  let done: () => void;
  let ended: Promise<void>;
  const watched = (rpc = new RpcRegistry()) => {
    seen.length = 0;
    ended = new Promise((resolve) => {
      done = resolve;
    });
    return rpc
      .subscription('waits', { input: z.object({}) }, async function* (_, { signal }) {
        try {
          yield 1;
          await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        } finally {
          seen.push(`finally ${signal.aborted}`);
          done();
        }
      })
      .subscription('deaf', { input: z.object({}) }, async function* (_, { signal }) {
        signal.addEventListener('abort', () => {
          seen.push('abort');
          done();
        });
        yield 1;
        await new Promise(() => {});
      })
      .subscription('floods', { input: z.object({}) }, async function* (_, { signal }) {
        try {
          for (let n = 0; ; n++) yield 'x'.repeat(64 * 1024) + n;
        } finally {
          seen.push(`finally ${signal.aborted}`);
          done();
        }
      });
  };

  it.each([
    ['waits', 'finally true'],
    ['deaf', 'abort'],
    ['floods', 'finally true'],
  ])('ends the handler over a socket: %s', async (name, expected) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await serving(new App().mountRpc('/rpc', watched()), async (url) => {
      const { frame, leave } = await liveEvents(`${url}/rpc`, request(name, {}));
      await frame();
      await frame();
      leave();
      await ended;
    });
    expect(seen).toEqual([expected]);
    expect(log).not.toHaveBeenCalled();
  });

  it.each(['waits', 'deaf'])('ends the handler over fetch, by its signal or its body: %s', async (name) => {
    for (const how of ['signal', 'body'] as const) {
      const controller = new AbortController();
      const app = new App().mountRpc('/rpc', watched());
      const { body } = await app.fetch(
        new Request('http://x/rpc', { ...request(name, {}), signal: controller.signal }),
      );
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await reader.read();
      const pending = reader.read();
      if (how === 'body') await reader.cancel();
      else controller.abort();
      await ended;
      // Without the frame `done`, which would say that the handler has returned.
      expect(await pending).toEqual({ done: true, value: undefined });
    }
  });

  it('asks the handler for no event that the connection cannot take', async () => {
    let made = 0;
    const rpc = new RpcRegistry().subscription('many', { input: z.object({}) }, async function* () {
      for (; ; made++) yield made;
    });
    const { body } = await new App()
      .mountRpc('/rpc', rpc)
      .fetch(new Request('http://x/rpc', request('many', {})));
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    for (let read = 0; read < 3; read++) await reader.read();
    // The frame `ready` and two events: the generator is at the second one.
    expect(made).toBe(1);
    await reader.cancel();
  });

  it('leaves no listener on the signal of the request', async () => {
    const signal = new AbortController().signal;
    const rpc = counter();
    const listeners = () => getEventListeners(signal, 'abort').length;
    for (const to of [1, 9]) {
      const events = (await rpc.call('count', { to }, { signal })) as AsyncIterable<unknown>;
      expect(listeners()).toBe(1);
      await all(events).catch((error: unknown) => expect(error).toMatchObject({ name: 'tooFar' }));
      expect(listeners()).toBe(0);
    }
    await expect(rpc.call('count', { to: 'x' }, { signal })).rejects.toThrow('Invalid input');
    expect(listeners()).toBe(0);
    for await (const _ of (await rpc.call('count', { to: 3 }, { signal })) as AsyncIterable<unknown>) break;
    expect(listeners()).toBe(0);
  });
});

describe('a call in process', () => {
  it('returns the events, without their ids', async () => {
    const events = (await counter().call('count', { to: 3 }, { lastEventId: '1' })) as AsyncIterable<unknown>;
    expect(await all(events)).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it('gets an error, once, where a handler has missed messages: it has no connection that is cut off', async () => {
    const changes = new PubSub<number>({ capacity: 1 });
    const rpc = new RpcRegistry().subscription('follow', (_: undefined, { signal }) => {
      const subscription = changes.subscribe('a', { signal });
      for (const message of [1, 2]) changes.publish('a', message);
      return subscription;
    });
    const events = (await rpc.call('follow', undefined)) as AsyncIterableIterator<unknown>;
    await expect(events.next()).rejects.toThrow(
      'the subscriber has missed messages: it was more than 1 messages behind',
    );
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(changes.count()).toBe(0);
  });

  it('runs the finally of the generator when its loop breaks, and ends with its signal', async () => {
    const seen: string[] = [];
    const rpc = new RpcRegistry().subscription('a', { input: z.object({}) }, async function* (_, { signal }) {
      try {
        yield 1;
        yield await once(signal, 'abort');
      } finally {
        await new Promise((resolve) => setImmediate(resolve));
        seen.push('finally');
      }
    });
    const open = async (signal?: AbortSignal) =>
      (await rpc.call('a', {}, signal === undefined ? {} : { signal })) as AsyncIterableIterator<unknown>;
    for await (const _ of await open()) break;
    expect(seen).toEqual(['finally']);
    const controller = new AbortController();
    const events = await open(controller.signal);
    await events.next();
    const pending = events.next();
    controller.abort();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await all(await open(AbortSignal.abort()))).toEqual([]);
  });

  it('ends by return() while the handler waits for an event, whatever it waits for', async () => {
    const rpc = new RpcRegistry().subscription('a', { input: z.object({}) }, async function* () {
      yield await new Promise(() => {});
    });
    const events = (await rpc.call('a', {})) as AsyncIterableIterator<unknown>;
    const pending = events.next();
    expect(await events.return?.()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
  });

  it('stops the generator whose event does not match the schema', async () => {
    let isEnded = false;
    const rpc = new RpcRegistry().subscription(
      'a',
      { input: z.object({}), output: z.number() },
      async function* () {
        try {
          yield 'no' as never;
        } finally {
          isEnded = true;
        }
      },
    );
    const events = (await rpc.call('a', {})) as AsyncIterable<unknown>;
    await expect(all(events)).rejects.toThrow("the result of procedure 'a' does not match");
    expect(isEnded).toBe(true);
  });

  it.each([
    [Symbol('x'), 'a symbol'],
    [undefined, 'undefined'],
    [null, 'null'],
    ['text', "'text'"],
  ])('fails if the iterator gives %s for a result', async (result, shown) => {
    const next = vi.fn(async () => result);
    const broken = new RpcRegistry().subscriptionWithTypes(
      'broken',
      () => ({ [Symbol.asyncIterator]: () => ({ next }) }) as never,
      'void',
      'unknown',
    );
    const events = (await broken.call('broken')) as AsyncIterable<unknown>;
    await expect(
      (async () => {
        for await (const _ of events);
      })(),
    ).rejects.toThrow(`next() of subscription 'broken' gave ${shown}; give { done, value }`);
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('is refused if the handler returns no iterable', async () => {
    const rpc = new RpcRegistry().subscription('a', { input: z.object({}) }, (() => 5) as never);
    await expect(rpc.call('a', {})).rejects.toThrow(
      "subscription 'a' returned a number; make its handler an async generator",
    );
  });
});

it('an event that JSON cannot represent ends the stream with an error, and the generator', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isEnded = false;
  const rpc = new RpcRegistry().subscription('a', { input: z.object({}) }, async function* () {
    try {
      yield new Map();
    } finally {
      isEnded = true;
    }
  });
  const app = new App().mountRpc('/rpc', rpc);
  const text = await (await app.fetch(new Request('http://x/rpc', request('a', {})))).text();
  expect(text).toBe(`${READY}\n\nevent: error\ndata: {"code":-32603,"message":"Internal error"}\n\n`);
  expect(isEnded).toBe(true);
});

describe('JSON-RPC', () => {
  const client = new TestClient(new App().mountRpc('/rpc', counter()));
  const message = { jsonrpc: '2.0', method: 'count', params: { to: 1 }, id: 1 };

  it('refuses a subscription in a batch and in handleRequest, and ignores a notification', async () => {
    const error = {
      code: -32600,
      message: expect.stringContaining("'count' is a subscription, which is called alone in an HTTP request"),
    };
    const batch = await client.post('/rpc', { json: [message, { ...message, method: 'now', id: 2 }] });
    expect(JSON.parse(batch.text())).toMatchObject([
      { id: 1, error },
      { id: 2, result: 1 },
    ]);
    const output = (await counter().handleRequest(JSON.stringify(message))).intoBody();
    expect(JSON.parse(new TextDecoder().decode(output))).toMatchObject({ error });
    (await client.post('/rpc', { json: { ...message, id: undefined } })).assertStatus(204);
  });

  it('says that there is no procedure of another name', async () => {
    const answer = await client.post('/rpc', { json: { ...message, method: 'other' } });
    expect(JSON.parse(answer.text())).toMatchObject({ error: { code: -32601 } });
  });
});

it.each(['', 'a\nb', 'a\0', 5])('an event cannot have the id %j', (id) => {
  expect(() => tracked(id as string, 1)).toThrow(/id/);
});

it.each([0, 1.5, 2 ** 31, Number.NaN])('the heartbeat cannot be %d', (ms) => {
  expect(() => new RpcRegistry().heartbeat(ms)).toThrow(
    'give a whole number of milliseconds from 1 to 2147483647',
  );
});

it('a subscription in REST mode has the input of a query', () => {
  const rpc = RpcRegistry.withMode(RpcMode.Rest);
  const nested = { input: z.object({ a: z.object({ b: z.string() }) }) };
  expect(() => rpc.subscription('a', nested, async function* () {})).toThrow(
    "the input of subscription 'a' cannot be sent in a query string",
  );
});
