// WebSocket: the options of `websocket`, checked and resolved once.
import { ConfigError } from '../config-error.js';
import { checkTime } from '../runtime/check-time.js';
import type { SocketRpc } from './socket-rpc.js';

/** Options of `websocket`. */
export interface WebSocketConfig {
  /**
   * The origins that browsers may connect from, such as `https://app.example.org`. A handshake with another
   * `Origin`, or without one, is answered 403. An empty list checks nothing. By default, only handshakes that are
   * signed in by a session cookie are checked: they must come from the origin that they connect to.
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
  /** How many bytes may wait to be sent to a client; 16 MiB by default. */
  readonly maxBufferedBytes?: number;
  /**
   * What happens if a client reads more slowly than it is sent to. `close`, the default, closes the connection with
   * 1013: at once when `maxBufferedBytes` is reached, and when there is no capacity for `timeoutMs`. `drop` leaves
   * messages out as long as there is no capacity.
   */
  readonly slow?: 'close' | 'drop';
  /** The time between two pings, in milliseconds; 30,000 by default. */
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
  readonly pingIntervalMs: number;
  readonly timeoutMs: number;
  /** Undefined without compression. */
  readonly compressFrom: number | undefined;
}

const NAMES: readonly string[] = [
  'allowedOrigins',
  'protocols',
  'maxMessageSize',
  'maxFrameSize',
  'capacity',
  'maxBufferedBytes',
  'slow',
  'pingIntervalMs',
  'timeoutMs',
  'compression',
  'rpc',
] satisfies (keyof WebSocketConfig)[];

/** @throws ConfigError when an option is unknown or malformed. */
export function resolveConfig(config: WebSocketConfig): SocketLimits {
  for (const name of Object.keys(config)) {
    if (!NAMES.includes(name)) throw wrong(`unknown option '${name}'; it takes ${NAMES.join(', ')}`);
  }
  const { slow = 'close', compression = false } = config;
  if (slow !== 'close' && slow !== 'drop') throw wrong(`invalid slow ${shown(slow)}; give 'close' or 'drop'`);
  return {
    origins: config.allowedOrigins && new Set(config.allowedOrigins.map(checkOrigin)),
    protocols: (config.protocols ?? []).map(checkProtocol),
    maxMessageSize: count('maxMessageSize', config.maxMessageSize ?? 10_000_000),
    maxFrameSize: count('maxFrameSize', config.maxFrameSize ?? 1_000_000),
    capacity: count('capacity', config.capacity ?? 1_024),
    maxBufferedBytes: count('maxBufferedBytes', config.maxBufferedBytes ?? 16 * 1024 * 1024),
    dropsMessages: slow === 'drop',
    pingIntervalMs: checkTime('pingIntervalMs', config.pingIntervalMs ?? 30_000, 1),
    timeoutMs: checkTime('timeoutMs', config.timeoutMs ?? 10_000, 1),
    compressFrom: compressFrom(compression),
  };
}

/** As browsers send it: scheme, host, and a port that is not the scheme's own (RFC 6454, section 6.2). */
function checkOrigin(origin: string): string {
  if (typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw wrong(`invalid origin ${shown(origin)} in allowedOrigins; write it like 'https://app.example.org'`);
}

/** RFC 6455, section 4.1: a token. */
function checkProtocol(protocol: string): string {
  if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(protocol) && !/^fw(?:\.|$)/.test(protocol)) return protocol;
  throw wrong(
    `invalid sub-protocol ${shown(protocol)}; give a token other than 'fw' and those that begin with 'fw.'`,
  );
}

function count(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= 0x7fff_ffff) return value;
  throw wrong(`invalid ${name} ${shown(value)}; give a whole number from 1 to 2147483647`);
}

function compressFrom(compression: NonNullable<WebSocketConfig['compression']>): number | undefined {
  if (typeof compression === 'boolean') return compression ? 1_024 : undefined;
  return count('compression.minSize', compression.minSize);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function wrong(what: string): ConfigError {
  return new ConfigError('FW_OPTION', `websocket(): ${what}`);
}
