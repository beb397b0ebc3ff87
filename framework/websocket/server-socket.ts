// WebSocket: the connection of ws, with a limit for frames and without a listener of its own for each event.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import * as ws from 'ws';
import { ConfigError } from '../config-error.js';
import type { UpgradeRequest } from '../http/upgrade.js';
import type { FrameBatch } from './frame.js';
import type { Inbox } from './inbox.js';
import type { SocketLimits } from './socket-config.js';
import type { Wire } from './wire.js';

/** Bundlers for Workers take the file of ws for browsers, which has none of its classes. */
const Base: typeof ws.WebSocket = ws.WebSocket ?? class {};

const NOTHING = Buffer.alloc(0);

/** A connection of ws that belongs to an inbox. */
export class ServerSocket extends Base implements Wire {
  inbox: Inbox | undefined = undefined;
  /** Set right after the handshake. */
  stream: Socket = undefined as never;

  get tellsOfEach(): boolean {
    return this.extensions !== '';
  }

  get bytesRead(): number {
    return this.stream.bytesRead;
  }

  get unsentBytes(): number {
    return this.stream.writableLength;
  }

  get isCorked(): boolean {
    return this.stream.writableCorked > 0;
  }

  uncork(): void {
    this.stream.uncork();
  }

  write(bytes: Buffer | string, payload: string | Uint8Array, limits: SocketLimits): void {
    // One write, where ws makes two: nothing else writes a part of a frame.
    if (bytes.length <= limits.maxFrameSize) this.stream.write(bytes, 'latin1');
    else this.sendMessage(payload, limits);
  }

  writeBatch(batch: FrameBatch): void {
    this.stream.write(batch.bytes);
  }

  /** RFC 6455, section 5.4: a large message is sent as several frames. */
  sendMessage(payload: string | Uint8Array, limits: SocketLimits, sent?: () => void): void {
    const { maxFrameSize, compressFrom = 0 } = limits;
    const binary = typeof payload !== 'string';
    const bytes = binary ? payload : Buffer.from(payload);
    const compress = bytes.byteLength >= compressFrom;
    let start = 0;
    let fin: boolean;
    do {
      const end = start + maxFrameSize;
      fin = end >= bytes.byteLength;
      this.send(bytes.subarray(start, end), { binary, fin, compress }, fin ? sent : undefined);
      start = end;
    } while (!fin);
  }

  /** An empty write tells when the socket has passed on those before it, however few bytes they are. */
  whenPassedOn(callback: () => void): void {
    this.stream.write(NOTHING, callback);
  }

  /** Called for every close frame, also by ws itself. */
  override close(code?: number, reason?: string | Buffer): void {
    super.close(code, reason);
    if (this.readyState !== this.OPEN) this.inbox?.closing();
  }
}

/** Makes the handshakes of one route. */
export class Upgrader {
  readonly #server: ws.WebSocketServer;
  readonly #frames: FrameLimit;
  /** The header fields of the handshake that is being written. */
  #fields: readonly (readonly [string, string])[] = [];
  #protocol = '';

  constructor(limits: SocketLimits) {
    this.#frames = new FrameLimit(limits.maxFrameSize);
    this.#server = new ws.WebSocketServer(this.#options(limits));
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
    this.#server.handleUpgrade(incoming, socket as Duplex, head, (made) => {
      upgraded = made as ServerSocket;
    });
    if (upgraded === undefined) return undefined;
    this.#frames.apply(upgraded);
    upgraded.stream = socket as Socket;
    listenTo(upgraded);
    return upgraded;
  }

  #options({ maxMessageSize, timeoutMs, compressFrom }: SocketLimits): ws.ServerOptions {
    return {
      noServer: true,
      clientTracking: false,
      // Done by the outbox.
      autoPong: false,
      maxPayload: maxMessageSize,
      WebSocket: ServerSocket as typeof ws.WebSocket,
      // How long ws waits for the client's close frame.
      closeTimeout: timeoutMs,
      handleProtocols: () => this.#protocol || false,
      perMessageDeflate: compressFrom === undefined ? false : deflate(compressFrom),
    } as ws.ServerOptions;
  }
}

/** Contexts are not kept between messages, because they take most of the memory. */
function deflate(threshold: number): ws.ServerOptions['perMessageDeflate'] {
  return {
    threshold,
    serverNoContextTakeover: true,
    clientNoContextTakeover: true,
    concurrencyLimit: 10,
    zlibDeflateOptions: { level: 3, memLevel: 7 },
  };
}

/** Passes what happens on a connection to its inbox; the listeners are shared by all connections. */
function listenTo(socket: ServerSocket): void {
  socket.on('message', onMessage).on('ping', onPing).on('error', onError).on('close', onClose);
}

function onMessage(this: ws.WebSocket, data: unknown, isBinary: boolean): void {
  const { _receiver: receiver, _socket: socket } = this as ws.WebSocket & Internals;
  // More messages have arrived with this one: what their handlers send is written at once, after all of them.
  if (receiver !== undefined && receiver._bufferedBytes > 0 && socket?.writableCorked === 0) {
    socket.cork();
    process.nextTick(uncork, this);
  }
  (this as ServerSocket).inbox?.message(data as Buffer, isBinary);
}

/** Members of ws; without them, every message is written by itself. */
interface Internals {
  readonly _receiver?: { readonly _bufferedBytes: number };
  readonly _socket?: Socket;
}

function uncork(socket: ServerSocket): void {
  socket.inbox?.outbox.uncork();
}

function onPing(this: ws.WebSocket, payload: Buffer): void {
  (this as ServerSocket).inbox?.outbox.pong(payload);
}

function onError(this: ws.WebSocket, error: Error): void {
  (this as ServerSocket).inbox?.broken(error);
}

function onClose(this: ws.WebSocket, code: number, reason: Buffer): void {
  const { inbox } = this as ServerSocket;
  (this as ServerSocket).inbox = undefined;
  inbox?.closed(code, reason.toString());
}

/** The members of the receiver of ws that hold a frame's head. */
interface Receiver {
  _payloadLength: number;
  haveLength(callback: (error: Error) => void): void;
  createError(kind: ErrorConstructor, message: string, prefix: boolean, code: number, name: string): Error;
}

/** RFC 6455, section 7.4.1. */
const TOO_BIG = 1009;

class FrameLimit {
  readonly #haveLength: (this: Receiver, callback: (error: Error) => void) => void;

  /** @throws ConfigError if ws does not have the members that are replaced, so that the limit would not hold. */
  constructor(maxFrameSize: number) {
    const { prototype } = (ws as unknown as { Receiver?: { prototype: Partial<Receiver> } }).Receiver ?? {};
    if (typeof prototype?.haveLength !== 'function' || typeof prototype.createError !== 'function') {
      throw new ConfigError(
        'FW_PACKAGE_VERSION',
        'websocket(): this version of ws is not supported; install ws 8.23',
      );
    }
    /** Runs when the length of a frame is known, before its payload is read. */
    this.#haveLength = function haveLength(this: Receiver, callback) {
      if (this._payloadLength <= maxFrameSize) {
        const next = Object.getPrototypeOf(this) as Receiver;
        next.haveLength.call(this, callback);
        return;
      }
      const what = `a frame has at most ${maxFrameSize} bytes`;
      callback(this.createError(RangeError, what, false, TOO_BIG, 'WS_ERR_UNSUPPORTED_FRAME_LENGTH'));
    };
  }

  apply(socket: ws.WebSocket): void {
    (socket as unknown as { _receiver: Receiver })._receiver.haveLength = this.#haveLength;
  }
}
