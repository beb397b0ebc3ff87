// Clients of WebSockets that mean harm: floods, garbage, bombs and connections that are cut.
import { deflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import {
  BINARY,
  CONTINUATION,
  maskedFrame,
  PING,
  PONG,
  RawPeer,
  TEXT,
} from '../conformance/autobahn/raw-peer.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { type WebSocketConnection, type WebSocketOptions, websocket } from './index.js';

const peers: RawPeer[] = [];

afterEach(() => {
  for (const { socket } of peers.splice(0)) socket.destroy();
});

/** An echo server with an honest client, which must be served whatever the other one does. */
async function start(config: WebSocketOptions = {}, extensions?: string) {
  const closes: number[] = [];
  const messages: number[] = [];
  const app = new App().websocket(
    '/',
    websocket(
      {
        onMessage(socket, message) {
          messages.push(message.length);
          socket.send(message);
        },
        onClose: (_socket, code) => void closes.push(code),
      },
      config,
    ),
  );
  const { url, connect } = await serve(app);
  const honest = await connect('/');
  const peer = await RawPeer.connect(url, extensions);
  peers.push(peer);
  const isServed = async () => {
    const before = honest.received.length;
    honest.send('still there?');
    await vi.waitFor(() => expect(honest.received).toHaveLength(before + 1), { interval: 2 });
  };
  return { url, peer, closes, messages, isServed };
}

describe('a flood of', () => {
  it('empty fragments is closed with 1008', async () => {
    const { peer, closes, messages, isServed } = await start();
    const flood = [maskedFrame({ opcode: TEXT, fin: false })];
    for (let i = 0; i < 20_000; i++) flood.push(maskedFrame({ opcode: CONTINUATION, fin: false }));
    peer.socket.write(Buffer.concat(flood));
    await peer.ended;
    expect(peer.closeCode).toBe(1008);
    await isServed();
    expect([closes, messages]).toEqual([[1006], [12]]);
  });

  it('tiny fragments is closed with 1009 when they are over the limit together', async () => {
    const { peer, isServed } = await start({ maxMessageSize: 1_000 });
    const flood = [maskedFrame({ opcode: TEXT, payload: 'x', fin: false })];
    for (let i = 0; i < 1_000; i++)
      flood.push(maskedFrame({ opcode: CONTINUATION, payload: 'x', fin: false }));
    peer.socket.write(Buffer.concat(flood));
    await peer.ended;
    expect(peer.closeCode).toBe(1009);
    await isServed();
  });

  it('pings is answered, and serves the others', async () => {
    const { peer, isServed } = await start();
    const payload = Buffer.alloc(125, 1);
    const flood = Buffer.concat(Array.from({ length: 1_000 }, () => maskedFrame({ opcode: PING, payload })));
    for (let i = 0; i < 20; i++) peer.socket.write(flood);
    await isServed();
    // The server pings as well, if this takes long.
    const pongs = () => peer.received.filter(({ opcode }) => opcode === PONG);
    await peer.until(() => peer.received.length >= 20_000 && pongs().length === 20_000);
    expect(pongs().every((frame) => frame.payload.equals(payload))).toBe(true);
  });
});

it('answers to pings do not pile up for a client that does not read them', async () => {
  let socket: WebSocketConnection | undefined;
  const app = new App().websocket(
    '/',
    websocket({
      onOpen(one) {
        socket = one as never;
      },
      onMessage: (one) => void one.send('read'),
    }),
  );
  const { url } = await serve(app);
  const peer = await RawPeer.connect(url);
  peers.push(peer);
  peer.socket.pause();
  const payload = Buffer.alloc(125, 1);
  const flood = Buffer.concat(Array.from({ length: 8_000 }, () => maskedFrame({ opcode: PING, payload })));
  let most = 0;
  for (let megabytes = 0; megabytes < 20; megabytes++) {
    await new Promise((resolve) => peer.socket.write(flood, resolve));
    most = Math.max(most, socket?.bufferedBytes ?? 0);
  }
  expect(most).toBeLessThan(1_000_000);
  peer.send({ opcode: TEXT });
  peer.send({ opcode: PING, payload: 'the last' });
  peer.socket.resume();
  await peer.until(
    () =>
      peer.received.some(({ opcode }) => opcode === TEXT) &&
      peer.received.at(-1)?.payload.toString() === 'the last',
  );
  expect(socket?.isOpen).toBe(true);
  // RFC 6455, section 5.5.3: the answers to earlier pings may be left out.
  expect(peer.received.length).toBeLessThan(8_000 * 20);
});

describe('garbage', () => {
  it('closes its connection alone', async () => {
    const { url, isServed } = await start();
    let state = 7;
    for (let round = 0; round < 200; round++) {
      const peer = await RawPeer.connect(url);
      peers.push(peer);
      const bytes = Buffer.alloc(64);
      for (let i = 0; i < bytes.length; i++) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
        bytes[i] = state >>> 16;
      }
      peer.socket.end(bytes);
      await peer.ended;
    }
    await isServed();
  });

  it.each([
    ['an unmasked frame', Buffer.from('8100', 'hex'), 1002],
    ['a length of 2^63', Buffer.from('81ffffffffffffffffff', 'hex'), 1009],
    ['a length that is not the shortest form', Buffer.from('81fe0001000000000000', 'hex'), undefined],
    [
      'a frame over the limit, of which only the head is sent',
      Buffer.from('82ff0000000000ffffff', 'hex'),
      1009,
    ],
  ])('of %s', async (_, bytes, code) => {
    const { peer, isServed } = await start();
    peer.socket.write(bytes);
    if (code === undefined) peer.socket.end();
    await peer.ended;
    expect(peer.closeCode).toBe(code);
    await isServed();
  });
});

it('a decompression bomb is closed with 1009', async () => {
  const { peer, messages, isServed } = await start(
    { compression: true, maxMessageSize: 100_000 },
    'permessage-deflate',
  );
  const bomb = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  peer.send({ opcode: BINARY, payload: bomb, rsv: 4 });
  await peer.ended;
  expect(peer.closeCode).toBe(1009);
  await isServed();
  expect(messages).toEqual([12]);
});

it('a connection that is cut in the middle of a frame is over with 1006', async () => {
  const { peer, closes, isServed } = await start();
  peer.socket.write(maskedFrame({ opcode: TEXT, payload: 'half of it' }).subarray(0, 8));
  peer.socket.end();
  await peer.ended;
  await vi.waitFor(() => expect(closes).toEqual([1006]));
  await isServed();
});

it('a client that does not answer anything is cut after the time-out', async () => {
  const { peer, closes } = await start({ pingIntervalMs: 20, timeoutMs: 20 });
  await peer.ended;
  expect(peer.received[0]?.opcode).toBe(PING);
  await vi.waitFor(() => expect(closes).toContain(1006));
});

it('a client that does not answer the close frame is cut after the time-out', async () => {
  const onMessage = (socket: WebSocketConnection) => socket.close(4000, 'bye');
  const config = { pingIntervalMs: 0, timeoutMs: 50 };
  const { url } = await serve(new App().websocket('/', websocket({ onMessage }, config)));
  const peer = await RawPeer.connect(url);
  peers.push(peer);
  const asked = performance.now();
  peer.send({ opcode: TEXT, payload: 'close' });
  await peer.ended;
  expect(peer.closeCode).toBe(4000);
  // That of ws itself is half a minute.
  expect(performance.now() - asked).toBeLessThan(20_000);
});
