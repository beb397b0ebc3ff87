// The async context is that of the request in everything that fw calls later on its behalf: the application's own
// AsyncLocalStorage, and the span.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { openAnswer } from '../conformance/open-answer.js';
import type { Context } from '../context/context.js';
import type { HandlerResult } from '../context/handlers.js';
import { compression } from '../middleware/compression/index.js';
import { requestId } from '../middleware/index.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { SseEvent } from '../streaming/sse-event.js';
import { startServer, TestClient } from '../testing/index.js';
import { connectWebSocket } from '../testing/websocket/index.js';
import { websocket } from '../websocket/index.js';
import { currentSpan } from './index.js';

const store = new AsyncLocalStorage<string>();
/** The own store and whether the span is that of the request. */
const seen = (): string => `${store.getStore()} ${currentSpan().request_id !== undefined}`;
const MINE = 'mine true';

const mine = (app = new App()): App => app.use((_ctx, next) => store.run('mine', next)).use(requestId());

/** Three chunks, the second one late. */
async function* texts(): AsyncGenerator<string> {
  yield `${seen()};`;
  await new Promise((resolve) => setTimeout(resolve, 5));
  yield `${seen()};`;
  yield `${seen()};`;
}

async function* events(): AsyncGenerator<SseEvent> {
  for await (const text of texts()) yield SseEvent.data(text);
}

const bytes = () => {
  let count = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      count += 1;
      if (count > 3) controller.close();
      else controller.enqueue(new TextEncoder().encode(`${seen()};`));
    },
  });
};

const node = () => {
  let count = 0;
  return new Readable({
    read() {
      count += 1;
      this.push(count > 3 ? null : `${seen()};`);
    },
  });
};

const streams: Record<string, (ctx: Context) => HandlerResult | Promise<HandlerResult>> = {
  'an async generator': (ctx) => ctx.stream(texts()),
  'a generator behind an await': async (ctx) => {
    await new Promise(setImmediate);
    return ctx.stream(texts());
  },
  'a Readable of a generator': (ctx) => ctx.stream(Readable.from(texts())),
  'a Readable': (ctx) => ctx.stream(node()),
  'a ReadableStream': (ctx) => ctx.stream(bytes() as AsyncIterable<Uint8Array>),
  'a web Response': () => new Response(bytes()),
  events: (ctx) => ctx.sse(events()),
  'events that keep alive': (ctx) => ctx.sseKeepAlive(events(), 60_000),
};

const wrapped: Record<string, () => App> = {
  'without compression': () => mine(),
  'behind compression()': () => mine(new App().use(compression())),
};

describe.each(Object.entries(wrapped))('a stream %s has the context of its request', (_, make) => {
  it.each(Object.entries(streams))('%s', async (_name, handler) => {
    const app = make().get('/', handler);
    const server = await startServer(app);
    for (const client of [new TestClient(app), server.client]) {
      expect((await client.get('/')).text().match(/\w+ (?:true|false)/g)).toEqual([MINE, MINE, MINE]);
    }
    await server.close();
  });
});

it.each([RpcMode.JsonRpc, RpcMode.Rest])(
  'a subscription in mode %s, with what its middleware adds',
  async (mode) => {
    const inner = new AsyncLocalStorage<string>();
    const rpc = RpcRegistry.withMode(mode)
      .use((_call, next) => inner.run('of the middleware', next))
      .subscriptionWithTypes(
        'on',
        async function* () {
          for await (const text of texts()) yield `${text}${inner.getStore()}`;
        },
        'void',
        'string',
      );
    const app = mode === RpcMode.Rest ? mine().mountRest('/rpc', rpc) : mine().mountRpc('/rpc', rpc);
    const client = new TestClient(app);
    const answer =
      mode === RpcMode.Rest
        ? await client.get('/rpc/on')
        : await client.post('/rpc', { json: { jsonrpc: '2.0', id: 1, method: 'on' } });
    expect(answer.text().match(/mine true;of the middleware/g)).toHaveLength(3);
  },
);

it('what ends a stream early: finally, cancel and destroy', async () => {
  const ends: string[] = [];
  async function* silent(ctx: Context): AsyncGenerator<string> {
    try {
      yield 'first';
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      yield 'second';
    } finally {
      ends.push(`finally ${seen()}`);
    }
  }
  const cancel = () => void ends.push(`cancel ${seen()}`);
  const start = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1));
  const app = mine()
    .get('/finally', (ctx) => ctx.stream(silent(ctx)))
    .get('/cancel', () => new Response(new ReadableStream({ start, cancel })))
    .get('/destroy', (ctx) => {
      const readable = new Readable({
        read() {},
        destroy(error, done) {
          ends.push(`destroy ${seen()}`);
          done(error);
        },
      });
      readable.push('first');
      return ctx.stream(readable);
    });
  const server = await app.listen(0);
  for (const what of ['finally', 'cancel', 'destroy']) {
    const answer = await openAnswer(`${server.url}/${what}`);
    answer.destroy();
    await vi.waitFor(() => expect(ends.at(-1)).toBe(`${what} ${MINE}`));
  }
  await server.close();
});

it('every callback of a WebSocket', async () => {
  const calls: string[] = [];
  const note = (name: string) => void calls.push(`${name} ${seen()}`);
  const app = mine().websocket(
    '/live',
    websocket({
      data: () => note('data'),
      onOpen(socket) {
        note('onOpen');
        socket.whenClosing(() => note('whenClosing'));
        socket.whenClosed(() => note('whenClosed'));
      },
      async onMessage(socket) {
        note('onMessage');
        await new Promise(setImmediate);
        note('after an await');
        socket.send('answer');
      },
      onDrain: () => note('onDrain'),
      onClose: () => note('onClose'),
    }),
  );
  const socket = await connectWebSocket(app, '/live');
  socket.send('one');
  socket.send('two');
  await socket.nextText();
  await socket.nextText();
  await socket.close();
  await vi.waitFor(() => expect(calls.at(-1)).toBe(`onClose ${MINE}`));
  for (const name of [
    'data',
    'onOpen',
    'onMessage',
    'after an await',
    'whenClosing',
    'whenClosed',
    'onClose',
  ])
    expect(calls).toContain(`${name} ${MINE}`);
  expect(calls.filter((call) => !call.endsWith(MINE))).toEqual([]);
});

it('an error of a WebSocket, which is reported with the span', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const calls: string[] = [];
  const app = mine().websocket(
    '/live',
    websocket({
      onMessage() {
        throw new Error('mine');
      },
      onError: () => void calls.push(seen()),
    }),
  );
  const socket = await connectWebSocket(app, '/live');
  socket.send('one');
  await vi.waitFor(() => expect(calls).toEqual([MINE]));
  await socket.close();
  vi.restoreAllMocks();
});
