// Callbacks of the application that fail: they close their own connection at most, and never end the process.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { serve } from '../conformance/websocket/trial-socket.js';
import { PubSub } from '../streaming/pub-sub.js';
import type { FwErrorEvent } from '../tracing/error-channel.js';
import { ChannelManager, events, type SocketRpc, type WebSocketConnection, websocket } from './index.js';

const reported: FwErrorEvent[] = [];
const report = (event: unknown) => void reported.push(event as FwErrorEvent);
beforeAll(() => subscribe('fw:error', report));
afterAll(() => unsubscribe('fw:error', report));
beforeEach(() => void reported.splice(0));

type Failing = (what: string) => unknown;

const messages = (): string[] => reported.map(({ error }) => (error as Error).message);

const ways: [string, Failing][] = [
  [
    'throws',
    (what) => {
      throw new Error(what);
    },
  ],
  ['rejects', (what) => Promise.reject(new Error(what))],
  [
    'rejects later',
    async (what) => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error(what);
    },
  ],
  [
    'is a thenable that rejects',
    // biome-ignore lint/suspicious/noThenProperty: that is the case
    (what) => ({ then: (_: unknown, reject: (error: unknown) => void) => reject(new Error(what)) }),
  ],
  [
    'is a thenable that throws',
    (what) => ({
      // biome-ignore lint/suspicious/noThenProperty: that is the case
      then() {
        throw new Error(what);
      },
    }),
  ],
];

describe('a callback that has missed messages of a PubSub', () => {
  it('closes its connection with "service restart", and is not reported: its client connects again', async () => {
    const changes = new PubSub<number>({ capacity: 1 });
    const failed = vi.fn();
    const app = new App().websocket(
      '/',
      websocket({
        async onOpen(socket) {
          const subscription = changes.subscribe('a');
          for (const message of [1, 2]) changes.publish('a', message);
          for await (const message of subscription) socket.send(String(message));
        },
        onError: failed,
      }),
    );
    const { connect } = await serve(app);
    const client = await connect('/');
    expect(await client.closed).toEqual({ code: 1012, reason: 'connect again: messages were missed' });
    expect([reported, failed.mock.calls, changes.count()]).toEqual([[], [], 0]);
  });
});

describe.each(ways)('a callback that %s', (_, fails) => {
  it.each([
    ['onOpen', { onOpen: () => fails('mine') }, ['mine']],
    ['onMessage', { onMessage: () => fails('mine') }, ['mine']],
    ['onError', { onMessage: () => fails('first'), onError: () => fails('mine') }, ['first', 'mine']],
    ['onDrain', { onMessage: fill, onDrain: () => fails('mine') }, ['mine']],
  ])('%s closes its connection with 1011', async (_name, handlers, errors) => {
    const closes: number[] = [];
    const app = new App()
      .websocket('/bad', websocket({ ...handlers, onClose: (_socket, code) => void closes.push(code) }))
      .websocket('/good', websocket({ onMessage: (socket, message) => void socket.send(message) }));
    const { connect } = await serve(app);
    const [bad, good] = [await connect('/bad'), await connect('/good')];
    bad.send('go');
    expect(await bad.closed).toEqual({ code: 1011, reason: 'internal server error' });
    await vi.waitFor(() => expect(closes).toEqual([1011]));
    await vi.waitFor(() => expect(messages()).toEqual(errors));
    good.send('still here');
    await vi.waitFor(() => expect(good.received).toEqual(['still here']));
  });

  it('is a handler of an event closes its connection with 1011', async () => {
    const route = websocket({ receives: events<{ say: string }>(), on: { say: () => fails('mine') } });
    const { connect } = await serve(new App().websocket('/', route));
    const client = await connect('/');
    client.send({ event: 'say', data: 'x' });
    expect((await client.closed).code).toBe(1011);
    await vi.waitFor(() => expect(messages()).toContain('mine'));
  });

  it('runs at the end is reported, and keeps nothing from the others', async () => {
    const channels = new ChannelManager();
    const others = vi.fn();
    let socket: WebSocketConnection | undefined;
    const route = websocket({
      onOpen(one) {
        socket = one as never;
        one.whenClosing(() => fails('closing'));
        one.whenClosed(() => fails('closed'));
        channels.subscribe(one, 'a');
        one.whenClosing(others);
        one.whenClosed(others);
      },
      onClose: () => fails('onClose'),
    });
    const { connect } = await serve(new App().websocket('/', route));
    (await connect('/')).ws.close();
    await vi.waitFor(() => expect(messages().toSorted()).toEqual(['closed', 'closing', 'onClose']));
    expect(others).toHaveBeenCalledTimes(2);
    expect(channels.count()).toBe(0);
    socket?.whenClosed(() => fails('late'));
    await vi.waitFor(() => expect(messages()).toContain('late'));
  });

  it('makes data refuses the handshake', async () => {
    const { url } = await serve(new App().websocket('/', websocket({ data: () => fails('mine') as object })));
    const answer = await new Promise<number>((resolve) => {
      void import('ws').then(({ WebSocket }) => {
        const ws = new WebSocket(url.replace('http', 'ws'));
        ws.on('error', () => {}).on('unexpected-response', (_request, { statusCode }) => {
          ws.terminate();
          resolve(statusCode ?? 0);
        });
      });
    });
    expect([answer, messages()]).toEqual([500, ['mine']]);
  });
});

