// WebSocket: the connection of ws, with a limit for frames and without a listener of its own for each event.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws';
import type { UpgradeRequest } from '../http/upgrade.js';
import { FrameLimit } from './frame-limit.js';
import type { Inbox } from './inbox.js';
import type { SocketLimits } from './socket-config.js';

/** A connection of ws that belongs to an inbox. */
export class ServerSocket extends WebSocket {
  inbox: Inbox | undefined = undefined;
}

/** Makes the handshakes of one route. */
export class Upgrader {
  readonly #server: WebSocketServer;
  readonly #frames: FrameLimit;
  /** The header fields of the handshake that is being written. */
  #fields: readonly (readonly [string, string])[] = [];
  #protocol = '';

  constructor(limits: SocketLimits) {
    this.#frames = new FrameLimit(limits.maxFrameSize);
    this.#server = new WebSocketServer(this.#options(limits));
    this.#server.on('headers', (lines: string[]) => {
      for (const [name, value] of this.#fields) lines.push(`${name}: ${value}`);
    });
  }

  /** Writes the response 101. Undefined if the client has left. The first frame is read in a later turn. */
  upgrade(
    { incoming, socket, head }: UpgradeRequest,
    fields: readonly (readonly [string, string])[],
    protocol: string,
  ): ServerSocket | undefined {
    let upgraded: ServerSocket | undefined;
    this.#fields = fields;
    this.#protocol = protocol;
    this.#server.handleUpgrade(incoming, socket as Duplex, head, (ws) => {
      upgraded = ws as ServerSocket;
    });
    if (upgraded !== undefined) this.#frames.apply(upgraded);
    return upgraded;
  }

  #options({ maxMessageSize, timeoutMs, compressFrom }: SocketLimits): ServerOptions {
    return {
      noServer: true,
      clientTracking: false,
      // Done by onPing.
      autoPong: false,
      maxPayload: maxMessageSize,
      WebSocket: ServerSocket as typeof WebSocket,
      // How long ws waits for the client's close frame.
      closeTimeout: timeoutMs,
      handleProtocols: () => this.#protocol || false,
      perMessageDeflate: compressFrom === undefined ? false : deflate(compressFrom),
    } as ServerOptions;
  }
}

/** Contexts are not kept between messages, because they take most of the memory. */
function deflate(threshold: number): ServerOptions['perMessageDeflate'] {
  return {
    threshold,
    serverNoContextTakeover: true,
    clientNoContextTakeover: true,
    concurrencyLimit: 10,
    zlibDeflateOptions: { level: 3, memLevel: 7 },
  };
}

const INBOX: unique symbol = Symbol('fw.inbox');

type InboxSocket = Socket & { [INBOX]?: Inbox };

/** Passes what happens on a connection to its inbox; the listeners are shared by all connections. */
export function passTo(inbox: Inbox, ws: ServerSocket, socket: InboxSocket): void {
  ws.inbox = inbox;
  socket[INBOX] = inbox;
  ws.on('message', onMessage).on('ping', onPing).on('error', onError).on('close', onClose);
  socket.on('drain', onDrain);
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  const { _receiver: receiver, _socket: socket } = this as WebSocket & Internals;
  // More messages have arrived with this one: what their handlers send is written at once, after all of them.
  if (receiver !== undefined && receiver._bufferedBytes > 0 && socket?.writableCorked === 0) {
    socket.cork();
    process.nextTick(uncork, socket);
  }
  (this as ServerSocket).inbox?.message(data as Buffer, isBinary);
}

/** Bytes that may wait to be sent before pings are not answered. */
const MOST_UNREAD_BYTES = 65_536;

/**
 * A client that sends pings and reads nothing would let their answers pile up; those to earlier pings may be left out
 * (RFC 6455, section 5.5.3).
 */
function onPing(this: WebSocket, payload: Buffer): void {
  if (this.readyState === this.OPEN && this.bufferedAmount < MOST_UNREAD_BYTES) this.pong(payload);
}

/** Members of ws; without them, every message is written by itself. */
interface Internals {
  readonly _receiver?: { readonly _bufferedBytes: number };
  readonly _socket?: Socket;
}

function uncork(socket: Socket): void {
  socket.uncork();
}

function onError(this: WebSocket, error: Error): void {
  (this as ServerSocket).inbox?.broken(error);
}

function onClose(this: WebSocket, code: number, reason: Buffer): void {
  const { inbox } = this as ServerSocket;
  (this as ServerSocket).inbox = undefined;
  inbox?.closed(code, reason);
}

function onDrain(this: InboxSocket): void {
  this[INBOX]?.drained();
}
