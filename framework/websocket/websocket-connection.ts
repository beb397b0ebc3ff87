// WebSocket: one connection, as the handlers see it.
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { ChannelMember } from './channel-member.js';
import { flushPublished } from './channels/turn.js';
import { checkReason, isCloseCode } from './close-reason.js';
import { binaryFrame, type Frame, textWire } from './frame.js';
import type { FrameBatch } from './frame-batch.js';
import { parseJson } from './parse-json.js';
import type { SocketLimits } from './socket-config.js';
import type { EventWriter } from './typed-events.js';

/** `readyState` of an open connection. */
const OPEN = 1;
/** RFC 6455, section 7.4.1 and the registry of close codes: the client may try again later. */
const TRY_AGAIN_LATER = 1013;

/** Bytes that wait, from which on the socket tells when they are sent: its buffer has at most 64 KiB. */
const READY_BYTES = 65_536;

/** What a connection shares with the others of its route. @internal */
export interface ConnectionRoute {
  readonly limits: SocketLimits;
  readonly events: EventWriter;
  /** Called when all messages were sent that waited when there was no capacity. */
  flushed(ws: WebSocket): void;
  /** Called when there is no capacity left, and when there is again. */
  full(connection: WebSocketConnection, isFull: boolean): void;
}

/**
 * One client that is connected. `Data` is what `data` of its WebSocket made of the handshake, `Sends` the data of the
 * events that it gets, by their names.
 */
export class WebSocketConnection<Data = unknown, Sends extends object = never> implements ChannelMember {
  /** What `data` returned; undefined without it. */
  readonly data: Data;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #route: ConnectionRoute;
  /** Whether messages may be compressed, which only ws does. */
  readonly #isCompressed: boolean;
  /** Messages that were given to the socket since it was empty. */
  #waiting = 0;
  #isFull = false;
  #dropped = 0;
  #whenClosed: (() => void)[] | undefined = undefined;
  #whenDrained: (() => void)[] | undefined = undefined;
  #resumePoints: ReadonlyMap<string, string> | undefined = undefined;

  /** @internal */
  constructor(ws: WebSocket, socket: Socket, route: ConnectionRoute, data: Data) {
    this.#ws = ws;
    this.#socket = socket;
    this.#isCompressed = ws.extensions !== '';
    this.#route = route;
    this.data = data;
  }

  /** False once the connection is closing or closed: nothing can be sent any more. */
  get isOpen(): boolean {
    return this.#ws.readyState === OPEN;
  }

  /** The sub-protocol that was selected; empty if there is none. */
  get protocol(): string {
    return this.#ws.protocol;
  }

  /** How many messages `slow: 'drop'` has left out. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Sends a text or bytes as one message. Returns false if it was not sent, because the connection is closing or
   * closed, or has no capacity and drops messages. Never waits: ask `hasCapacity()` before sending a lot.
   */
  send(message: string | Uint8Array): boolean {
    if (!this.isOpen) return false;
    flushPublished();
    if (typeof message === 'string') return this.#write(textWire(message), message);
    if (message instanceof Uint8Array) return this.#write(binaryFrame(message), message);
    throw new Error(`send() takes a string or a Uint8Array, got ${kindOf(message)}; use sendJson()`);
  }

  /** Sends a JSON value as a text message, like `send`. @throws Error if the value has no JSON form. */
  sendJson(value: unknown): boolean {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new Error(`sendJson(): ${kindOf(value)} has no JSON form`);
    return this.send(text);
  }

