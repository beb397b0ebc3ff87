// Clients that leave at any time: nothing of them is kept.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { App } from '../app/app.js';
import { toNodeHandler } from '../app/to-node-handler.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { MemoryStore, session } from '../session/index.js';
import { ChannelManager, websocket } from './index.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const REQUEST =
  'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
/** A masked text frame of five bytes. */
const FRAME = Buffer.from([0x81, 0x85, 0, 0, 0, 0, 0x68, 0x65, 0x6c, 0x6c, 0x6f]);

/** What a client sends before it leaves, and whether it waits for the answer. */
const WAYS: readonly (readonly [string | Buffer, waits: boolean])[] = [
  ['', false],
  [REQUEST.slice(0, 60), false],
  [REQUEST, false],
  [REQUEST, true],
  [Buffer.concat([Buffer.from(REQUEST), FRAME.subarray(0, 4)]), true],
  [Buffer.concat([Buffer.from(REQUEST), FRAME]), true],
];

it.each(['at once', 'in a later turn'])('when data is made %s', async (when) => {
  /** Contexts and connections. */
  const contexts: WeakRef<object>[] = [];
  const signals: AbortSignal[] = [];
  let open = 0;
  const app = new App().use(session(new MemoryStore())).websocket(
    '/',
    websocket({
      data: (ctx) => {
        contexts.push(new WeakRef(ctx));
        signals.push(ctx.signal);
        return when === 'at once' ? 1 : new Promise<number>((resolve) => setImmediate(resolve, 1));
      },
      onOpen(socket) {
        contexts.push(new WeakRef(socket));
        open += 1;
      },
      onMessage: (socket, message) => void socket.send(message),
      onClose() {
        open -= 1;
      },
    }),
  );
  const { url } = await serve(app);
  const port = Number(new URL(url).port);
  const leave = async (sent: string | Buffer, waits: boolean, reset: boolean): Promise<void> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    if (sent.length > 0) socket.write(sent);
    if (waits) await once(socket, 'data');
    const closed = once(socket.resume(), 'close');
    if (reset) socket.resetAndDestroy();
    else socket.destroy();
    await closed;
  };
  for (let round = 0; round < 20; round += 1) {
    for (const [sent, waits] of WAYS) {
      await Promise.all([leave(sent, waits, false), leave(sent, waits, true)]);
    }
  }
  await vi.waitFor(() => expect([open, signals.filter(({ aborted }) => !aborted).length]).toEqual([0, 0]));
  // Their reasons hold stacks, and with them the connections.
  signals.length = 0;
  expect(contexts.length).toBeGreaterThanOrEqual(200);
  await vi.waitFor(() => {
    collect();
    // The last ones may still be on the stack of a parser.
    expect(contexts.filter((one) => one.deref() !== undefined).length).toBeLessThan(4);
  });
});

it.each([
  ['says that it closes', (client: WebSocket) => client.close()],
  ['is gone without a word', (client: WebSocket) => client.terminate()],
])('a client is subscribed to nothing any more when it %s', async (_, leave) => {
  const channels = new ChannelManager();
  const events: string[] = [];
  const app = new App().websocket(
    '/',
    websocket({
      async onOpen(socket) {
        socket.whenClosing(() => events.push('closing'));
        socket.whenClosed(() => events.push('closed'));
        await channels.subscribe(socket, 'news');
        socket.send('subscribed');
      },
    }),
  );
  const { url } = await serve(app);
  const client = new WebSocket(url.replace('http', 'ws'));
  await once(client, 'message');
  expect([channels.count('news'), channels.count()]).toEqual([1, 1]);
  leave(client);
  await vi.waitFor(() => expect([channels.count('news'), channels.count()]).toEqual([0, 0]));
  await vi.waitFor(() => expect(events).toEqual(['closing', 'closed']));
});

it('a client is subscribed to nothing any more from when the application closes its connection', async () => {
  const channels = new ChannelManager();
  const counts: number[] = [];
  const app = new App().websocket(
    '/',
    websocket({
      async onOpen(socket) {
        await channels.subscribe(socket, 'news');
        counts.push(channels.count());
        socket.close();
        counts.push(channels.count());
      },
    }),
  );
  const { connect: open } = await serve(app);
  expect((await (await open('/')).closed).code).toBe(1000);
  expect(counts).toEqual([1, 0]);
});

it('an open connection keeps nothing of its request', async () => {
  const contexts: WeakRef<object>[] = [];
  const app = new App().use(session(new MemoryStore())).websocket(
    '/',
    websocket({
      data: (ctx) => {
        contexts.push(new WeakRef(ctx), new WeakRef(ctx.req));
        return ctx.req.header('host');
      },
    }),
  );
  const { connect: open } = await serve(app);
  for (let n = 0; n < 10; n += 1) await open('/');
  await vi.waitFor(() => {
    collect();
    expect(contexts.filter((one) => one.deref() !== undefined)).toHaveLength(0);
  });
});

it('a connection that has closed is kept neither by its session nor by a foreign server', async () => {
  const connections: WeakRef<object>[] = [];
  const store = new MemoryStore();
  const app = new App()
    .use(session(store, { secure: false }))
    .post('/in', (ctx) => ctx.session().signIn('ada'))
    .websocket('/', websocket({ onOpen: (socket) => void connections.push(new WeakRef(socket)) }));
  const handler = toNodeHandler(app);
  const server = createServer(handler).on('upgrade', handler.upgrade).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signedIn = await fetch(`${base}/in`, { method: 'POST' });
  const cookie = String(signedIn.headers.getSetCookie()[0]?.split(';')[0]);
  for (let n = 0; n < 10; n += 1) {
    const client = new WebSocket(base.replace('http', 'ws'), { headers: { cookie } });
    await once(client, 'open');
    client.close();
    await once(client, 'close');
  }
  expect(connections).toHaveLength(10);
  await vi.waitFor(() => {
    collect();
    expect(connections.filter((one) => one.deref() !== undefined).length).toBeLessThan(2);
  });
  expect(store.list('ada')).toHaveLength(1);
  server.close().closeAllConnections();
});
