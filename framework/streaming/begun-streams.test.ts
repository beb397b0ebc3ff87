// Producers that fail: before their first chunk they are answered, by the status of the error and through onError; after
// it the response is cut off. Both are reported, over every way and for every kind of producer.
import { createReadStream } from 'node:fs';
import { Agent, createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { send } from '../conformance/transports.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import { FwError } from '../http/errors.js';
import { compression } from '../middleware/compression/index.js';
import { cors } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient } from '../testing/index.js';
import { subscribe, type TracingEvent, withSpan } from '../tracing/index.js';
import { SseEvent } from './sse-event.js';

/** When a producer fails: instead of its first chunk, or of its second one. */
type Moment = 'before' | 'after';

/** Resolves when the client has the head. */
let headArrived: Promise<void>;
let arrive = () => {};
beforeEach(() => {
  headArrived = new Promise((resolve) => {
    arrive = resolve;
  });
});

async function* chunks<T>(moment: Moment, chunk: T): AsyncGenerator<T> {
  await new Promise(setImmediate);
  if (moment === 'after') {
    yield chunk;
    await headArrived;
  }
  throw FwError.notFound('no such rows');
}

/** Events in the first turn: the head of an event stream waits no longer. */
async function* events(moment: Moment): AsyncGenerator<SseEvent> {
  if (moment === 'after') {
    yield SseEvent.data('first');
    await headArrived;
  }
  throw FwError.notFound('no such rows');
}

const bytes = (moment: Moment) => chunks(moment, new TextEncoder().encode('first'));

let upstream: Server;
beforeAll(async () => {
  upstream = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).flushHeaders();
    if (request.url === '/after') response.write('first');
    const failing =
      request.url === '/after' ? headArrived : new Promise((resolve) => setTimeout(resolve, 20));
    void failing.then(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => upstream.once('listening', resolve));
});
afterAll(() => void upstream.close());

/** The status of the answer if it fails before its first chunk. */
const producers: Record<
  string,
  [status: number, (ctx: Context, moment: Moment) => HandlerResult | Promise<HandlerResult>]
