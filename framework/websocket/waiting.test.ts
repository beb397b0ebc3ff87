// What waits to be sent: capacity, the end of waiting and pings, for clients that read slowly or as fast as they can.
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { PING, PONG, RawPeer, TEXT } from '../conformance/autobahn/raw-peer.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { RpcRegistry } from '../rpc/index.js';
import { ChannelManager, type WebSocketConnection, type WebSocketOptions, websocket } from './index.js';

const LONG = 60_000;
const waitLong = { timeout: 60_000 };

const peers: RawPeer[] = [];
afterEach(() => {
  for (const { socket } of peers.splice(0)) socket.destroy();
});

/** As in the documentation. */
function sendRows(socket: WebSocketConnection<{ rows: Iterator<string | Uint8Array> }>): void {
  while (socket.hasCapacity()) {
    const { done, value } = socket.data.rows.next();
    if (done) {
      socket.close();
      return;
    }
    socket.send(value);
  }
}

/** A connection of the server, whose client does not read. */
async function paused(config: WebSocketOptions, options: object = {}) {
  let socket: WebSocketConnection | undefined;
  const onDrain = vi.fn();
  const onOpen = (one: unknown): void => {
    socket = one as WebSocketConnection;
  };
  const { connect } = await serve(new App().websocket('/', websocket({ onOpen, onDrain }, config)));
  const client = await connect('/', [], options);
  client.ws.pause();
  return { client, onDrain, socket: socket as unknown as WebSocketConnection };
}

/** Sends until the client does not take it any more. */
function fill(socket: WebSocketConnection, size = 100_000): void {
  while (socket.bufferedBytes === 0) socket.send('x'.repeat(size));
}

describe.each([
  ['as they are', false],
  ['compressed', true],
])('messages that are sent %s', (_, perMessageDeflate) => {
  it.each([
    ['short', 3_000, 1_200],
    ['of 100 KB', 400, 100_000],
    ['larger than a frame', 20, 2_500_000],
    ['tiny', 20_000, 1],
  ])(
    'while there is capacity arrive all, if their client reads: %s',
    async (_case, count, size) => {
      const data = () => ({ rows: Array.from({ length: count }, () => Buffer.alloc(size, 'x')).values() });
      const handlers = { data, onDrain: sendRows };
      const app = new App()
        .websocket('/open', websocket({ ...handlers, onOpen: sendRows }, { compression: true }))
        .websocket('/asked', websocket({ ...handlers, onMessage: sendRows }, { compression: true }));
      const { connect } = await serve(app);
      const open = await connect('/open', [], { perMessageDeflate });
      const asked = await connect('/asked', [], { perMessageDeflate });
      // Two in one packet: answers are held back until both are handled.
      const tcp = asked.ws as unknown as { _socket: { cork(): void; uncork(): void } };
      tcp._socket.cork();
      asked.send('a');
      asked.send('b');
      tcp._socket.uncork();
      for (const client of [open, asked]) {
        expect(await client.closed).toEqual({ code: 1000, reason: '' });
        expect(client.received).toHaveLength(count);
      }
    },
    LONG,
  );

  it(
    'of a subscription go on after a large one',
    async () => {
      const rpc = new RpcRegistry().subscriptionWithTypes(
        'large',
        async function* () {
          for (let part = 0; part < 20; part++) yield 'x'.repeat(100_000);
        },
        'void',
        'string',
      );
      const live = websocket({ receives: {}, on: {} }, { rpc, compression: true });
      const { connect } = await serve(new App().mountRpc('/rpc', rpc).websocket('/live', live));
      const client = await connect('/live', ['fw.events'], { perMessageDeflate });
      client.send({ resume: {} });
      client.send({ subscribe: { id: 1, method: 'large' } });
      await vi.waitFor(
        () => expect(client.json.at(-1)).toEqual({ subscription: { id: 1, done: true } }),
        waitLong,
      );
      expect(client.received).toHaveLength(22);
    },
    LONG,
  );

  it(
    'answer a ping when the client has read what was sent before',
    async () => {
      const app = new App().websocket(
        '/',
        websocket({ onMessage: (socket) => void socket.send('x'.repeat(500_000)) }, { compression: true }),
      );
      const { connect } = await serve(app);
      const client = await connect('/', [], { perMessageDeflate });
      const pongs: string[] = [];
      client.ws.on('pong', (payload) => pongs.push(String(payload)));
      const tcp = client.ws as unknown as { _socket: { cork(): void; uncork(): void } };
      tcp._socket.cork();
      for (const payload of ['1', '2', '3']) {
        client.send('go');
        client.ws.ping(payload);
      }
      tcp._socket.uncork();
      await vi.waitFor(() => expect(pongs.at(-1)).toBe('3'), waitLong);
      expect(client.received.length).toBeGreaterThan(0);
    },
    LONG,
  );
});

