// WebSocket: a connection of a server that speaks the protocol itself, as those of Bun and Deno.
import type { ServedEvents, ServedSocket, ServedUpgrade } from '../http/upgrade.js';
import type { FrameBatch } from './frame.js';
import type { Inbox } from './inbox.js';
import type { SocketLimits } from './socket-config.js';
import { CLOSED, CLOSING, OPEN, type Wire } from './wire.js';

/** RFC 6455, section 7.4.1. */
const TOO_BIG = 1009;
/** With which Bun closes a connection that has broken the protocol, or that is gone; the reason tells them apart. */
const ABNORMAL = 1006;

/** Bytes and messages that may arrive while a handler does not keep up: such a server cannot stop reading. */
const MOST_BEHIND_BYTES = 16 * 1024 * 1024;
const MOST_BEHIND = 16_384;

/** A callback behind the bytes that wait. */
interface Mark {
  readonly callback: () => void;
  /** Bytes that were written behind it. */
  behind: number;
}

export class ServedWire implements Wire, ServedEvents {
  inbox: Inbox | undefined = undefined;
  readyState: number = OPEN;
  bytesRead = 0;
  isPaused = false;
  /** It takes messages as a whole, and holds nothing back. */
  readonly tellsOfEach = false;
  readonly isCorked = false;
  readonly protocol: string;
  readonly #limits: SocketLimits;
  #socket: ServedSocket | undefined = undefined;
  #mark: Mark | undefined = undefined;
  #behindBytes = 0;
  #behind = 0;

  private constructor(protocol: string, limits: SocketLimits) {
    this.protocol = protocol;
    this.#limits = limits;
  }

  /** Undefined if the client has left in the meantime. */
  static begin(
    upgrade: ServedUpgrade,
    fields: readonly (readonly [string, string])[],
    protocol: string,
    limits: SocketLimits,
  ): ServedWire | undefined {
    const wire = new ServedWire(protocol, limits);
    wire.#socket = upgrade.serve(wire, protocol, fields);
    return wire.#socket === undefined ? undefined : wire;
  }

  get bufferedAmount(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  get unsentBytes(): number {
    return this.bufferedAmount;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.#behindBytes = 0;
    this.#behind = 0;
  }

  uncork(): void {}

  write(_bytes: Buffer | string, payload: string | Uint8Array): void {
    const { compressFrom } = this.#limits;
    const compress = compressFrom !== undefined && payload.length >= compressFrom;
    if (this.#mark === undefined) {
      this.#socket?.send(payload, compress);
      return;
    }
    const before = this.bufferedAmount;
    this.#socket?.send(payload, compress);
    this.#mark.behind += this.bufferedAmount - before;
  }

  writeBatch(batch: FrameBatch): void {
    for (const { bytes, payload } of batch.frames) this.write(bytes, payload);
  }

  sendMessage(payload: string | Uint8Array): void {
    this.write('', payload);
  }

  whenPassedOn(callback: () => void): void {
    this.#mark = { callback, behind: 0 };
  }

  ping(): void {
    if (this.readyState !== OPEN || this.#socket === undefined) return;
    // What the server pings by itself counts as answered.
    if (this.#socket.ping === undefined) this.bytesRead += 1;
    else this.#socket.ping();
  }

  /** The server has answered. */
  pong(): void {}

  close(code: number, reason: string): void {
    if (this.readyState !== OPEN) return;
    this.readyState = CLOSING;
    this.#socket?.close(code, reason);
    this.inbox?.closing();
  }

  terminate(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSING;
    this.#socket?.terminate();
  }

  message(message: string | Uint8Array): void {
    const isBinary = typeof message !== 'string';
    const size = isBinary ? message.byteLength : Buffer.byteLength(message);
    this.bytesRead += size + 1;
    const { maxMessageSize } = this.#limits;
    if (size > maxMessageSize) {
      this.close(TOO_BIG, `a message has at most ${maxMessageSize} bytes`);
      this.inbox?.broken(refused(`a message has at most ${maxMessageSize} bytes`));
      return;
    }
    if (this.isPaused) this.#fallBehind(size);
    this.inbox?.message(message, isBinary);
  }

  control(bytes: number): void {
    this.bytesRead += bytes + 1;
    // A client that sends pings and reads nothing would let the answers of the server pile up.
    if (this.bufferedAmount >= this.#limits.maxBufferedBytes) this.inbox?.outbox.closeSlow();
  }

  drained(): void {
    const mark = this.#mark;
    if (mark === undefined || this.bufferedAmount > mark.behind) return;
    this.#mark = undefined;
    mark.callback();
  }

  /** In a later turn, because the server tells of it in the middle of `close()`. */
  closed(code: number, reason: string): void {
    const isBroken = code === ABNORMAL && reason !== '' && this.readyState === OPEN;
    this.readyState = CLOSING;
    queueMicrotask(() => {
      const { inbox } = this;
      this.inbox = undefined;
      if (isBroken) inbox?.broken(refused(reason));
      this.readyState = CLOSED;
      inbox?.closed(code, isBroken ? '' : reason);
    });
  }

  #fallBehind(size: number): void {
    this.#behind += 1;
    this.#behindBytes += size;
    if (this.#behind <= MOST_BEHIND && this.#behindBytes <= MOST_BEHIND_BYTES) return;
    this.inbox?.refuse('messages come faster than they are handled');
  }
}

/** As ws tells that a client has broken the protocol. */
function refused(message: string): Error & { code: string } {
  return Object.assign(new RangeError(message), { code: 'WS_ERR_REFUSED' });
}