> = {
  'an async generator': [404, (ctx, moment) => ctx.stream(chunks(moment, 'first'))],
  'a Readable': [404, (ctx, moment) => ctx.stream(Readable.from(chunks(moment, 'first')))],
  'a ReadableStream': [
    404,
    (ctx, moment) => ctx.stream(ReadableStream.from(bytes(moment)) as AsyncIterable<Uint8Array>),
  ],
  'a web Response': [404, (_ctx, moment) => new Response(ReadableStream.from(bytes(moment)))],
  events: [404, (ctx, moment) => ctx.sse(events(moment))],
  'events that keep alive': [404, (ctx, moment) => ctx.sseKeepAlive(events(moment), 60_000)],
  'a response of fetch': [
    500,
    (_ctx, moment) => fetch(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/${moment}`),
  ],
};

interface Got {
  readonly status: number;
  readonly text: Promise<string>;
}

const ways: Record<string, (app: App) => Promise<Got>> = {
  async "fw's own server"(app) {
    const server = await app.listen(0);
    const response = await fetch(server.url);
    return { status: response.status, text: response.text().finally(() => server.close()) };
  },
  async 'a foreign server'(app) {
    const server = createServer(toNodeHandler(app)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return { status: response.status, text: response.text().finally(() => server.close()) };
  },
  async 'app.fetch'(app) {
    const response = await app.fetch(new Request('http://x/'));
    return { status: response.status, text: response.text() };
  },
  async TestClient(app) {
    const stream = await new TestClient(app).stream('/');
    return { status: stream.status, text: stream.rest() };
  },
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
});

function heard(): TracingEvent[] {
  const found: TracingEvent[] = [];
  stops.push(subscribe((event) => void ('error' in event.fields && found.push(event))));
  return found;
}

const around: Record<string, (app: App) => App> = {
  'without middleware': (app) => app,
  'inside of middleware': (app) =>
    app.use(compression()).use((_ctx, next) => withSpan({ tenant: 'acme' }, next)),
};

describe.each(Object.entries(ways))('over %s', (_, ask) => {
  describe.each(Object.entries(around))('%s', (where, wrap) => {
    const span = where === 'without middleware' ? {} : { tenant: 'acme' };

    it.each(Object.entries(producers))('%s that fails at once is answered', async (_name, [status, make]) => {
      const events = heard();
      const app = wrap(new App()).onError((error, ctx) => ctx.json({ handled: error instanceof FwError }));
      const got = await ask(app.get('/', (ctx) => make(ctx, 'before')));
      expect(got.status).toBe(status);
      expect(JSON.parse(await got.text)).toEqual({ handled: status === 404 });
      expect(events.map(({ level, fields }) => [level, fields.status])).toEqual([
        [status === 404 ? 'warn' : 'error', status],
      ]);
    });

    it.each(Object.entries(producers))(
      '%s that fails later is cut off and reported',
      async (_name, [, make]) => {
        const events = heard();
        const got = await ask(wrap(new App()).get('/', (ctx) => make(ctx, 'after')));
        arrive();
        expect(got.status).toBe(200);
        await expect(got.text).rejects.toThrow();
        await vi.waitFor(() => expect(events).toHaveLength(1));
        const [event] = events;
        expect(event?.message).toMatch(/^GET \/ was cut off: ./);
        expect(event).toMatchObject({
          level: 'error',
          fields: { status: 200, isCut: true, method: 'GET' },
          span,
        });
      },
    );
  });

  it('a later failure is printed if nobody has subscribed', async () => {
    const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
    const got = await ask(new App().get('/', (ctx) => ctx.stream(chunks('after', 'first'))));
    arrive();
    await expect(got.text).rejects.toThrow();
    await vi.waitFor(() => expect(stderr).toHaveBeenCalledOnce());
    expect(stderr.mock.calls[0]?.[0]).toMatch(/^GET \/ → 200, cut off: FwError: no such rows\n {4}at /);
  });

  it('a file that is missing is answered with the header fields of the middleware, and without those of the body', async () => {
    heard();
    const app = new App().use(cors({ origin: ['https://a.example'] })).get('/', (ctx) => {
      ctx.header('Content-Disposition', 'attachment');
      return ctx.stream(createReadStream('/nonexistent/file'), 'text/csv');
    });
    const response = await app.fetch(new Request('http://x/', { headers: { Origin: 'https://a.example' } }));
    expect(response.status).toBe(500);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': 'https://a.example',
    });
    expect(response.headers.has('content-disposition')).toBe(false);
  });

  it('onError whose own stream fails is answered by the standard body', async () => {
    const events = heard();
    const app = new App().onError((_error, ctx) => ctx.stream(chunks('before', 'first')));
    const got = await ask(
      app.get('/', () => {
        throw new Error('the first');
      }),
    );
    expect([got.status, JSON.parse(await got.text)]).toEqual([
      404,
      { error: 'NotFound', message: 'no such rows' },
    ]);
    expect(events.map(({ fields }) => fields.status)).toEqual([500, 404]);
  });
});

describe('the first chunk', () => {
  it('is not limited by requestTimeout, which limits the handler', async () => {
    async function* slow(): AsyncGenerator<string> {
      await new Promise((resolve) => setTimeout(resolve, 150));
      yield 'late';
    }
    const app = new App().requestTimeout(50).use((_ctx, next) => next());
    const response = await app.get('/', (ctx) => ctx.stream(slow())).fetch(new Request('http://x/'));
    expect([response.status, await response.text()]).toEqual([200, 'late']);
  });

  it('is not waited for by the head of an event stream', async () => {
    const silent = new ReadableStream<SseEvent>();
    const response = await new App().get('/', (ctx) => ctx.sse(silent)).fetch(new Request('http://x/'));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await response.body?.cancel();
  });

  it('is not waited for when the client has left: the producer is stopped', async () => {
    let stopped = () => {};
    const cancelled = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    const silent = new ReadableStream<Uint8Array>({ cancel: () => stopped() });
    const server = await new App()
      .use((_ctx, next) => next())
      .get('/', () => new Response(silent))
      .listen(0);
    const agent = new Agent();
    const answer = send(server.port, { path: '/' }, agent);
    await expect.poll(() => silent.locked).toBe(true);
    agent.destroy();
    await expect(answer).rejects.toThrow();
    await cancelled;
    await server.close();
  });
});

it('a subscription that fails tells its client, and is printed', async () => {
  const stderr = vi.spyOn(console, 'error').mockImplementation(() => {});
  const rpc = new RpcRegistry().subscriptionWithTypes(
    'rows',
    // biome-ignore lint/correctness/useYield: it fails before
    async function* () {
      throw new Error('no such table');
    },
    'void',
    'string',
  );
  const response = await new App().mountRpc('/rpc', rpc).fetch(
    new Request('http://x/rpc', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"rows"}',
    }),
  );
  expect(await response.text()).toContain('event: error');
  expect(stderr.mock.calls[0]?.[0]).toMatch(
    /^POST \/rpc procedure 'rows' → 500 Error: no such table\n {4}at /,
  );
});
