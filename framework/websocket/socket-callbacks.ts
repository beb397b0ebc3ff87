// WebSocket: the handlers of a route as its connections call them, the same for messages and for events.
import type { WebSocketConnection } from './websocket-connection.js';

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