describe('onDrain', () => {
  it(
    'runs after messages that a client did not take, however few bytes they are',
    async () => {
      const channels = new ChannelManager();
      const { client, socket, onDrain } = await paused({});
      channels.subscribe(socket, 'feed');
      while (socket.bufferedBytes === 0) {
        for (let n = 0; n < 1_100; n++) channels.publish('feed', '12345678');
        await new Promise((resolve) => setImmediate(resolve));
      }
      await vi.waitFor(() => expect(socket.hasCapacity()).toBe(false));
      expect(onDrain).not.toHaveBeenCalled();
      client.ws.resume();
      await vi.waitFor(() => expect(onDrain).toHaveBeenCalledTimes(1), waitLong);
      expect([socket.hasCapacity(), socket.capacity(), socket.bufferedBytes]).toEqual([true, 1_024, 0]);
    },
    LONG,
  );

  it('does not run for what is sent in one turn to a client that reads, nor for each compressed message', async () => {
    const onDrain = vi.fn((socket: WebSocketConnection<undefined, never>) => void socket.send('drained'));
    const app = new App().websocket(
      '/',
      websocket(
        { onMessage: (socket, message) => void socket.send(message), onDrain },
        { compression: true },
      ),
    );
    const { connect } = await serve(app);
    for (const perMessageDeflate of [false, true]) {
      const client = await connect('/', [], { perMessageDeflate });
      for (let n = 0; n < 100; n++) client.send('x'.repeat(2_000));
      await vi.waitFor(() => expect(client.received).toHaveLength(100));
    }
    expect(onDrain).not.toHaveBeenCalled();
  });

  it(
    'runs after answers that were held back for a moment, and that the client did not take then',
    async () => {
      const onDrain = vi.fn();
      const answered = vi.fn();
      const onMessage = (socket: WebSocketConnection<undefined, never>): void => {
        for (let n = 0; n < 50; n++) socket.send('x'.repeat(100_000));
        answered();
      };
      const { connect } = await serve(new App().websocket('/', websocket({ onMessage, onDrain })));
      const client = await connect('/');
      client.ws.pause();
      const tcp = client.ws as unknown as { _socket: { cork(): void; uncork(): void } };
      tcp._socket.cork();
      client.send('a');
      client.send('b');
      tcp._socket.uncork();
      await vi.waitFor(() => expect(answered).toHaveBeenCalledTimes(2), waitLong);
      client.ws.resume();
      await vi.waitFor(() => expect(onDrain).toHaveBeenCalledTimes(1), waitLong);
    },
    LONG,
  );

  it('runs for a program that looked at the bytes that wait', async () => {
    const { client, socket, onDrain } = await paused({ compression: true }, { perMessageDeflate: true });
    client.ws.resume();
    socket.send('x'.repeat(5_000));
    expect(socket.bufferedBytes).toBeGreaterThan(0);
    await vi.waitFor(() => expect(onDrain).toHaveBeenCalledTimes(1));
  });
});

