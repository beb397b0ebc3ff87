// WebSocket: the handlers of a route, as `websocket` takes them.
import type { SocketEvents } from '../extract/socket-route.js';
import type { EventInputs, EventOutputs } from './events.js';
import type { WebSocketConnection } from './websocket-connection.js';

/** The connection that handlers get. */
type SocketOf<Data, Sends extends SocketEvents> = WebSocketConnection<Data, EventInputs<Sends>>;

/** What every WebSocket may have. */
interface CommonHandlers<Args extends readonly unknown[], Data, Sends extends SocketEvents> {
  /**
   * Events that clients get: a schema for each by its name, or `events<Types>()`. `socket.emit` and the `emit` of a
   * ChannelManager send them.
   */
  readonly sends?: Sends;
  /**
   * Makes `socket.data`, of the Context or, if there are extractors, of their values. It runs before the upgrade:
   * what it throws refuses the handshake with a plain response.
   */
  readonly data?: (...args: Args) => Data | Promise<Data>;
  /** Runs when the connection is open. Messages wait until it is done. */
  readonly onOpen?: (socket: SocketOf<Data, Sends>) => unknown;
  /** Runs once after `onOpen`, when the connection has closed; 1006 means without a close frame. */
  readonly onClose?: (socket: SocketOf<Data, Sends>, code: number, reason: string) => unknown;
  /** Runs when messages had to wait, or there was no capacity, and all of them were sent. */
  readonly onDrain?: (socket: SocketOf<Data, Sends>) => unknown;
  /**
   * Runs when a handler throws or the client breaks the protocol, before the connection is closed. The error is
   * reported to the subscribers of `fw/tracing` all the same.
   */
  readonly onError?: (socket: SocketOf<Data, Sends>, error: unknown) => unknown;
}

/** Handlers of a WebSocket whose messages are texts and bytes. */
export interface MessageHandlers<Args extends readonly unknown[], Data, Sends extends SocketEvents>
  extends CommonHandlers<Args, Data, Sends> {
  readonly receives?: undefined;
  readonly on?: undefined;
  /** Runs for every message, one after the other: a promise is awaited before the next message. */
  readonly onMessage?: (socket: SocketOf<Data, Sends>, message: string | Uint8Array) => unknown;
}

/** Handlers of a WebSocket whose messages are events. */
export interface EventHandlers<
  Args extends readonly unknown[],
  Data,
  Receives extends SocketEvents,
  Sends extends SocketEvents,
> extends CommonHandlers<Args, Data, Sends> {
  readonly onMessage?: undefined;
  /**
   * Events that clients may send: a schema for each by its name, or `events<Types>()`. One that is not declared or
   * whose data does not fit is refused, and the client is told; the connection stays open.
   */
  readonly receives: Receives;
  /** A handler for each event, called one after the other: a promise is awaited before the next message. */
  readonly on: {
    readonly [Event in keyof EventOutputs<Receives>]: (
      socket: SocketOf<Data, Sends>,
      data: EventOutputs<Receives>[Event],
    ) => unknown;
  };
}

/** Each may be asynchronous; what it throws closes the connection. */
export interface SocketCallbacks {
  readonly open: ((socket: WebSocketConnection) => unknown) | undefined;
  readonly message: ((socket: WebSocketConnection, message: string | Uint8Array) => unknown) | undefined;
  readonly drain: ((socket: WebSocketConnection) => unknown) | undefined;
  readonly error: ((socket: WebSocketConnection, error: unknown) => unknown) | undefined;
  readonly close: ((socket: WebSocketConnection, code: number, reason: string) => unknown) | undefined;
  /** Reads the first frame of a client that tells the last ids of its topics. */
  greeting(message: string | Uint8Array): Map<string, string>;
}
