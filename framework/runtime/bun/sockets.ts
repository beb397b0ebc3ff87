// Bun: WebSockets of its server, which speaks the protocol itself.
import type { ServedEvents, ServedSocket, ServedUpgrade } from '../../http/upgrade.js';
import type { SocketLimits } from '../node/listen.js';

/** A connection of Bun. */
interface BunSocket {
  readonly data: Attached;
  send(message: string | Uint8Array, compress?: boolean): number;
  ping(): number;
  close(code: number, reason: string): void;
  terminate(): void;
  getBufferedAmount(): number;
}

/** What a connection carries from its handshake. */
interface Attached {
  readonly events: ServedEvents;
  /** Set while the response is written. */
  socket: BunSocket | undefined;
}

/** The option `websocket` of `Bun.serve`. */
export interface SocketsOfBun {
  readonly maxPayloadLength: number;
  readonly perMessageDeflate: boolean;
  readonly backpressureLimit: number;
  readonly idleTimeout: number;
  readonly sendPings: boolean;
  open(socket: BunSocket): void;
  message(socket: BunSocket, message: string | Uint8Array): void;
  drain(socket: BunSocket): void;
  ping(socket: BunSocket, payload: Uint8Array): void;
  pong(socket: BunSocket, payload: Uint8Array): void;
  close(socket: BunSocket, code: number, reason: string): void;
}

interface Upgrading {
  upgrade(request: Request, options: { readonly data: object; readonly headers: Headers }): boolean;
}

/** More than this, Bun would drop without a word; the limits of each connection are lower. */
const NO_LIMIT = 2 ** 31 - 1;

export function socketsOf(limits: SocketLimits | undefined): SocketsOfBun {
  return {
    maxPayloadLength: limits?.maxMessageSize ?? 0,
    perMessageDeflate: limits?.isCompressed ?? false,
    backpressureLimit: NO_LIMIT,
    // Connections are pinged, and cut, by their own heartbeat.
    idleTimeout: 0,
    sendPings: false,
    open(socket) {
      socket.data.socket = socket;
    },
    message: ({ data }, message) => data.events.message(message),
    drain: ({ data }) => data.events.drained(),
    ping: ({ data }, payload) => data.events.control(payload.length),
    pong: ({ data }, payload) => data.events.control(payload.length),
    close: ({ data }, code, reason) => data.events.closed(code, reason),
  };
}

export function upgradeBy(server: Upgrading, request: Request): ServedUpgrade {
  return {
    serve(events, protocol, fields) {
      // Without the field, Bun would select the first that the client offers.
      const headers = new Headers([...fields.map(([name, value]): [string, string] => [name, value])]);
      headers.set('Sec-WebSocket-Protocol', protocol);
      const data: Attached = { events, socket: undefined };
      // Calls `open` before it returns.
      const isUpgraded = server.upgrade(request, { data, headers });
      return isUpgraded && data.socket !== undefined ? served(data.socket) : undefined;
    },
  };
}

function served(socket: BunSocket): ServedSocket {
  return {
    get bufferedBytes() {
      return socket.getBufferedAmount();
    },
    send: (message, compress) => void socket.send(message, compress),
    ping: () => void socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  };
}
