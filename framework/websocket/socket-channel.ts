// WebSocket: connections and messages on the channel `fw:websocket`, for metrics and tools of development.
import diagnostics from 'node:diagnostics_channel';
import { isHeard } from '../tracing/trace-channel.js';

/** A message on the channel `fw:websocket`. */
export type SocketTrace =
  | {
      readonly type: 'open' | 'close';
      /** The path of the route as it was registered, with the prefixes of mounts. */
      readonly route: string;
    }
  | {
      readonly type: 'message';
      readonly route: string;
      readonly direction: 'received' | 'sent';
      /** Bytes of the content. */
      readonly size: number;
    };

const SOCKETS = diagnostics.channel('fw:websocket');

export function publishSocket(type: 'open' | 'close', route: string): void {
  if (!isHeard(SOCKETS)) return;
  const trace: SocketTrace = { type, route };
  SOCKETS.publish(trace);
}

export function publishMessage(
  direction: 'received' | 'sent',
  route: string,
  content: string | Uint8Array,
): void {
  if (!isHeard(SOCKETS)) return;
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  const trace: SocketTrace = { type: 'message', route, direction, size };
  SOCKETS.publish(trace);
}
