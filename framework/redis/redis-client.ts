// Redis: what this package needs of a client, of version 5 or 6 of the package `redis`.
import { ConfigError } from '../config-error.js';
import { encodingFault, urlFault } from '../options/server-url.js';

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
  const fault = addressFault(client);
  if (fault !== undefined) throw wrong(fault);
}

function addressFault(text: string): string | undefined {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(text)?.[0].toLowerCase();
  if (scheme === undefined) return 'got a text that is not a URL';
  if (scheme !== 'redis:' && scheme !== 'rediss:') return `got a URL with '${scheme}'`;
  const fault = urlFault(text) ?? clientFault(new URL(text));
  return fault && `the ${scheme} URL is malformed: ${fault}`;
}

/** What the package would find when it is loaded. */
function clientFault(url: URL): string | undefined {
  if (!/^\/?\d*$/.test(url.pathname)) return 'its path is not the number of a database, such as /0';
  return encodingFault(url);
}

function wrong(what: string): ConfigError {
  return new ConfigError(
    'FW_REDIS_CLIENT',
    `fw/redis takes a client made by createClient() of the package redis, or a URL such as 'redis://127.0.0.1:6379'; ${what}`,
  );
}
