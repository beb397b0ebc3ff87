// WebSocket: what a connection sends, and how much of it waits for the client.
import type { FrameBatch } from './frame.js';
import { publishSent } from './socket-channel.js';
import type { SocketLimits } from './socket-config.js';
import { OPEN, type Wire } from './wire.js';

/** RFC 6455, section 7.4.1 and the registry of close codes: the client may try again later. */
const TRY_AGAIN_LATER = 1013;

/** Bytes that may wait before pings are not answered, and subscriptions are not asked for their next event. */
const READY_BYTES = 65_536;

/** What it tells its route. */
export interface OutboxRoute {
  readonly limits: SocketLimits;
  /** Called when nothing waits any more. */
  flushed(wire: Wire): void;
  /** Called when a message is sent although there is no capacity left, and when there is again. */
  full(outbox: Outbox, isFull: boolean): void;
}

/**
 * A message waits if the operating system does not take it at once, or it is being compressed. A callback behind those
 * that wait, the mark, tells when they were passed on; ws tells it of each message that it may compress.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #route: OutboxRoute;
  /** Whether messages may be compressed before they are written. */
  readonly #tellsOfEach: boolean;
  readonly #pattern: string;
  /** Messages that wait. */
  #waiting = 0;
  #hasMark = false;
  /** Those of them that are in front of the mark. */
  #beforeMark = 0;
  /** Whether it must tell when nothing waits any more: the client is slow, or someone was told that it is. */
  #mustTell = false;
  #isFull = false;
  #dropped = 0;
  #whenReady: (() => void)[] | undefined = undefined;
  /** The payload of a ping that is not answered yet. */
  #ping: Buffer | undefined = undefined;

  /** @param pattern the path of the route, for metrics */
  constructor(wire: Wire, route: OutboxRoute, pattern: string) {
    this.#wire = wire;
    this.#route = route;
    this.#pattern = pattern;
    this.#tellsOfEach = wire.tellsOfEach;
  }

  /** How many messages were left out. */
  get dropped(): number {
    return this.#dropped;
  }

  get bufferedBytes(): number {
    const bytes = this.#wire.bufferedAmount;
    if (bytes > 0) this.#tellLater();
    return bytes;
  }

  /** How many more messages may wait. */
  capacity(): number {
    return this.hasCapacity() ? this.#route.limits.capacity - this.#waiting : 0;
  }

  hasCapacity(): boolean {
    const hasCapacity = this.#hasRoom() || this.#hasRoomUncorked();
    if (!hasCapacity) this.#tellLater();
    return hasCapacity;
  }

  /** Writes a frame; as a string it is latin1. False if the message was left out, or the client is too slow. */
  write(bytes: Buffer | string, payload: string | Uint8Array): boolean {
    if (this.#waiting > 0 && !this.#admits()) return false;
    publishSent(this.#wire, this.#pattern, payload);
    const wire = this.#wire;
    if (this.#tellsOfEach) {
      this.#waiting += 1;
      wire.sendMessage(payload, this.#route.limits, () => this.#sent());
      return true;
    }
    wire.write(bytes, payload, this.#route.limits);
    if (wire.unsentBytes > 0) this.#await(1);
    return true;
  }

  /** Writes several messages at once, if none has to wait and all are sent as they are. */
  writeBatch(batch: FrameBatch): boolean {
    const { frames, largest } = batch;
    if (this.#waiting > 0 || this.#tellsOfEach || largest > this.#route.limits.maxFrameSize) {
      return frames.filter(({ bytes, payload }) => this.write(bytes, payload)).length === frames.length;
    }
    for (const { payload } of frames) publishSent(this.#wire, this.#pattern, payload);
    this.#wire.writeBatch(batch);
    if (this.#wire.unsentBytes > 0) this.#await(frames.length);
    return true;
  }

  /** Resolves when messages can be sent without waiting, or the connection has closed. */
  ready(): Promise<void> {
    if (!this.#isOpen || this.#wire.bufferedAmount < READY_BYTES) return Promise.resolve();
    this.#mark();
    return new Promise((resolve) => {
      this.#whenReady ??= [];
      this.#whenReady.push(resolve);
    });
  }

  /**
   * Answers a ping: at once, or when the client has read what it was sent. A client that sends pings and reads nothing
   * would let the answers pile up, so only the last one is answered then (RFC 6455, section 5.5.3).
   */
  pong(payload: Buffer): void {
    if (!this.#isOpen) return;
    this.#ping = undefined;
    if (this.#wire.bufferedAmount < READY_BYTES) {
      this.#wire.pong(payload);
      return;
    }
    // A copy, because the payload may be a part of a much larger buffer.
    this.#ping = Buffer.from(payload);
    this.#mark();
  }

  /** Writes what was held back in this turn. */
  uncork(): void {
    this.#wire.uncork();
    if (this.#waiting === 0) return;
    if (this.#wire.unsentBytes > 0) this.#tellLater();
    else this.#settle();
  }

  /** To be called when there was no capacity for too long. */
  closeSlow(): void {
    this.#wire.close(TRY_AGAIN_LATER, 'the client reads too slowly');
  }

  /** The connection has closed. */
  end(): void {
    this.#ping = undefined;
    this.#wake();
  }

  get #isOpen(): boolean {
    return this.#wire.readyState === OPEN;
  }

  /** The message that reaches the limit of bytes is still taken, so that one may be larger than it. */
  #hasRoom(): boolean {
    const { capacity, maxBufferedBytes } = this.#route.limits;
    return this.#waiting < capacity && this.#wire.bufferedAmount < maxBufferedBytes;
  }

  /** What handlers send in one turn is held back to be written at once; only what the client does not take counts. */
  #hasRoomUncorked(): boolean {
    this.#wire.uncork();
    this.#settle();
    return this.#hasRoom();
  }

  #admits(): boolean {
    if (this.hasCapacity()) return true;
    const { maxBufferedBytes, dropsMessages } = this.#route.limits;
    if (dropsMessages) {
      this.#dropped += 1;
      return false;
    }
    if (this.#wire.bufferedAmount >= maxBufferedBytes) {
      this.closeSlow();
      return false;
    }
    if (!this.#isFull) this.#route.full(this, true);
    this.#isFull = true;
    return true;
  }

  #await(messages: number): void {
    this.#waiting += messages;
    // What is held back is looked at when it is written.
    if (!this.#wire.isCorked) this.#tellLater();
  }

  #tellLater(): void {
    this.#mustTell = true;
    this.#mark();
  }

  /** Nothing can be written to a socket that was ended. */
  #mark(): void {
    if (this.#hasMark || !this.#isOpen || this.#wire.unsentBytes === 0) return;
    this.#hasMark = true;
    this.#beforeMark = this.#tellsOfEach ? 0 : this.#waiting;
    this.#wire.whenPassedOn(() => {
      this.#hasMark = false;
      this.#waiting -= this.#beforeMark;
      this.#beforeMark = 0;
      this.#look();
    });
  }

  /** Called for each message of a connection that compresses. */
  #sent(): void {
    this.#waiting -= 1;
    this.#look();
  }

  #settle(): void {
    if (this.#wire.unsentBytes > 0) this.#mark();
    else if (!this.#tellsOfEach) {
      this.#waiting = 0;
      this.#beforeMark = 0;
    }
  }

  /** Less waits than before. */
  #look(): void {
    if (!this.#isOpen) return;
    this.#settle();
    if (this.#wire.bufferedAmount < READY_BYTES) {
      if (this.#ping !== undefined) this.pong(this.#ping);
      this.#wake();
    }
    if (this.#isFull && this.#hasRoom()) {
      this.#isFull = false;
      this.#route.full(this, false);
    }
    if (this.#waiting > 0 || !this.#mustTell) return;
    this.#mustTell = false;
    this.#route.flushed(this.#wire);
  }

  #wake(): void {
    const callbacks = this.#whenReady ?? [];
    this.#whenReady = undefined;
    for (const callback of callbacks) callback();
  }
}
