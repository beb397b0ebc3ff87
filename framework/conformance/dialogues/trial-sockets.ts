// Hostile dialogues: WebSockets of every kind, whose callbacks may misbehave.
import type { App } from '../../index.js';
import {
  type ChannelBroker,
  ChannelManager,
  type WebSocketConnection,
  websocket,
} from '../../websocket/index.js';
import { at } from './misbehaviour.js';
import { keys, sessions, tickets } from './trial-access.js';
import { schema } from './trial-routes.js';
import { overSockets } from './trial-rpc.js';

/** Short, so that clients that are gone without a word do not stay. */
const TIMES = { pingIntervalMs: 400, timeoutMs: 400 };

/** Within this process, with every method that may misbehave. */
function broker(): ChannelBroker {
  const listeners = new Map<string, Set<(message: string) => void>>();
  return {
    publish: (channel, message) =>
      at('broker publish', async () => {
        for (const listener of listeners.get(channel) ?? []) listener(message);
      }),
    subscribe: (channel, listener) =>
      at('broker subscribe', async () => {
        const all = listeners.get(channel) ?? new Set();
        listeners.set(channel, all.add(listener));
        return () => at('broker unsubscribe', async () => void all.delete(listener));
      }),
    close: () => at('broker close', async () => {}),
  };
}

const channels = new ChannelManager({ broker: broker() });

/** Sends more than the client takes at once. */
function fill(socket: WebSocketConnection<undefined, never>): void {
  for (let count = 0; count < 24 && socket.bufferedBytes === 0; count += 1) socket.send('x'.repeat(500_000));
}

/** Adds the WebSockets to an App. */
export function addSockets(app: App): App {
  const plain = {
    data: () => at('socket data', () => undefined),
    onOpen: (socket: WebSocketConnection<undefined, never>) => {
      socket.whenClosing(() => at('whenClosing', () => {}));
      socket.whenClosed(() => at('whenClosed', () => {}));
      return at('onOpen', () => {});
    },
    onMessage: (socket: WebSocketConnection<undefined, never>, message: string | Uint8Array) =>
      at('onMessage', () => {
        socket.send(message);
      }),
    onError: () => at('socket onError', () => {}),
    onClose: () => at('socket onClose', () => {}),
  };
  const failing = () => Promise.reject(new Error('a message that fails'));
  return app
    .websocket('/ws/plain', websocket(plain, TIMES))
    .get('/ws/plain', () => 'not a WebSocket')
    .websocket(
      '/ws/compressed',
      websocket(plain, { ...TIMES, compression: { minSize: 1 }, protocols: ['a'] }),
    )
    .websocket('/ws/failing', websocket({ ...plain, onMessage: failing }, TIMES))
    .websocket('/ws/full', websocket({ onMessage: fill, onDrain: () => at('onDrain', () => {}) }, TIMES))
    .websocket(
      '/ws/events',
      websocket(
        {
          receives: { say: schema('schema of an event') },
          sends: { said: schema('schema of a sent event') },
          onOpen: () => at('onOpen of events', () => {}),
          on: { say: (socket, data) => at('event', () => void socket.emit('said', data)) },
        },
        { ...TIMES, rpc: overSockets },
      ),
    )
    .websocket(
      '/ws/channels',
      websocket(
        {
          onOpen: (socket) => void channels.subscribe(socket, 'room'),
          onMessage: (_, message) => void channels.publish('room', message),
        },
        TIMES,
      ),
    )
    .websocket('/ws/ticket', tickets, websocket({ onMessage: (socket) => void socket.send('ticket') }, TIMES))
    .get('/ticket', () => tickets.issue({ id: 'ada', scopes: [] }))
    .websocket(
      '/ws/session',
      sessions,
      websocket({ onMessage: (socket) => void socket.send('session') }, TIMES),
    )
    .websocket('/ws/key', keys, websocket({ onMessage: (socket) => void socket.send('key') }, TIMES));
}
