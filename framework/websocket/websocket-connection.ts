// WebSocket: one connection, as the handlers see it.

import { jsonOf } from '../http/json-form.js';
import { kindOf, shown } from '../options/shown.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { guarded } from './callback.js';
import type { ChannelMember } from './channel-member.js';
import { binaryFrame, type Frame, type FrameBatch, textWire } from './frame.js';
import type { Outbox } from './outbox.js';
import { parseJson } from './parse-json.js';
import { flushPublished } from './turn.js';
import type { EventWriter } from './typed-events.js';
import { CLOSED, OPEN, type Wire } from './wire.js';

/**
 * One client that is connected. `Data` is what `data` of its WebSocket made of the handshake, `Sends` the data of the
 * events that it gets, by their names.
 */
export class WebSocketConnection<Data = unknown, Sends extends object = never> implements ChannelMember {
  /** What `data` returned; undefined without it. */
  readonly data: Data;
  readonly #wire: Wire;
  readonly #outbox: Outbox;
  readonly #events: EventWriter;
  readonly #maxCapacity: number;
  #whenClosing: (() => unknown)[] | undefined = undefined;
  #whenClosed: (() => unknown)[] | undefined = undefined;
  #resumePoints: ReadonlyMap<string, string> | undefined = undefined;

  /** @internal */
  constructor(wire: Wire, outbox: Outbox, events: EventWriter, maxCapacity: number, data: Data) {
    this.#wire = wire;
    this.#outbox = outbox;
    this.#events = events;
    this.#maxCapacity = maxCapacity;
    this.data = data;
  }

  /** False once the connection is closing or closed: nothing can be sent any more. */
  get isOpen(): boolean {
    return this.#wire.readyState === OPEN;
  }

  /** The sub-protocol that was selected; empty if there is none. */
  get protocol(): string {
    return this.#wire.protocol;
  }

  /** How many messages `slow: 'drop'` has left out. */
  get dropped(): number {
    return this.#outbox.dropped;
  }

  /**
   * Sends a text or bytes as one message. Returns false if it was not sent, because the connection is closing or
   * closed, or has no capacity and drops messages. Never waits: ask `hasCapacity()` before sending a lot.
   */
  send(message: string | Uint8Array): boolean {
    if (!this.isOpen) return false;
    flushPublished();
    if (typeof message === 'string') return this.#outbox.write(textWire(message), message);
    if (message instanceof Uint8Array) return this.#outbox.write(binaryFrame(message), message);
    throw new Error(`send() takes a string or a Uint8Array, got ${kindOf(message)}; use sendJson()`);
  }

  /** Sends a JSON value as a text message, like `send`. @throws Error if the value has no JSON form. */
  sendJson(value: unknown): boolean {
    const text = jsonOf(value);
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
    return this.send(this.#events.text(event, data));
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
      throw new Error(`${shown(code)} is not a close code that can be sent; use 1000, or 3000 to 4999`);
    }
    flushPublished();
    this.#wire.close(code, checkReason(reason));
  }

  /** Cuts the connection without a close frame. */
  terminate(): void {
    this.#wire.terminate();
  }

  /** How many more messages may wait to be sent; 0 if `maxBufferedBytes` wait. */
  capacity(): number {
    return this.#outbox.capacity();
  }

  /** How many messages may wait to be sent at most: the option `capacity`. */
  maxCapacity(): number {
    return this.#maxCapacity;
  }

  /**
   * Whether another message may wait to be sent, of any size: fewer than `capacity` messages and `maxBufferedBytes`
   * wait. After false, `onDrain` runs when all that waited was sent.
   */
  hasCapacity(): boolean {
    return this.#outbox.hasCapacity();
  }

  /** Bytes that wait to be sent. */
  get bufferedBytes(): number {
    return this.#outbox.bufferedBytes;
  }

  /** Writes a frame that was built before, as channels do. */
  sendFrame(frame: Frame): boolean {
    return this.isOpen && this.#outbox.write(frame.bytes, frame.payload);
  }

  /** Writes several messages at once, if none has to wait and all are sent as they are. */
  sendFrames(batch: FrameBatch): boolean {
    return this.isOpen && this.#outbox.writeBatch(batch);
  }

  /** Whether the client keeps its place in topics, so that it can resume. */
  get isResumable(): boolean {
    return this.#resumePoints !== undefined;
  }

  /** Runs the callback once, when the connection begins to close; at once if it is closing or closed already. */
  whenClosing(callback: () => unknown): void {
    if (!this.isOpen) {
      guarded(callback);
      return;
    }
    this.#whenClosing ??= [];
    this.#whenClosing.push(callback);
  }

  /**
   * Runs the callback once, when the connection has closed; at once if it is closed already. What it throws is
   * reported, and keeps nothing from the other callbacks.
   */
  whenClosed(callback: () => unknown): void {
    if (this.#wire.readyState === CLOSED) {
      guarded(callback);
      return;
    }
    this.#whenClosed ??= [];
    this.#whenClosed.push(callback);
  }

  /** Resolves when messages can be sent without waiting, or the connection has closed. @internal */
  ready(): Promise<void> {
    return this.#outbox.ready();
  }

  /** Runs the callbacks of `whenClosing`. @internal */
  closing(): void {
    const callbacks = this.#whenClosing ?? [];
    this.#whenClosing = undefined;
    for (const callback of callbacks) guarded(callback);
  }

  /** Runs the callbacks of `whenClosed`. @internal */
  left(): void {
    this.closing();
    this.#outbox.end();
    const callbacks = this.#whenClosed ?? [];
    this.#whenClosed = undefined;
    for (const callback of callbacks) guarded(callback);
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
}

/** RFC 6455, section 5.5: a control frame has at most 125 bytes, of which 2 are the code. */
const MOST_BYTES = 123;

/** Whether an endpoint may send the code: 1004 to 1006 and 1015 are reserved for what no frame says. */
function isCloseCode(code: number): boolean {
  if (!Number.isInteger(code)) return false;
  if (code >= 3000 && code <= 4999) return true;
  return code >= 1000 && code <= 1014 && (code < 1004 || code > 1006);
}

/** @throws Error if the reason is not a text, or too long. */
function checkReason(reason: string): string {
  if (typeof reason !== 'string') throw new Error(`a close reason is a text, got ${kindOf(reason)}`);
  const bytes = Buffer.byteLength(reason);
  if (bytes <= MOST_BYTES) return reason;
  throw new Error(`a close reason has at most ${MOST_BYTES} bytes, got ${bytes}`);
}

/** The beginning of a text that fits. */
export function shortReason(text: string): string {
  if (Buffer.byteLength(text) <= MOST_BYTES) return text;
  const cut = Buffer.from(text)
    .subarray(0, MOST_BYTES - 3)
    .toString();
  // A character that was cut in the middle.
  return `${cut.replace(/\ufffd+$/, '')}…`;
}
