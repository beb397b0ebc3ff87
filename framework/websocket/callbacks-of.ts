// WebSocket: the callbacks of a route's connections, made once of its handlers.
import type { SocketEvents } from '../extract/socket-route.js';
import { isPromise } from '../promises.js';
import { EVENTS_PROTOCOL } from './handshake.js';
import { jsonOf, UnusableMessage } from './parse-json.js';
import type { SocketSubscriptions } from './socket-config.js';
import type { EventHandler, EventReader } from './typed-events.js';
import type { WebSocketConnection } from './websocket-connection.js';
import type { SocketCallbacks } from './websocket-handlers.js';

/** The handlers as a route keeps them: the types have checked their arguments. */
export interface LooseHandlers
  extends Partial<Record<'onOpen' | 'onMessage' | 'onDrain' | 'onError' | 'onClose', never>> {
  readonly receives?: SocketEvents;
  readonly sends?: SocketEvents;
  readonly on?: Readonly<Record<string, EventHandler>>;
  readonly data?: (...args: readonly unknown[]) => unknown;
}

export function callbacksOf(
  handlers: LooseHandlers,
  reader: EventReader | undefined,
  subscriptions: ReadonlySubscriptions,
  heartbeatMs: number,
): SocketCallbacks {
  const { onOpen, onMessage, onDrain, onError, onClose } = handlers as unknown as Readonly<
    Partial<{
      onOpen: SocketCallbacks['open'];
      onMessage: SocketCallbacks['message'];
      onDrain: SocketCallbacks['drain'];
      onError: SocketCallbacks['error'];
      onClose: SocketCallbacks['close'];
    }>
  >;
  return {
    open: reader === undefined ? onOpen : openThenReady(onOpen, heartbeatMs),
    message:
      reader === undefined
        ? onMessage
        : (socket, message) => readFrame(reader, subscriptions, socket, message),
    drain: onDrain,
    error: onError,
    close: onClose,
    greeting: resumePoints,
  };
}

/** Tells a client of `fw generate` that it is connected, after everything that `onOpen` has sent. */
function openThenReady(onOpen: SocketCallbacks['open'], heartbeatMs: number): SocketCallbacks['open'] {
  const ready = (socket: WebSocketConnection): void => {
    if (socket.protocol === EVENTS_PROTOCOL) socket.sendJson({ ready: { heartbeatMs } });
  };
  return (socket) => {
    const opened = onOpen?.(socket);
    if (isPromise(opened)) return Promise.resolve(opened).then(() => ready(socket));
    ready(socket);
    return undefined;
  };
}

/** The subscriptions of connections. */
interface ReadonlySubscriptions {
  get(socket: WebSocketConnection): SocketSubscriptions | undefined;
}

function readFrame(
  reader: EventReader,
  subscriptions: ReadonlySubscriptions,
  socket: WebSocketConnection,
  message: string | Uint8Array,
): unknown {
  const frame = jsonOf(message);
  const { event, subscribe, unsubscribe } = (frame ?? {}) as Readonly<Record<string, unknown>>;
  if (event === undefined) {
    const own = subscriptions.get(socket);
    if (own !== undefined && subscribe !== undefined) return own.subscribe(subscribe);
    if (own !== undefined && unsubscribe !== undefined) return own.unsubscribe(unsubscribe);
  }
  return reader.read(socket, { refuse: (failed) => void socket.sendJson({ failed }) }, frame);
}

/** How many topics a client may resume. */
const MOST_TOPICS = 10_000;

function resumePoints(message: string | Uint8Array): Map<string, string> {
  const { resume } = (jsonOf(message) ?? {}) as { resume?: unknown };
  if (typeof resume !== 'object' || resume === null)
    throw new UnusableMessage('the first frame has no resume');
  const points = Object.entries(resume).slice(0, MOST_TOPICS);
  return new Map(points.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