/** Sends more than the client takes at once, so that `onDrain` runs. */
function fill(socket: WebSocketConnection<undefined, never>): void {
  while (socket.bufferedBytes === 0) socket.send('x'.repeat(1_000_000));
}

describe('a registry that is not one of fw', () => {
  const failing = (): never => {
    throw new Error('mine');
  };
  it.each<[string, SocketRpc]>([
    ['a connection', { overSocket: failing }],
    ['a frame', { overSocket: () => ({ subscribe: failing, unsubscribe: failing, end() {} }) }],
  ])('and fails at %s closes that connection alone', async (_, rpc) => {
    const route = websocket({ receives: {}, on: {} }, { rpc });
    const { connect } = await serve(new App().websocket('/', route));
    const client = await connect('/');
    client.send({ subscribe: {} });
    expect((await client.closed).code).toBe(1011);
    expect(messages()).toEqual(['mine']);
  });

  it('and fails at the end of a connection is reported', async () => {
    const rpc = { overSocket: () => ({ subscribe() {}, unsubscribe() {}, end: failing }) };
    const closed = vi.fn();
    const route = websocket({ receives: {}, on: {}, onClose: closed }, { rpc });
    const { connect } = await serve(new App().websocket('/', route));
    (await connect('/')).ws.close();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
    expect(messages()).toEqual(['mine']);
  });
});

it('a broker that throws at once rejects the promise of publish, and does not end the process', async () => {
  const broker = {
    publish(): never {
      throw new Error('mine');
    },
    subscribe: async () => async () => {},
    close: async () => {},
  };
  const channels = new ChannelManager({ broker });
  const member = { isOpen: true, sendFrame: () => true, whenClosed() {}, takeResumePoint: () => undefined };
  const subscribed = channels.subscribe(member, 'a');
  await expect(channels.publish('a', 'while it is being subscribed')).rejects.toThrow('mine');
  await subscribed;
  await expect(channels.publish('a', 'x')).rejects.toThrow('mine');
});

it('a callback that never ends holds up its own connection alone', async () => {
  const never = () => new Promise(() => {});
  const app = new App()
    .websocket('/open', websocket({ onOpen: never, onMessage: (socket) => void socket.send('handled') }))
    .websocket('/error', websocket({ onMessage: () => Promise.reject(new Error('mine')), onError: never }))
    .websocket('/good', websocket({ onMessage: (socket, message) => void socket.send(message) }));
  const { connect } = await serve(app);
  const [open, error, good] = [await connect('/open'), await connect('/error'), await connect('/good')];
  open.send('x');
  error.send('x');
  expect((await error.closed).code).toBe(1011);
  good.send('still here');
  await vi.waitFor(() => expect(good.received).toEqual(['still here']));
  open.ws.close();
  expect((await open.closed).code).toBe(1005);
  expect(open.received).toEqual([]);
});
