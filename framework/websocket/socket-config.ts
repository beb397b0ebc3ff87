// WebSocket: the options of `websocket`, checked and resolved once.

import type { Context } from '../context/context.js';
import { checkOptions } from '../options/check.js';
import {
  deliberate,
  either,
  flag,
  listOf,
  matching,
  milliseconds,
  object,
  objectWith,
  oneOf,
  origin,
  type Rule,
  type Rules,
  renamedTo,
  required,
  whole,
} from '../options/rules.js';

/** Options of `websocket`. */
export interface WebSocketOptions {
  /**
   * The origins that browsers may connect from, such as `https://app.example.org`. A handshake with another
   * `Origin`, or without one, is answered 403. An empty list checks nothing. By default, only handshakes that are
   * signed in by a cookie are checked, and subscriptions that are by their own middleware: they must come from the
   * origin that they connect to.
   */
  readonly allowedOrigins?: readonly string[];
  /** The sub-protocols that the server speaks, the preferred one first (RFC 6455, section 1.9). */
  readonly protocols?: readonly string[];
  /** The largest message, in bytes; 10 MB by default. A larger one closes the connection with 1009. */
  readonly maxMessageSize?: number;
  /** The largest frame that a client may send, in bytes; 1 MB by default. Most clients send a message as one frame. */
  readonly maxFrameSize?: number;
  /** How many messages may wait to be sent to a client; 1,024 by default. */
  readonly capacity?: number;
  /** How many bytes may wait to be sent to a client; 16 MiB by default. The message that reaches it is still taken. */
  readonly maxBufferedBytes?: number;
  /**
   * What happens if a client reads more slowly than it is sent to. `close`, the default, closes the connection with
   * 1013: at once if it is sent a message while `maxBufferedBytes` wait, and when there is no capacity for `timeoutMs`.
   * `drop` leaves messages out as long as there is no capacity.
   */
  readonly slowClients?: 'close' | 'drop';
  /** @deprecated Use `slowClients`. */
  readonly slow?: 'close' | 'drop';
  /** The time between two pings, in milliseconds; 30,000 by default. 0 for no pings. */
  readonly pingIntervalMs?: number;
  /**
   * How long a client may take to answer a ping, to answer a close frame and to send its first frame, in
   * milliseconds; 10,000 by default. Then its connection is cut.
   */
  readonly timeoutMs?: number;
  /**
   * Compresses messages of at least this many bytes (permessage-deflate, RFC 7692), for clients that offer it. Off
   * by default, because each connection then takes up to 300 KB of memory. `true` means 1,024.
   */
  readonly compression?: boolean | { readonly minSize: number };
  /** A registry of `fw/rpc`, whose subscriptions the clients of `fw generate` can get over this WebSocket. */
  readonly rpc?: SocketRpc;
}

/** The same, resolved. */
export interface SocketLimits {
  readonly origins: ReadonlySet<string> | undefined;
  readonly protocols: readonly string[];
  readonly maxMessageSize: number;
  readonly maxFrameSize: number;
  readonly capacity: number;
  readonly maxBufferedBytes: number;
  readonly dropsMessages: boolean;
  /** 0 for no pings. */
  readonly pingIntervalMs: number;
  readonly timeoutMs: number;
  /** Undefined without compression. */
  readonly compressFrom: number | undefined;
}

const count: Rule = whole(1, 0x7fff_ffff);

const RULES: Rules<WebSocketOptions> = {
  allowedOrigins: deliberate(listOf(origin)),
  // RFC 6455, section 4.1: a token.
  protocols: listOf(
    matching(
      /^(?!fw(?:\.|$))[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/,
      "a sub-protocol: a token other than 'fw' and those that begin with 'fw.'",
    ),
  ),
  maxMessageSize: count,
  maxFrameSize: count,
  capacity: count,
  maxBufferedBytes: count,
  slowClients: oneOf('close', 'drop'),
  slow: renamedTo('slowClients'),
  pingIntervalMs: milliseconds(0),
  timeoutMs: milliseconds(1),
  compression: either(flag, object('an object such as { minSize: 1024 }')),
  rpc: objectWith(['overSocket'], 'an RpcRegistry of fw/rpc'),
};

export function isOption(name: string): boolean {
  return Object.hasOwn(RULES, name);
}

/** @throws ConfigError if an option is unknown or malformed. */
export function resolveConfig(config: WebSocketOptions): SocketLimits {
  const given = checkOptions('websocket', config, RULES);
  return {
    origins: given.allowedOrigins && new Set(given.allowedOrigins),
    protocols: [...(given.protocols ?? [])],
    maxMessageSize: given.maxMessageSize ?? 10_000_000,
    maxFrameSize: given.maxFrameSize ?? 1_000_000,
    capacity: given.capacity ?? 1_024,
    maxBufferedBytes: given.maxBufferedBytes ?? 16 * 1024 * 1024,
    dropsMessages: given.slowClients === 'drop',
    pingIntervalMs: given.pingIntervalMs ?? 30_000,
    timeoutMs: given.timeoutMs ?? 10_000,
    compressFrom: compressFrom(given.compression ?? false),
  };
}

function compressFrom(compression: NonNullable<WebSocketOptions['compression']>): number | undefined {
  if (typeof compression === 'boolean') return compression ? 1_024 : undefined;
  return checkOptions('compression of websocket', compression, { minSize: required(count) }).minSize;
}

/** A connection, as subscriptions see it. */
export interface SubscriptionSocket {
  /** Sends a text; false if it was not sent. */
  send(text: string): boolean;
  /** Resolves when messages can be sent without waiting, or the connection has closed. */
  ready(): Promise<void>;
  /** Closes the connection, with a code of RFC 6455, section 7.4. */
  close(code: number, reason: string): void;
}

/** The subscriptions of one connection. */
export interface SocketSubscriptions {
  /** Handles the frame `subscribe` of a client, which may be anything. */
  subscribe(frame: unknown): void;
  /** Handles the frame `unsubscribe` of a client, which may be anything. */
  unsubscribe(frame: unknown): void;
  /** Ends all of them. */
  end(): void;
}

/** A registry of `fw/rpc`. */
export interface SocketRpc {
  /** Called for every connection, with the context of its handshake. */
  overSocket(ctx: Context, socket: SubscriptionSocket): SocketSubscriptions;
}
