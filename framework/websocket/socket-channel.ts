// WebSocket: connections and messages on the channel `fw:websocket`, for metrics and tools of development.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../tracing/trace-channel.js';

/** A connection, as its messages name it. */
interface TracedSocket {
  /** The same object in all messages of one connection, and in no others. */
  readonly connection: object;
  /** The path of the route as it was registered, with the prefixes of mounts. */
  readonly route: string;
}

/** A message on the channel `fw:websocket`. */
export type SocketTrace = TracedSocket &
  (
    | {
        readonly type: 'open';
        /** The socket of the handshake; undefined on runtimes that have none. */
        readonly stream: object | undefined;
      }
    | { readonly type: 'close'; readonly code: number; readonly reason: string }
    /** A callback of the application threw, which closes the connection. */
    | { readonly type: 'error'; readonly error: unknown }
    | {
        readonly type: 'message';
        readonly direction: 'received' | 'sent';
        /** Bytes of the content. */
        readonly size: number;
        /** That of a text may be bytes, too; they may change after the subscriber has returned. */
        readonly content: string | Uint8Array;
        readonly isBinary: boolean;
      }
  );

const SOCKETS = diagnostics.channel('fw:websocket');

export function publishOpen(connection: object, route: string, stream: object | undefined): void {
  if (!isHeard(SOCKETS)) return;
  const trace: SocketTrace = { type: 'open', connection, route, stream };
  SOCKETS.publish(trace);
}

export function publishClose(connection: object, route: string, code: number, reason: string): void {
  if (!isHeard(SOCKETS)) return;
  const trace: SocketTrace = { type: 'close', connection, route, code, reason };
  SOCKETS.publish(trace);
}

export function publishFailed(connection: object, route: string, error: unknown): void {
  if (!isHeard(SOCKETS)) return;
  const trace: SocketTrace = { type: 'error', connection, route, error };
  SOCKETS.publish(trace);
}

export function publishReceived(
  connection: object,
  route: string,
  content: string | Uint8Array,
  isBinary: boolean,
): void {
  if (isHeard(SOCKETS)) publishMessage('received', connection, route, content, isBinary);
}

/** A text is sent as a string. */
export function publishSent(connection: object, route: string, content: string | Uint8Array): void {
  if (isHeard(SOCKETS)) publishMessage('sent', connection, route, content, typeof content !== 'string');
}

function publishMessage(
  direction: 'received' | 'sent',
  connection: object,
  route: string,
  content: string | Uint8Array,
  isBinary: boolean,
): void {
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  const trace: SocketTrace = { type: 'message', connection, route, direction, size, content, isBinary };
  SOCKETS.publish(trace);
}