  /**
   * Sends an event that `sends` declares, like `send`. With a schema, its data is parsed before: fields that are not
   * declared do not leave.
   *
   * @throws Error if the event is not declared, or its data does not fit the schema or has no JSON form.
   */
  emit<Event extends keyof Sends & string>(event: Event, data: Sends[Event]): boolean {
    if (!this.isOpen) return false;
    return this.send(this.#route.events.text(event, data));
  }

  /**
   * The JSON value of a text message, parsed by a schema if one is given.
   *
   * @throws FwError 400 if the message is binary, is not JSON or does not fit; uncaught in a handler, it closes the
   * connection with 1007. Error if the schema is asynchronous.
   */
  recvJson(message: string | Uint8Array): unknown;
  recvJson<Output>(message: string | Uint8Array, schema: StandardSchemaV1<unknown, Output>): Output;
  recvJson(message: string | Uint8Array, schema?: StandardSchemaV1): unknown {
    return parseJson(message, schema);
  }

  /**
   * Closes the connection; what was sent before still arrives. Nothing happens if it is closing already.
   *
   * @param code 1000 (normal) by default; 1001 to 1014 as RFC 6455 defines them, 3000 to 4999 for applications
   * @param reason up to 123 bytes, for the client
   * @throws Error if code or reason cannot be sent.
   */
  close(code: number = 1000, reason: string = ''): void {
    if (!isCloseCode(code)) {
      throw new Error(`${code} is not a close code that can be sent; use 1000, or 3000 to 4999`);
    }
    flushPublished();
    this.#ws.close(code, checkReason(reason));
  }

  /** Cuts the connection without a close frame. */
  terminate(): void {
    this.#ws.terminate();
  }

  /** How many more messages may wait to be sent. */
  capacity(): number {
    return Math.max(0, this.#route.limits.capacity - this.#backlog());
  }

  /** How many messages may wait to be sent at most: the option `capacity`. */
  maxCapacity(): number {
    return this.#route.limits.capacity;
  }

  /** Whether another message may wait to be sent. `onDrain` runs when all that waited was sent. */
  hasCapacity(): boolean {
    return this.#backlog() < this.#route.limits.capacity;
  }

  /** Bytes that wait to be sent. */
  get bufferedBytes(): number {
    return this.#ws.bufferedAmount;
  }

  /** Writes a frame that was built before, as channels do. */
  sendFrame(frame: Frame): boolean {
    return this.isOpen && this.#write(frame.bytes, frame.payload);
  }

  /** Writes several messages at once, if none has to wait and all are sent as they are. */
  sendFrames(batch: FrameBatch): boolean {
    if (!this.isOpen) return false;
    const { frames, largest } = batch;
    if (this.#waiting > 0 || this.#isCompressed || largest > this.#route.limits.maxFrameSize) {
      return frames.filter((frame) => this.sendFrame(frame)).length === frames.length;
    }
    this.#socket.write(batch.bytes);
    if (this.#socket.writableLength > 0) this.#waiting += frames.length;
    return true;
  }

  /** Whether the client keeps its place in topics, so that it can resume. */
  get isResumable(): boolean {
    return this.#resumePoints !== undefined;
  }

  /** Runs the callback once, when the connection has closed; at once if it is closed already. */
  whenClosed(callback: () => void): void {
    if (this.#ws.readyState === this.#ws.CLOSED) {
      callback();
      return;
    }
    this.#whenClosed ??= [];
    this.#whenClosed.push(callback);
  }

  /** Resolves when messages can be sent without waiting, or the connection has closed. @internal */
  ready(): Promise<void> {
    if (!this.isOpen || this.bufferedBytes < READY_BYTES) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenDrained ??= [];
      this.#whenDrained.push(resolve);
    });
  }

  /** Called when messages were sent that had to wait. Whether all of them were. @internal */
  drained(): boolean {
    const hadWaiting = this.#waiting > 0;
    if (this.#backlog() > 0) return false;
    const callbacks = this.#whenDrained ?? [];
    this.#whenDrained = undefined;
    for (const callback of callbacks) callback();
    return hadWaiting;
  }

  /** Runs the callbacks of `whenClosed`. @internal */
  left(): void {
    for (const callback of this.#whenDrained ?? []) callback();
    this.#whenDrained = undefined;
    const callbacks = this.#whenClosed ?? [];
    this.#whenClosed = undefined;
    for (const callback of callbacks) callback();
  }

  /** @internal */
  set resumePoints(points: ReadonlyMap<string, string> | undefined) {
    this.#resumePoints = points;
  }

  /** The id of the last message of a topic that the client got on an earlier connection; given once. */
  takeResumePoint(topic: string): string | undefined {
    const points = this.#resumePoints as Map<string, string> | undefined;
    const id = points?.get(topic);
    points?.delete(topic);
    return id;
  }

  /** How many messages wait; those that the operating system has taken do not. */
  #backlog(): number {
    if (this.#ws.bufferedAmount === 0 && this.#waiting > 0) {
      this.#waiting = 0;
      if (this.#isFull) this.#route.full(this as never, false);
      this.#isFull = false;
    }
    return this.#waiting;
  }

  /** Writes a frame; as a string it is latin1. */
  #write(bytes: Buffer | string, payload: string | Uint8Array): boolean {
    const socket = this.#socket;
    const { limits } = this.#route;
    if (this.#waiting > 0 && !this.#admits(bytes.length)) return false;
    if (this.#isCompressed || bytes.length > limits.maxFrameSize) this.#sendByParts(payload);
    // One write, where ws makes two: nothing else writes a part of a frame.
    else if (this.#waiting + 1 >= limits.capacity) socket.write(bytes, 'latin1', this.#onFlushed);
    else socket.write(bytes, 'latin1');
    if (socket.writableLength > 0 || this.#isCompressed) this.#waiting += 1;
    return true;
  }

  /** The buffer of the socket tells when it is empty only after many bytes, but many messages may be few bytes. */
  get #onFlushed(): () => void {
    return () => this.#route.flushed(this.#ws);
  }

  #admits(size: number): boolean {
    const { capacity, maxBufferedBytes, dropsMessages } = this.#route.limits;
    // What handlers send in one turn is held back to be written at once; only what the client does not take counts.
    if (this.#waiting >= capacity || this.#ws.bufferedAmount + size > maxBufferedBytes) this.#socket.uncork();
    const backlog = this.#backlog();
    const isOver = backlog > 0 && this.#ws.bufferedAmount + size > maxBufferedBytes;
    if (backlog < capacity && !isOver) return true;
    if (dropsMessages) {
      this.#dropped += 1;
      return false;
    }
    if (isOver) {
      this.close(TRY_AGAIN_LATER, 'the client reads too slowly');
      return false;
    }
    if (!this.#isFull) this.#route.full(this as never, true);
    this.#isFull = true;
    return true;
  }

  /** RFC 6455, section 5.4: a large message is sent as several frames. */
  #sendByParts(payload: string | Uint8Array): void {
    const { maxFrameSize, compressFrom = 0 } = this.#route.limits;
    const binary = typeof payload !== 'string';
    const bytes = binary ? payload : Buffer.from(payload);
    const compress = bytes.byteLength >= compressFrom;
    let start = 0;
    do {
      const end = start + maxFrameSize;
      const fin = end >= bytes.byteLength;
      this.#ws.send(bytes.subarray(start, end), { binary, fin, compress });
      start = end;
    } while (start < bytes.byteLength);
  }
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a value of type ${typeof value}`;
}
