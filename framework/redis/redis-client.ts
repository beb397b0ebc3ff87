// Redis: what this package needs of a client, of version 5 or 6 of the package `redis`.
import { ConfigError } from '../config-error.js';

/** A client of the package `redis`, made by its `createClient`. */
export interface RedisClient {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  destroy(): void;
  duplicate(): RedisClient;
  sendCommand(args: readonly string[], options?: { typeMapping: Record<never, never> }): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  unsubscribe(channel: string, listener?: (message: string) => void): Promise<unknown>;
  on(event: string, listener: (error: unknown) => void): unknown;
  off(event: string, listener: (error: unknown) => void): unknown;
}

/** Waits between attempts to connect again, in milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** Loads the package and makes a client, which reconnects for ever. It is not connected yet. */
export async function createRedisClient(url: string, connectTimeout: number): Promise<RedisClient> {
  const { createClient } = await import('redis');
  const reconnectStrategy = (retries: number) =>
    Math.min(FIRST_WAIT_MS * 2 ** Math.min(retries, 10), LONGEST_WAIT_MS);
  return createClient({ url, socket: { connectTimeout, reconnectStrategy } });
}

/** @throws ConfigError if it is neither a client nor an address; the message has no part of it but the scheme. */
export function checkClient(client: RedisClient | string): void {
  if (typeof client !== 'string') {
    if (typeof (client as Partial<RedisClient> | undefined)?.sendCommand === 'function') return;
    throw wrong(`got ${client === null ? 'null' : typeof client}`);
  }
  const scheme = URL.canParse(client) ? new URL(client).protocol : undefined;
  if (scheme === 'redis:' || scheme === 'rediss:') return;
  throw wrong(scheme === undefined ? 'got a text that is not a URL' : `got a URL with '${scheme}'`);
}

function wrong(what: string): ConfigError {
  return new ConfigError(
    'FW_REDIS_CLIENT',
    `fw/redis takes a client made by createClient() of the package redis, or a URL such as 'redis://127.0.0.1:6379'; ${what}`,
  );
}
