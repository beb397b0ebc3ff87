// Connections of a server that speaks the protocol itself: what such a server does not do for fw.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import type { ServedEvents, ServedSocket, ServedUpgrade } from '../http/upgrade.js';
import { type Answer, type Runtime, upgradeThrough } from '../runtime/fetch-server.js';
import { OpenStreams } from '../runtime/serving-side.js';
import { websocket } from './index.js';
import type { WebSocketOptions } from './socket-config.js';
import type { WebSocketConnection } from './websocket-connection.js';

const HANDSHAKE = {
  upgrade: 'websocket',
  connection: 'Upgrade',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

interface Handlers {
  onOpen?(socket: WebSocketConnection): unknown;
  onMessage?(socket: WebSocketConnection, message: string | Uint8Array): unknown;
  onDrain?(): unknown;
  onError?(socket: WebSocketConnection, error: unknown): unknown;
  onClose?(socket: WebSocketConnection, code: number, reason: string): unknown;
}

/** A connection whose server is the test: what it was told, and what happens on it. */
async function connected(
  handlers: Handlers,
  config: WebSocketOptions = {},
  given: Partial<ServedSocket> = {},
) {
  const told: string[] = [];
  const socket = {
    bufferedBytes: 0,
    send: (message: string | Uint8Array, compress: boolean) => told.push(`send ${message} ${compress}`),
    ping: () => told.push('ping'),
    close(code: number, reason: string) {
      told.push(`close ${code} ${reason}`);
      events.closed(code, reason);
    },
    terminate() {
      told.push('terminate');
      events.closed(1006, '');
    },
    ...given,
  } satisfies ServedSocket;
  let events = undefined as unknown as ServedEvents;
  const left = new AbortController();
  const upgrade: ServedUpgrade = {
    serve(given, protocol, fields) {
      // As Deno does it.
      left.abort();
      events = given;
      told.push(`101 ${protocol} ${fields.map(([name]) => name).join()}`);
      return socket;
    },
  };
  let signal: AbortSignal | undefined;
  const app = new App()
    .use((ctx, next) => {
      signal = ctx.signal;
      return next();
    })
    .websocket('/', websocket({ onMessage() {}, ...handlers } as never, config));
  const eventStreams = new OpenStreams();
  const side = { readPeer: () => undefined, checksHost: false, eventStreams };
  const request = new Request('http://x/', { headers: HANDSHAKE, signal: left.signal });
  expect(await upgradeThrough(app.handler(), request, side, undefined, upgrade)).toBeUndefined();
  return { told, socket, events, eventStreams, signal: () => signal as AbortSignal };
}

/** The turn in which a close is told. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('is upgraded with the fields of the App, closed at a drain, and aborts its signal', async () => {
  const closed: string[] = [];
  const { told, eventStreams, signal } = await connected({
    onOpen: (socket) => void socket.send('hi'),
    onClose: (_socket, code, reason) => closed.push(`${code} ${reason}`),
  });
  expect(told).toEqual(['101  X-Powered-By', 'send hi false']);
  expect(signal().aborted).toBe(false);
  eventStreams.drain();
  expect(told.at(-1)).toBe('close 1001 the server is shutting down');
  expect(closed).toEqual([]);
  await nextTurn();
  expect(closed).toEqual(['1001 the server is shutting down']);
  expect(signal().aborted).toBe(true);
});

it('returns the response of a server that wants it, and only for a handshake', async () => {
  const response = new Response(null);
  const socket = { bufferedBytes: 0, send() {}, ping: undefined, close() {}, terminate() {} };
  const upgradeOf = () => ({ response, serve: () => socket });
  const app = new App().websocket('/', websocket({ onMessage() {} })).get('/', () => 'a page');
  let answer: Answer = () => undefined;
  const runtime: Runtime = {
    name: 'Deno',
    isHere: true,
    checksHost: false,
    start(given) {
      answer = given;
      return { port: 1, stop: async () => {}, cut() {} };
    },
    readPeer: () => undefined,
    upgradeOf,
  };
  const server = await app.listenOn(runtime, 0);
  const ask = (headers: Record<string, string>) => answer(new Request('http://x/', { headers }), undefined);
  expect(await ask(HANDSHAKE)).toBe(response);
  // RFC 9110, section 7.8: the field Connection lists Upgrade, or it must be ignored.
  for (const other of [
    { ...HANDSHAKE, connection: 'close' },
    { ...HANDSHAKE, upgrade: 'h2c' },
  ])
    expect(await (await ask(other))?.text()).toBe('a page');
  await server.close();
});

it('compresses messages of the least size, with a limit for those of clients', async () => {
  const errors: unknown[] = [];
  const { told, events } = await connected(
    {
      onOpen(socket) {
        socket.send('short');
        socket.send('long enough');
      },
      onError: (_socket, error) => errors.push((error as Error).message),
    },
    { compression: { minSize: 10 }, maxMessageSize: 5 },
  );
  expect(told.slice(1)).toEqual(['send short false', 'send long enough true']);
  events.message('čč');
  events.message('123456');
  expect(told.at(-1)).toBe('close 1009 a message has at most 5 bytes');
  expect(errors).toEqual(['a message has at most 5 bytes']);
});

it('cuts a client that answers no ping, and leaves pings to a server that makes them itself', async () => {
  vi.useFakeTimers();
  const config = { pingIntervalMs: 100, timeoutMs: 200 };
  const pinged = await connected({}, config);
  const itself = await connected({}, config, { ping: undefined });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(pinged.told.slice(1)).toEqual(['ping', 'terminate']);
  expect(itself.told).toHaveLength(1);
  itself.events.closed(1000, '');
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('tells when what waits was passed on, whatever is written behind it', async () => {
  const drained = vi.fn();
  let connection: WebSocketConnection | undefined;
  const { socket, events } = await connected(
    {
      onOpen(opened) {
        connection = opened;
      },
      onDrain: drained,
    },
    { capacity: 2 },
  );
  const send = (bytes: number) => {
    socket.bufferedBytes += bytes;
    return connection?.send('x');
  };
  send(100);
  send(50);
  expect(connection?.capacity()).toBe(0);
  socket.bufferedBytes = 60;
  events.drained();
  expect(connection?.capacity()).toBe(0);
  socket.bufferedBytes = 0;
  events.drained();
  expect(connection?.capacity()).toBe(2);
  expect(drained).toHaveBeenCalledTimes(1);
});

it('closes clients that send more than handlers take, or pings without reading', async () => {
  let handled = 0;
  const busy = await connected({
    async onMessage() {
      handled += 1;
      await new Promise(() => {});
    },
  });
  for (let sent = 0; sent < 16_500; sent++) busy.events.message('x');
  expect(busy.told.at(-1)).toBe('close 1008 messages come faster than they are handled');
  expect(handled).toBe(1);

  const { told, socket, events } = await connected({}, { maxBufferedBytes: 1_000 });
  events.control(4);
  expect(told).toHaveLength(1);
  socket.bufferedBytes = 1_000;
  events.control(4);
  expect(told.at(-1)).toBe('close 1013 the client reads too slowly');
});

describe('messages that come while a handler is busy', () => {
  /** A connection whose handler waits, and what ends the wait of all messages so far and of later ones. */
  const busy = async () => {
    let release = () => {};
    const free = new Promise<void>((resolve) => {
      release = resolve;
    });
    let handled = 0;
    const connection = await connected({
      async onMessage() {
        handled += 1;
        await free;
      },
    });
    return { ...connection, release, handled: () => handled };
  };
  const refusal = 'close 1008 messages come faster than they are handled';

  it('may be as many as the limit behind those that wait for it, and not one more', async () => {
    const { told, events } = await busy();
    for (let sent = 0; sent < 1 + 64 + 16_384; sent++) events.message('x');
    expect(told).toHaveLength(1);
    events.message('x');
    expect(told.at(-1)).toBe(refusal);
  });

  it('may have as many bytes as the limit, and not one more', async () => {
    const { told, events } = await busy();
    const large = 'x'.repeat(1024 * 1024);
    for (const first of ['x', large, 'x']) events.message(first);
    for (let sent = 0; sent < 16; sent++) events.message(large);
    expect(told).toHaveLength(1);
    events.message('x');
    expect(told.at(-1)).toBe(refusal);
  });

  it('are counted anew when it has kept up', async () => {
    const { told, events, release, handled } = await busy();
    for (let sent = 0; sent < 16_000; sent++) events.message('x');
    release();
    await vi.waitFor(() => expect(handled()).toBe(16_000));
    await nextTurn();
    for (let sent = 0; sent < 16_000; sent++) events.message('x');
    expect(told).toHaveLength(1);
  });
});

it('takes a message of exactly the largest size, counted in bytes', async () => {
  const got: unknown[] = [];
  const config = { maxMessageSize: 4 };
  const { told, events } = await connected({ onMessage: (_, message) => got.push(message) }, config);
  events.message('1234');
  events.message('čč');
  events.message(new Uint8Array(4));
  expect([told.length, got.length]).toEqual([1, 3]);
  events.message(new Uint8Array(5));
  expect(told.at(-1)).toBe('close 1009 a message has at most 4 bytes');
  expect(got).toHaveLength(3);
});

it('reports what the server has closed for a broken protocol, and not what is gone', async () => {
  const seen: string[] = [];
  const handlers: Handlers = {
    onError: (_socket, error) => seen.push((error as Error).message),
    onClose: (_socket, code) => seen.push(`${code}`),
  };
  const broken = await connected(handlers);
  broken.events.closed(1006, 'Received invalid UTF-8');
  await nextTurn();
  expect(seen.splice(0)).toEqual(['Received invalid UTF-8', '1006']);
  const gone = await connected(handlers);
  gone.events.closed(1006, '');
  await nextTurn();
  expect(seen).toEqual(['1006']);
});
