// A line that is logged while a request is handled has the id of that request in the log, wherever it is logged: in process
// and over HTTP, in handlers, procedures, batches, streams, subscriptions and callbacks of WebSockets.
import { afterEach, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { Context } from '../context/context.js';
import { requestId } from '../middleware/index.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { SseEvent } from '../streaming/sse-event.js';
import { startServer, TestClient } from '../testing/index.js';
import { connectWebSocket } from '../testing/websocket/index.js';
import { consoleSubscriber, log, subscribe } from '../tracing/index.js';
import { websocket } from '../websocket/index.js';

let end = () => {};
afterEach(() => end());

/** The lines of the app as a log collector gets them. */
function collect(): { msg: string; request_id?: string }[] {
  const lines: { msg: string; request_id?: string }[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const print = consoleSubscriber({ format: 'json', output: { write } });
  end = subscribe((event) => event.from === 'app' && print(event));
  return lines;
}

async function* chunks(): AsyncGenerator<string> {
  log.info('first');
  yield 'a';
  await new Promise(setImmediate);
  log.info('second');
  yield 'b';
}

async function* events(): AsyncGenerator<SseEvent> {
  for await (const text of chunks()) yield SseEvent.data(text);
}

const registry = (mode: RpcMode): RpcRegistry =>
  RpcRegistry.withMode(mode)
    .use((_call, next) => {
      log.info('middleware');
      return next();
    })
    .queryWithTypes(
      'pay',
      async () => {
        await new Promise(setImmediate);
        log.info('procedure');
        return null;
      },
      'void',
      'null',
    )
    .subscriptionWithTypes('on', chunks, 'void', 'string');

const app = (): App =>
  new App()
    .use(requestId())
    .get('/handler', async (ctx) => {
      ctx.log.info('before');
      await new Promise(setImmediate);
      ctx.log.child({ id: 7 }).info('after');
      return 'x';
    })
    .get('/extracted', Context, (ctx) => {
      ctx.log.info('extracted');
      return 'x';
    })
    .get('/stream', (ctx) => ctx.stream(chunks()))
    .get('/events', (ctx) => ctx.sse(events()))
    .get('/fails', () => {
      log.info('before');
      throw new Error('broken');
    })
    .onError((_error, ctx) => {
      ctx.log.info('onError');
      return ctx.text('x');
    })
    .route(
      '/mounted',
      new App().get('/', (ctx) => {
        ctx.log.info('mounted');
        return 'x';
      }),
    )
    .mountRpc('/rpc', registry(RpcMode.JsonRpc))
    .mountRest('/rest', registry(RpcMode.Rest));

const call = (method: string, id: number) => ({ jsonrpc: '2.0', method, id });
const headers = { 'X-Request-Id': 'r-1' };
type Client = Pick<TestClient, 'get' | 'post'>;

const ways: Record<string, [send: (client: Client) => Promise<unknown>, ...messages: string[]]> = {
  'a handler': [(client) => client.get('/handler', { headers }), 'before', 'after'],
  'a handler with an extractor': [(client) => client.get('/extracted', { headers }), 'extracted'],
  'a mounted App': [(client) => client.get('/mounted', { headers }), 'mounted'],
  'a handler that fails, and onError': [(client) => client.get('/fails', { headers }), 'before', 'onError'],
  'a stream': [(client) => client.get('/stream', { headers }), 'first', 'second'],
  'server-sent events': [(client) => client.get('/events', { headers }), 'first', 'second'],
  'a call of JSON-RPC': [
    (client) => client.post('/rpc', { json: call('pay', 1), headers }),
    'middleware',
    'procedure',
  ],
  'a batch of JSON-RPC': [
    (client) => client.post('/rpc', { json: [call('pay', 1), call('pay', 2)], headers }),
    ...['middleware', 'middleware', 'procedure', 'procedure'],
  ],
  'a call of REST': [(client) => client.get('/rest/pay', { headers }), 'middleware', 'procedure'],
  'a subscription of JSON-RPC': [
    (client) => client.post('/rpc', { json: call('on', 1), headers }),
    ...['middleware', 'first', 'second'],
  ],
  'a subscription of REST': [
    (client) => client.get('/rest/on', { headers }),
    ...['middleware', 'first', 'second'],
  ],
};

it.each(Object.entries(ways))('%s logs with the id of its request', async (_, [send, ...messages]) => {
  const lines = collect();
  const expected = messages.map((msg) => ({ msg, request_id: 'r-1' }));
  const server = await startServer(app());
  for (const client of [new TestClient(app()), server.client]) {
    await send(client);
    await vi.waitFor(() => expect(lines).toHaveLength(expected.length));
    expect(lines.map(({ msg, request_id }) => ({ msg, request_id }))).toEqual(expected);
    lines.length = 0;
  }
  await server.close();
});

it('app.oneshot logs with the id of its request', async () => {
  const lines = collect();
  await app().oneshot(new Request('http://x/handler', { headers }));
  expect(lines.map(({ request_id }) => request_id)).toEqual(['r-1', 'r-1']);
});

it('callbacks of a WebSocket log with the id of its handshake', async () => {
  const lines = collect();
  const live = new App().use(requestId()).websocket(
    '/live',
    websocket({
      onOpen: () => log.info('open'),
      async onMessage(socket) {
        await new Promise(setImmediate);
        log.info('message');
        socket.send('answer');
      },
      onClose: () => log.info('close'),
    }),
  );
  const socket = await connectWebSocket(live, '/live', { headers });
  socket.send('one');
  await socket.nextText();
  await socket.close();
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines).toMatchObject(['open', 'message', 'close'].map((msg) => ({ msg, request_id: 'r-1' })));
});

it('a subscription over a WebSocket logs with the id of its handshake', async () => {
  const lines = collect();
  const rpc = registry(RpcMode.JsonRpc);
  const live = new App().use(requestId()).websocket('/live', websocket({}, { rpc }));
  const socket = await connectWebSocket(live, '/live', { headers });
  socket.send(JSON.stringify({ subscribe: { id: 1, method: 'on' } }));
  await vi.waitFor(() => expect(lines).toHaveLength(3));
  expect(lines).toMatchObject(['middleware', 'first', 'second'].map((msg) => ({ msg, request_id: 'r-1' })));
  await socket.close();
});
