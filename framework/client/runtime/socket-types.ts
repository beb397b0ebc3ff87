// The client: what sockets are given, and what they say.
import type { FwRpcSignal } from './signals.js';

/**
 * `lost` while a socket has no connection and will make another one, `closed` once it is over. It is `open` when the
 * server is ready for events.
 */
export type FwSocketState = 'connecting' | 'open' | 'lost' | 'closed';

/** How a socket connects again after it has lost its connection, or did not get one. */
export interface FwSocketReconnect {
  /** How often in a row, before the socket is closed; without a limit by default. */
  maxAttempts?: number | undefined;
  /** The longest wait before the first attempt, in milliseconds; it doubles with each one. 1,000 by default. */
  minDelayMs?: number | undefined;
  /** The longest wait of all; 30,000 by default. */
  maxDelayMs?: number | undefined;
}

/** An event of the client that the server did not take. */
export interface FwSocketRefusal {
  readonly event: string;
  readonly message: string;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
}

/** The part of an event of a WebSocket that the client uses. */
export interface FwSocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly error?: unknown;
}

/** The part of a WebSocket that the client uses. */
export interface FwSocketTransport {
  readonly readyState: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: FwSocketEvent) => void,
  ): void;
  removeEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: FwSocketEvent) => void,
  ): void;
}

export type FwSocketConstructor = new (url: string, protocols: string[]) => FwSocketTransport;

export interface FwSocketOptions {
  /** Closes the socket, for good. */
  signal?: FwRpcSignal | undefined;
  /** A token for the server, or a function that is asked for one before each connection. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Further sub-protocols to offer. */
  protocols?: readonly string[] | undefined;
  /** `false` if a lost connection closes the socket. */
  reconnect?: FwSocketReconnect | false | undefined;
  /** How long a connection may take until the server is ready, in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined;
  /** How many events wait while there is no connection; 100 by default. */
  maxQueued?: number | undefined;
  /** Is told each state, of `lost` and `closed` with the reason; `lost` again after each attempt that failed. */
  onState?: ((state: FwSocketState, reason?: unknown) => void) | undefined;
  /** Is told a topic whose messages the server could not repeat after a lost connection: load its state anew. */
  onMissed?: ((topic: string) => void) | undefined;
  /** Is told an event that the server did not take. */
  onRefused?: ((refusal: FwSocketRefusal) => void) | undefined;
  /** Used instead of the global `WebSocket`, which Node has from version 22 on; such as that of the package ws. */
  WebSocket?: FwSocketConstructor | undefined;
}

/** The arguments of `emit` after the name of the event. */
export type FwSocketData<Data> = undefined extends Data ? [data?: Data] : [data: Data];

/** A frame of the server, or a part of one. */
export type FwSocketFrame = Readonly<Record<string, unknown>>;

/**
 * A connection ended, or there was none. `code` is that of the close frame (RFC 6455, section 7.4), 1006 without one;
 * `cause` is what the runtime told.
 */
export class FwSocketError extends Error {
  override readonly name: string = 'FwSocketError';
  readonly code: number;
  readonly reason: string;

  constructor(message: string, code: number, reason = '', cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
  }
}

export const SOCKET_CUT = 1006;

export function isFrame(value: unknown): value is FwSocketFrame {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface FwSocketTasks {
  queueMicrotask(callback: () => void): void;
}

/** A callback that throws does not disturb the socket: its error is reported like that of any listener. */
export function guarded(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    (globalThis as unknown as FwSocketTasks).queueMicrotask(() => {
      throw error as Error;
    });
  }
}
