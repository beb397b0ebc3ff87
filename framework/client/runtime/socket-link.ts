// The client: the connection of a socket, which is made again when it is lost.
import type { FwRpcSignal } from './signals.js';
import {
  type FwSocketConstructor,
  FwSocketError,
  type FwSocketEvent,
  type FwSocketFrame,
  type FwSocketOptions,
  type FwSocketReconnect,
  type FwSocketState,
  type FwSocketTransport,
  isFrame,
  SOCKET_CUT,
} from './socket-types.js';

interface FwSocketGlobals {
  readonly WebSocket?: FwSocketConstructor;
  btoa(text: string): string;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  addEventListener?(type: 'online', listener: () => void): void;
  removeEventListener?(type: 'online', listener: () => void): void;
}

const socketGlobals = globalThis as unknown as FwSocketGlobals;

/** The sub-protocol of the frames, which the server selects. */
const FW_EVENTS = 'fw.events';

/** A connection is lost if nothing arrived for so many heartbeats of the server. */
const SILENT_HEARTBEATS = 2.5;

/** A connection that lived so long was not one of a row of failures. */
const STABLE_MS = 5_000;

/** The longest wait for a server that restarts (close code 1012). */
const RESTART_MS = 100;

/** Timers cannot wait longer. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

const SOCKET_NORMAL = 1000;
const SOCKET_POLICY = 1008;
const SOCKET_RESTART = 1012;

/** Whose connection it is. */
export interface FwSocketOwner {
  /** The first frame of a connection. */
  resume(): object;
  /** The server is ready. */
  begin(): void;
  receive(frame: FwSocketFrame): void;
  tell(state: FwSocketState, reason?: unknown): void;
  /** It is over, before this is told. @param error undefined if the caller has closed it */
  end(error: unknown): void;
}

export class FwSocketLink {
  state: FwSocketState = 'connecting';
  readonly url: string;
  readonly #options: FwSocketOptions;
  readonly #signals: readonly FwRpcSignal[];
  readonly #owner: FwSocketOwner;
  #transport: FwSocketTransport | undefined;
  /** Removes the listeners of the transport. */
  #detach: () => void = () => undefined;
  /** Until the next attempt, the server is ready, or it has been silent for too long. */
  #timer: unknown;
  /** Counts the attempts, to tell a late answer from that of the current one. */
  #turn = 0;
  #failures = 0;
  #readyAt: number | undefined;
  #heartbeatMs = 0;

  constructor(url: string, options: FwSocketOptions, signals: readonly FwRpcSignal[], owner: FwSocketOwner) {
    this.url = url;
    this.#options = options;
    this.#signals = signals;
    this.#owner = owner;
    if ((options.WebSocket ?? socketGlobals.WebSocket) === undefined) {
      throw new TypeError(
        'there is no global WebSocket; give the option WebSocket, such as that of the package ws',
      );
    }
  }

