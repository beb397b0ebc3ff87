// WebSocket: what a connection receives, handled one message after the other.
import { CutStream } from '../http/chunks.js';
import { asFwError, isThrown } from '../http/errors.js';
import { isPromise } from '../promises.js';
import type { AsyncContext } from '../tracing/async-context.js';
import { reportError } from '../tracing/error-channel.js';
import { guarded } from './callback.js';
import { EVENTS_PROTOCOL } from './handshake.js';
import type { Beating } from './heartbeat.js';
import type { Outbox } from './outbox.js';
import { UnusableMessage } from './parse-json.js';
import { publishClose, publishFailed, publishReceived } from './socket-channel.js';
import { shortReason, type WebSocketConnection } from './websocket-connection.js';
import type { SocketCallbacks } from './websocket-handlers.js';
import type { Wire } from './wire.js';

/** Messages and bytes that may wait for a handler before reading is paused. */
const MOST_WAITING = 64;
const MOST_WAITING_BYTES = 1024 * 1024;

/** Close codes (RFC 6455, section 7.4.1). */
const UNUSABLE_DATA = 1007;
const POLICY = 1008;
const HANDLER_FAILED = 1011;
const RESTART = 1012;

/** Where a connection comes from, for reports of errors. */
export interface Origin {
  readonly path: string;
  /** The path of the route as it was registered. */
  readonly route: string;
  /** That of the handshake, which its handlers run in. */
  readonly inContext: AsyncContext;
}

interface Waiting {
  /** A text may be a string already. */
  readonly data: Uint8Array | string;
  readonly isBinary: boolean;
}

/** Calls the handlers of one connection; an asynchronous one is awaited before the next message. */
export class Inbox implements Beating {
  readonly connection: WebSocketConnection;
  readonly outbox: Outbox;
  readonly #wire: Wire;
  readonly #callbacks: SocketCallbacks;
  readonly #origin: Origin;
  readonly #endings: (() => void)[] = [];
  #atBeat: ((hasReceived: boolean) => void) | undefined = undefined;
  #hasReceived = false;
  #isBusy = false;
  #hasOpened = false;
  #hasFailed = false;
  #waiting: Waiting[] | undefined = undefined;
  #waitingBytes = 0;
  /** Set when the connection has closed. */
  #closed: { readonly code: number; readonly reason: string } | undefined = undefined;
  /** Ends the wait for the first frame of a client that tells what it has received before. */
  #greeted: (() => void) | undefined = undefined;

  constructor(
    connection: WebSocketConnection,
    outbox: Outbox,
    wire: Wire,
    callbacks: SocketCallbacks,
    origin: Origin,
  ) {
    this.connection = connection;
    this.outbox = outbox;
    this.#wire = wire;
    this.#callbacks = callbacks;
    this.#origin = origin;
  }

  get bytesRead(): number {
    return this.#wire.bytesRead;
  }

  get isPaused(): boolean {
    return this.#wire.isPaused;
  }

  beat(): void {
    this.#atBeat?.(this.#hasReceived);
    this.#hasReceived = false;
  }

