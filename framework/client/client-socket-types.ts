// The client: the types of sockets, in the client and in its declarations. A client without sockets has none of them.
import type { ClientKind } from './client-kind.js';

export function socketTypes({ hasCarriers }: Pick<ClientKind, 'hasCarriers'>): string {
  return types + (hasCarriers ? carrierTypes : '');
}

const types = `/**
 * \`lost\` while a socket has no connection and will make another one, \`closed\` once it is over. It is \`open\` when the
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
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: FwSocketEvent) => void): void;
  removeEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: FwSocketEvent) => void): void;
}

export type FwSocketConstructor = new (url: string, protocols: string[]) => FwSocketTransport;

export interface FwSocketOptions {
  /** Closes the socket, for good. */
  signal?: FwRpcSignal | undefined;
  /** A token for the server, or a function that is asked for one before each connection. */
  token?: string | (() => string | Promise<string>) | undefined;
  /** Further sub-protocols to offer. */
  protocols?: readonly string[] | undefined;
  /** \`false\` if a lost connection closes the socket. */
  reconnect?: FwSocketReconnect | false | undefined;
  /** How long a connection may take until the server is ready, in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined;
  /** How many events wait while there is no connection; 100 by default. */
  maxQueued?: number | undefined;
  /** Is told each state, of \`lost\` and \`closed\` with the reason; \`lost\` again after each attempt that failed. */
  onState?: ((state: FwSocketState, reason?: unknown) => void) | undefined;
  /** Is told a topic whose messages the server could not repeat after a lost connection: load its state anew. */
  onMissed?: ((topic: string) => void) | undefined;
  /** Is told an event that the server did not take. */
  onRefused?: ((refusal: FwSocketRefusal) => void) | undefined;
  /** Used instead of the global \`WebSocket\`, which Node has from version 22 on; such as that of the package ws. */
  WebSocket?: FwSocketConstructor | undefined;
}

/** The arguments of \`emit\` after the name of the event. */
export type FwSocketData<Data> = undefined extends Data ? [data?: Data] : [data: Data];
`;

const carrierTypes = `
/** A subscription that a socket carries. */
export interface FwSocketSubscription {
  readonly method: string;
  readonly params: unknown;
  lastEventId: string | undefined;
  onData(data: unknown): void;
  /** Without an error, the subscription is done. */
  onEnd(failure?: { readonly error: unknown }): void;
  onState(state: 'open' | 'lost' | 'closed', reason?: unknown): void;
}

/** A socket that carries subscriptions. */
export interface FwSocketCarrier {
  readonly hasRpc: true;
  /** Of the client itself. Returns a function that ends the subscription. */
  carry(subscription: FwSocketSubscription): () => void;
}
`;

export const errorComment = `/**
 * A connection ended, or there was none. \`code\` is that of the close frame (RFC 6455, section 7.4), 1006 without one;
 * \`cause\` is what the runtime told.
 */
`;

/** The classes in the declarations of a client. */
export function declaredSocketClasses({ hasCarriers }: Pick<ClientKind, 'hasCarriers'>): string {
  return `${errorComment}export declare class FwSocketError extends Error {
  readonly name: string;
  readonly code: number;
  readonly reason: string;
  constructor(message: string, code: number, reason?: string, cause?: unknown);
}

${socketComment}export declare class FwSocket<Sends extends object, Receives extends object${hasCarriers ? ', Rpc extends boolean = boolean' : ''}> {
  #private;
${hasCarriers ? hasRpcMember : ''}  constructor(url: string, ${hasCarriers ? 'hasRpc: Rpc, ' : ''}options?: FwSocketOptions, signals?: readonly FwRpcSignal[]);
  /** Of the last change that \`onState\` was told. */
  get state(): FwSocketState;
${onComment}  on<Event extends keyof Receives & string>(event: Event, listener: (data: Receives[Event]) => void): () => void;
${eventsComment}  events<Event extends keyof Receives & string>(event: Event): AsyncGenerator<Receives[Event], void, undefined>;
${emitComment}  emit<Event extends keyof Sends & string>(event: Event, ...rest: FwSocketData<Sends[Event]>): boolean;
${closeComment}  close(code?: number, reason?: string): void;
${hasCarriers ? `${carryComment}  carry(subscription: FwSocketSubscription): () => void;\n` : ''}}
`;
}

export const socketComment = `/** A connection with typed events in both directions, which is made again when it is lost. */
`;
export const hasRpcMember = `  /** Whether it carries subscriptions. */
  readonly hasRpc: Rpc;
`;
export const onComment = `  /** Calls the listener with each event of the name. Returns a function that removes it. */
`;
export const eventsComment = `  /**
   * The events of the name, for a loop, from now on. The loop ends with the socket, and fails if that was closed by the
   * server or has given up, or if more than 1,000 events wait for the loop.
   */
`;
export const emitComment = `  /**
   * Sends an event. While there is no connection it waits for the next one. Returns false if it is not sent: the socket
   * is closed, or \`maxQueued\` events wait already.
   */
`;
export const closeComment = `  /** Closes the socket, for good. @param code 1000, or one from 3000 to 4999 */
`;
export const carryComment = `  /** Of the client itself, for the option \`socket\` of subscriptions. */
`;