  open(): void {
    if (this.#signals.some((signal) => signal.aborted)) {
      this.state = 'closed';
      return;
    }
    for (const signal of this.#signals) signal.addEventListener('abort', this.#onAbort);
    socketGlobals.addEventListener?.('online', this.#onOnline);
    void this.#connect();
  }

  /** Whether events can be sent; the transport may be closing before it tells so. */
  get isOpen(): boolean {
    return this.#readyAt !== undefined && this.#transport?.readyState === 1;
  }

  send(frame: object): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    this.#transport?.send(text);
  }

  close(code: number = SOCKET_NORMAL, reason?: string): void {
    if (this.state === 'closed') return;
    // Throws if the code or the reason cannot be sent.
    this.#transport?.close(code, reason);
    this.#finish(undefined);
  }

  async #connect(): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const { token, timeoutMs = 10_000 } = this.#options;
    this.#within(timeoutMs, () => {
      this.#lose(this.#error(`was not ready within ${String(timeoutMs)} ms`, SOCKET_CUT));
    });
    try {
      const given = typeof token === 'function' ? await token() : token;
      if (turn === this.#turn) this.#openTransport(given === undefined ? [] : [bearer(given)]);
    } catch (error) {
      if (turn === this.#turn) this.#lose(this.#error('has no token', SOCKET_CUT, '', error));
    }
  }

  #openTransport(tokens: readonly string[]): void {
    const { protocols = [], WebSocket: Transport = socketGlobals.WebSocket } = this.#options;
    if (Transport === undefined) return;
    let transport: FwSocketTransport;
    try {
      transport = new Transport(this.url, [FW_EVENTS, ...tokens, ...protocols]);
    } catch (error) {
      // A URL or a sub-protocol that is not one: no other attempt would help.
      this.#finish(this.#error('cannot be made', SOCKET_CUT, '', error));
      return;
    }
    const opened = (): void => {
      this.send(this.#owner.resume());
    };
    const received = ({ data }: FwSocketEvent): void => {
      this.#receive(data);
    };
    const closed = ({ code = SOCKET_CUT, reason = '' }: FwSocketEvent): void => {
      this.#lose(this.#error('was closed', code, reason));
    };
    // Some runtimes tell of no close after an error; and what closes a connection after an error is not a frame.
    const failed = ({ error }: FwSocketEvent): void => {
      this.#lose(this.#error('has failed', SOCKET_CUT, '', error));
    };
    transport.addEventListener('error', ignore);
    transport.addEventListener('open', opened);
    transport.addEventListener('message', received);
    transport.addEventListener('close', closed);
    transport.addEventListener('error', failed);
    this.#transport = transport;
    this.#detach = () => {
      transport.removeEventListener('open', opened);
      transport.removeEventListener('message', received);
      transport.removeEventListener('close', closed);
      transport.removeEventListener('error', failed);
    };
  }

  /** What is not a frame of this protocol is ignored. */
  #receive(text: unknown): void {
    if (this.#readyAt !== undefined) this.#awaitHeartbeat();
    const frame = typeof text === 'string' ? frameOf(text) : undefined;
    if (frame === undefined) return;
    const { ready } = frame;
    if (isFrame(ready) && this.#readyAt === undefined) {
      const { heartbeatMs } = ready;
      this.#readyAt = Date.now();
      this.#heartbeatMs = typeof heartbeatMs === 'number' && heartbeatMs > 0 ? heartbeatMs : Infinity;
      this.#awaitHeartbeat();
      this.#owner.begin();
      this.#tell('open');
      return;
    }
    // What arrives after the server was ready shows that the connection works.
    if (this.#readyAt !== undefined) this.#failures = 0;
    this.#owner.receive(frame);
  }

  #awaitHeartbeat(): void {
    const ms = this.#heartbeatMs * SILENT_HEARTBEATS;
    socketGlobals.clearTimeout(this.#timer);
    if (ms > LONGEST_WAIT_MS) return;
    this.#within(ms, () => {
      this.#lose(this.#error(`was silent for ${String(ms)} ms`, SOCKET_CUT));
    });
  }

  readonly #onOnline = (): void => {
    if (this.state === 'lost' && this.#transport === undefined) void this.#connect();
  };

  readonly #onAbort = (): void => {
    const aborted = this.#signals.find((signal) => signal.aborted);
    this.#transport?.close(SOCKET_NORMAL);
    this.#finish(aborted?.reason ?? new Error('the socket was aborted'));
  };

  /** The connection is over, and another one is made unless the error is final. */
  #lose(error: FwSocketError): void {
    const { reconnect = {} } = this.#options;
    const limits: FwSocketReconnect = reconnect === false ? { maxAttempts: 0 } : reconnect;
    const { maxAttempts = Infinity, minDelayMs = 1_000, maxDelayMs = 30_000 } = limits;
    const wasReady = this.#readyAt !== undefined;
    if (this.#readyAt !== undefined && Date.now() - this.#readyAt >= STABLE_MS) this.#failures = 0;
    if (isFinal(error.code) || this.#failures >= maxAttempts) {
      this.#finish(error);
      return;
    }
    this.#release()?.close();
    const longest = Math.min(maxDelayMs, minDelayMs * 2 ** this.#failures);
    this.#failures += 1;
    // With jitter, so that the clients of a server that was restarted do not all return at once.
    this.#within(Math.random() * (error.code === SOCKET_RESTART && wasReady ? RESTART_MS : longest), () => {
      void this.#connect();
    });
    this.#tell('lost', error);
  }

  /** Nothing is left of the connection but the transport, which is returned. */
  #release(): FwSocketTransport | undefined {
    const transport = this.#transport;
    this.#detach();
    this.#detach = () => undefined;
    socketGlobals.clearTimeout(this.#timer);
    this.#turn += 1;
    this.#transport = undefined;
    this.#readyAt = undefined;
    return transport;
  }

  /** @param error undefined if the caller has closed the socket */
  #finish(error: unknown): void {
    if (this.state === 'closed') return;
    const transport = this.#release();
    if (error !== undefined) transport?.close();
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort);
    socketGlobals.removeEventListener?.('online', this.#onOnline);
    this.state = 'closed';
    this.#owner.end(error);
    this.#tell('closed', error);
  }

  #tell(state: FwSocketState, reason?: unknown): void {
    this.state = state;
    this.#owner.tell(state, reason);
  }

  #within(ms: number, callback: () => void): void {
    socketGlobals.clearTimeout(this.#timer);
    this.#timer = socketGlobals.setTimeout(callback, Math.min(ms, LONGEST_WAIT_MS));
  }

  #error(what: string, code: number, reason = '', cause?: unknown): FwSocketError {
    const told = reason === '' ? '' : `: ${reason}`;
    return new FwSocketError(
      `the connection to ${this.url} ${what} (${String(code)}${told})`,
      code,
      reason,
      cause,
    );
  }
}

/** For the errors of a transport that was given up; that of ws would end the process. */
const ignore = (): void => undefined;

/** Base64url of UTF-8 (RFC 4648, section 5), the characters of which a sub-protocol may consist. */
function bearer(token: string): string {
  const bytes = encodeURIComponent(token).replace(/%([\dA-F]{2})/g, (_found, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return `fw.bearer.${socketGlobals.btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** Undefined for a message that is not a frame. */
function frameOf(text: string): FwSocketFrame | undefined {
  try {
    const frame = JSON.parse(text) as unknown;
    return isFrame(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the server does not want the client back. */
function isFinal(code: number): boolean {
  return code === SOCKET_NORMAL || code === SOCKET_POLICY || (code >= 4000 && code <= 4999);
}