describe('maxBufferedBytes', () => {
  it(
    'is a part of the capacity',
    async () => {
      const { client, socket, onDrain } = await paused({ maxBufferedBytes: 1_000_000 });
      while (socket.hasCapacity()) expect(socket.send('x'.repeat(100_000))).toBe(true);
      expect([socket.capacity(), socket.isOpen]).toEqual([0, true]);
      expect(socket.bufferedBytes).toBeGreaterThanOrEqual(1_000_000);
      expect(socket.bufferedBytes).toBeLessThan(1_200_000);
      client.ws.resume();
      await vi.waitFor(() => expect(onDrain).toHaveBeenCalledTimes(1), waitLong);
      expect(socket.hasCapacity()).toBe(true);
    },
    LONG,
  );

  it(
    'leaves one larger message through, and closes the connection with the next',
    async () => {
      const { client, socket } = await paused({ maxBufferedBytes: 1_000, maxFrameSize: 100_000_000 });
      expect(socket.send(Buffer.alloc(20_000_000))).toBe(true);
      expect([socket.hasCapacity(), socket.isOpen]).toEqual([false, true]);
      expect(socket.send('x')).toBe(false);
      expect(socket.isOpen).toBe(false);
      client.ws.resume();
      expect(await client.closed).toEqual({ code: 1013, reason: 'the client reads too slowly' });
    },
    LONG,
  );

  it(
    'drops messages with slowClients: drop, and takes the later ones',
    async () => {
      const { client, socket, onDrain } = await paused({ maxBufferedBytes: 1_000, slowClients: 'drop' });
      fill(socket);
      expect([socket.send('x'), socket.dropped, socket.isOpen]).toEqual([false, 1, true]);
      client.ws.resume();
      await vi.waitFor(() => expect(onDrain).toHaveBeenCalledTimes(1), waitLong);
      expect(socket.send('later')).toBe(true);
      await vi.waitFor(() => expect(client.received.at(-1)).toBe('later'));
    },
    LONG,
  );

  it(
    'lets a client that reads have its large messages back',
    async () => {
      const app = new App().websocket(
        '/',
        websocket(
          { onMessage: (socket, message) => void socket.send(message) },
          { maxFrameSize: 10_000_000 },
        ),
      );
      const { connect } = await serve(app);
      const client = await connect('/');
      for (let n = 0; n < 3; n++) client.send(Buffer.alloc(9_000_000));
      await vi.waitFor(() => expect(client.received.length).toBe(3), waitLong);
    },
    LONG,
  );
});

it(
  'a client that always has something to read has capacity again for what it has read',
  async () => {
    const limits = { capacity: 3, maxBufferedBytes: 1_000_000_000, maxFrameSize: 100_000_000 };
    const { client, socket, onDrain } = await paused(limits);
    let received = 0;
    client.ws.removeAllListeners('message').on('message', () => {
      received += 1;
      if (received === 2) client.ws.pause();
    });
    const large = Buffer.alloc(20_000_000);
    socket.send(large);
    socket.send(large);
    client.ws.resume();
    await vi.waitFor(() => expect(received).toBe(1), { ...waitLong, interval: 1 });
    socket.send(large);
    await vi.waitFor(() => expect(received).toBe(2), waitLong);
    await vi.waitFor(() => expect(socket.capacity()).toBeGreaterThan(0), waitLong);
    expect(socket.bufferedBytes).toBeGreaterThan(0);
    expect(onDrain).not.toHaveBeenCalled();
  },
  LONG,
);

it('a wait for the client ends with its connection', async () => {
  const { client, socket } = await paused({});
  fill(socket);
  const ready = socket.ready();
  client.ws.terminate();
  await ready;
  expect(socket.isOpen).toBe(false);
});

it(
  'the last ping alone is answered late',
  async () => {
    const app = new App().websocket(
      '/',
      websocket(
        { onMessage: (socket) => void socket.send('x'.repeat(8_000_000)) },
        { maxFrameSize: 10_000_000 },
      ),
    );
    const { url } = await serve(app);
    const peer = await RawPeer.connect(url);
    peers.push(peer);
    peer.socket.pause();
    peer.send({ opcode: TEXT });
    for (const payload of ['1', '2', '3']) peer.send({ opcode: PING, payload });
    await once(peer.socket, 'readable');
    peer.socket.resume();
    await peer.until(() => peer.received.at(-1)?.opcode === PONG);
    expect(peer.received.slice(1).map(({ payload }) => String(payload))).toEqual(['3']);
  },
  LONG,
);

describe('a slow client that is closed', () => {
  it.each([
    ['at the limit of bytes', { maxBufferedBytes: 100_000 }, undefined],
    ['by the application', {}, (socket: WebSocketConnection) => socket.close(4000)],
  ])(
    'is not a subscriber any more, though its connection is still there: %s',
    async (_, config, close) => {
      const channels = new ChannelManager();
      const { client, socket } = await paused(config);
      channels.subscribe(socket, 'feed');
      const closed = vi.fn();
      socket.whenClosed(closed);
      fill(socket);
      if (close === undefined) {
        while (socket.isOpen) {
          channels.publish('feed', 'x'.repeat(100_000));
          await new Promise((resolve) => setImmediate(resolve));
        }
      } else close(socket);
      expect([channels.count('feed'), channels.count(), channels.topics()]).toEqual([0, 0, []]);
      expect(closed).not.toHaveBeenCalled();
      client.ws.resume();
      await client.closed;
      await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
      const late = vi.fn();
      socket.whenClosing(late);
      expect(late).toHaveBeenCalledTimes(1);
    },
    LONG,
  );
});