  ping(): void {
    this.#wire.ping();
    if (this.#wire.protocol === EVENTS_PROTOCOL) this.connection.send('{}');
  }

  cut(): void {
    this.#wire.terminate();
  }

  /** Calls the function at every beat; `hasReceived` tells whether messages have come since the last one. */
  atBeat(callback: (hasReceived: boolean) => void): void {
    this.#atBeat = callback;
  }

  /** Calls the function when the connection has closed. */
  atEnd(callback: () => void): void {
    this.#endings.push(callback);
  }

  /** Calls `onOpen`, or waits for the first frame if the client sends what it has received before. */
  open(awaitFirst: (late: () => void) => () => void): void {
    if (this.#wire.protocol !== EVENTS_PROTOCOL) {
      this.#begin();
      return;
    }
    this.#greeted = awaitFirst(() => this.#wire.close(POLICY, 'the first frame did not come in time'));
  }

  message(data: Uint8Array | string, isBinary: boolean): void {
    if (this.#hasFailed || !this.connection.isOpen) return;
    this.#hasReceived = true;
    publishReceived(this.#wire, this.#origin.route, data, isBinary);
    if (this.#greeted !== undefined) this.#greet(data, isBinary);
    else if (this.#isBusy) this.#wait(data, isBinary);
    else this.#handle(data, isBinary);
  }

  /** All that waited was sent. Does not wait for its turn: a handler may wait for the capacity. */
  drained(): void {
    const { drain } = this.#callbacks;
    if (!this.#hasOpened || this.#hasFailed) return;
    try {
      const result = this.#origin.inContext(() => drain?.(this.connection));
      if (isPromise(result)) Promise.resolve(result).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The client broke the protocol; ws has closed the connection. */
  broken(error: Error & { code?: string }): void {
    // Without a code of ws, the network failed, which the close code 1006 says.
    if (error.code?.startsWith('WS_ERR_') === true) this.#fail(error, 400);
  }

  /** It could not be begun. */
  failed(error: unknown): void {
    this.#fail(error);
  }

  closing(): void {
    this.#origin.inContext(() => this.connection.closing());
  }

  /** Closes the connection for a reason of the server. Nothing that still waits for a handler is handled. */
  refuse(reason: string): void {
    this.#waiting = undefined;
    this.connection.close(POLICY, shortReason(reason));
    // A paused connection would not read the answer.
    if (this.#wire.isPaused) this.#wire.resume();
  }

  closed(code: number, reason: string): void {
    this.#greeted?.();
    this.#greeted = undefined;
    publishClose(this.#wire, this.#origin.route, code, reason);
    this.#origin.inContext(() => {
      for (const callback of this.#endings.splice(0)) guarded(callback, this.#origin.path);
      this.connection.left();
    });
    this.#closed = { code, reason };
    if (!this.#isBusy) this.#finish();
  }

  #greet(data: Uint8Array | string, isBinary: boolean): void {
    this.#greeted?.();
    this.#greeted = undefined;
    try {
      const greeting = isBinary ? data : data.toString();
      this.connection.resumePoints = this.#origin.inContext(() => this.#callbacks.greeting(greeting));
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#begin();
  }

  #begin(): void {
    this.#hasOpened = true;
    this.#run(this.#callbacks.open);
  }

  #handle(data: Uint8Array | string, isBinary: boolean): void {
    const message = isBinary ? data : data.toString();
    this.#run(this.#callbacks.message, message);
  }

  #run(callback: SocketCallbacks['open'] | SocketCallbacks['message'], message?: string | Uint8Array): void {
    const { connection } = this;
    const call = callback as ((socket: unknown, message?: unknown) => unknown) | undefined;
    if (call === undefined) return;
    try {
      const result = this.#origin.inContext(() => call(connection, message));
      if (isPromise(result)) this.#await(result);
    } catch (error) {
      this.#fail(error);
    }
  }

  #await(result: Promise<unknown>): void {
    this.#isBusy = true;
    Promise.resolve(result).then(
      () => this.#next(),
      (error: unknown) => {
        this.#fail(error);
        this.#next();
      },
    );
  }

  #wait(data: Uint8Array | string, isBinary: boolean): void {
    this.#waiting ??= [];
    this.#waiting.push({ data, isBinary });
    this.#waitingBytes += data.length;
    if (this.#waiting.length >= MOST_WAITING || this.#waitingBytes > MOST_WAITING_BYTES) this.#wire.pause();
  }

  /** After an asynchronous handler: the messages that have arrived meanwhile, up to the next asynchronous one. */
  #next(): void {
    this.#isBusy = false;
    const waiting = this.#waiting ?? [];
    let count = 0;
    // Undefined once the connection is refused.
    while (this.#waiting !== undefined && !this.#isBusy && !this.#hasFailed && count < waiting.length) {
      const { data, isBinary } = waiting[count] as Waiting;
      count += 1;
      this.#waitingBytes -= data.length;
      this.#handle(data, isBinary);
    }
    if (this.#waiting !== undefined) {
      this.#waiting = count === waiting.length ? undefined : waiting.slice(count);
    }
    if (this.#isBusy) return;
    if (this.#wire.isPaused) this.#wire.resume();
    if (this.#closed !== undefined) this.#finish();
  }

  /** An exception closes this connection, and nothing else. */
  #fail(error: unknown, status = asFwError(error)?.status ?? 500): void {
    const { path, inContext } = this.#origin;
    const hasMissed = isThrown(error, CutStream);
    if (!hasMissed) inContext(() => reportError({ error, status, method: 'WEBSOCKET', path }));
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#waiting = undefined;
    if (!hasMissed) {
      publishFailed(this.#wire, this.#origin.route, error);
      inContext(() => guarded(() => this.#callbacks.error?.(this.connection, error), path));
    }
    const known = asFwError(error);
    // Nothing failed: the client connects again, and loads what it shows.
    if (hasMissed) this.#wire.close(RESTART, 'connect again: messages were missed');
    else if (known instanceof UnusableMessage) this.#wire.close(UNUSABLE_DATA, shortReason(known.message));
    else if (known !== undefined && known.status < 500) this.#wire.close(POLICY, shortReason(known.message));
    else this.#wire.close(HANDLER_FAILED, 'internal server error');
    // A paused connection would not read the answer.
    if (this.#wire.isPaused) this.#wire.resume();
  }

  /** Runs `onClose` after everything that was received before. */
  #finish(): void {
    const { code, reason } = this.#closed as { code: number; reason: string };
    this.#waiting = undefined;
    if (!this.#hasOpened) return;
    this.#hasFailed = true;
    const { path, inContext } = this.#origin;
    inContext(() => guarded(() => this.#callbacks.close?.(this.connection, code, reason), path));
  }
}
