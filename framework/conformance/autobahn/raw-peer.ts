// Conformance tests: a client of WebSockets that sends any bytes, and keeps every frame that it receives.
import { connect, type Socket } from 'node:net';

/** Opcodes (RFC 6455, section 5.2). */
export const CONTINUATION = 0;
export const TEXT = 1;
export const BINARY = 2;
export const CLOSE = 8;
export const PING = 9;
export const PONG = 10;

/** A frame to send; whole, without reserved bits by default. */
export interface SentFrame {
  readonly opcode: number;
  readonly payload?: string | Uint8Array;
  readonly fin?: boolean;
  readonly rsv?: number;
}

export interface ReceivedFrame {
  readonly opcode: number;
  readonly payload: Buffer;
  readonly fin: boolean;
  readonly rsv: number;
}

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** A masked frame (RFC 6455, section 5.3). */
export function maskedFrame({ opcode, payload = '', fin = true, rsv = 0 }: SentFrame): Buffer {
  const bytes = Buffer.from(payload);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) ^ (MASK[i & 3] as number);
  const head = Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  let length = 2;
  if (bytes.length < 126) head[1] = 0x80 | bytes.length;
  else if (bytes.length < 65_536) {
    head[1] = 0xfe;
    head.writeUInt16BE(bytes.length, 2);
    length = 4;
  } else {
    head[1] = 0xff;
    head.writeBigUInt64BE(BigInt(bytes.length), 2);
    length = 10;
  }
  return Buffer.concat([head.subarray(0, length), MASK, bytes]);
}

export class RawPeer {
  readonly socket: Socket;
  readonly received: ReceivedFrame[] = [];
  /** Resolves when the server has ended the connection. */
  readonly ended: Promise<void>;
  /** The head of the response. */
  head = '';
  #rest: Buffer = Buffer.alloc(0);
  /** Parts that do not make up a frame yet. */
  readonly #parts: Buffer[] = [];
  #missing = 0;
  readonly #arrived: (() => void)[] = [];

  private constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    // The frames that have arrived before tell what happened.
    this.socket.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.socket.once('close', () => {
        this.#wake();
        resolve();
      });
    });
    this.socket.on('data', (chunk) => this.#read(chunk));
  }

  /** Makes the handshake; `extensions` is the value of Sec-WebSocket-Extensions. */
  static async connect(url: string, extensions?: string): Promise<RawPeer> {
    const { port, pathname } = new URL(url);
    const peer = new RawPeer(Number(port));
    peer.socket.write(
      [
        `GET ${pathname} HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
        '\r\n',
      ].join('\r\n'),
    );
    await peer.until(() => peer.head !== '');
    if (!peer.head.startsWith('HTTP/1.1 101')) throw new Error(`not upgraded: ${peer.head}`);
    return peer;
  }

  send(...frames: readonly SentFrame[]): void {
    for (const frame of frames) this.socket.write(maskedFrame(frame));
  }

  /** Sends bytes in pieces, each with a write of its own. */
  async sendChopped(bytes: Uint8Array, size: number): Promise<void> {
    for (let at = 0; at < bytes.length && !this.socket.destroyed; at += size) {
      await new Promise((resolve) => this.socket.write(bytes.subarray(at, at + size), resolve));
    }
  }

  sendClose(code = 1000, reason: string | Uint8Array = ''): void {
    this.send({ opcode: CLOSE, payload: closePayload(code, reason) });
  }

  /** Resolves when the condition holds, or the connection has ended. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.socket.destroyed) {
      await new Promise<void>((resolve) => this.#arrived.push(resolve));
    }
  }

  /** The code of the server's close frame; 1005 if it has none, undefined without a close frame. */
  get closeCode(): number | undefined {
    const frame = this.received.find(({ opcode }) => opcode === CLOSE);
    if (frame === undefined) return undefined;
    return frame.payload.length === 0 ? 1005 : frame.payload.readUInt16BE();
  }

  #wake(): void {
    for (const resolve of this.#arrived.splice(0)) resolve();
  }

  #read(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    this.#rest = Buffer.concat([this.#rest, ...this.#parts.splice(0)]);
    if (this.head === '') {
      const end = this.#rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.head = this.#rest.subarray(0, end).toString();
      this.#rest = this.#rest.subarray(end + 4);
    }
    while (this.#takeFrame());
    this.#wake();
  }

  #takeFrame(): boolean {
    const rest = this.#rest;
    if (rest.length < 2) return this.#wait(2);
    const [first = 0, second = 0] = rest;
    const size = second & 0x7f;
    const start = size < 126 ? 2 : size === 126 ? 4 : 10;
    if (rest.length < start) return this.#wait(start);
    const length = size < 126 ? size : size === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    const end = start + length;
    if (rest.length < end) return this.#wait(end);
    const payload = rest.subarray(start, end);
    this.received.push({ fin: first >= 0x80, rsv: (first >> 4) & 7, opcode: first & 15, payload });
    this.#rest = rest.subarray(end);
    return true;
  }

  #wait(size: number): false {
    this.#missing = size - this.#rest.length;
    return false;
  }
}

/** Code and reason as the payload of a close frame. */
export function closePayload(code: number, reason: string | Uint8Array = ''): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(code);
  return Buffer.concat([bytes, Buffer.from(reason)]);
}
