// Redis: the buckets of rate limits, shared by several processes.
import {
  type RateLimit,
  type RateLimitState,
  type RateLimitStore,
  rateLimitState,
} from '../middleware/rate-limit/rate-limit-store.js';
import type { RedisClient } from './redis-client.js';
import { RedisConnection, type RedisOptions, RedisScript } from './redis-connection.js';

/**
 * Keeps the time at which the bucket is full again, in microseconds of the server's clock. The tolerance is for
 * rounding. If the clock is set back, nobody waits longer than a window.
 */
const TAKE = new RedisScript(`
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000
local token = window / ARGV[2]
local full = tonumber(redis.call('GET', KEYS[1]) or now)
local missing = math.min(window, math.max(0, full - now))
local allowed = missing + token <= window + 1
if allowed then
  missing = missing + token
  redis.call('SET', KEYS[1], string.format('%.0f', now + missing), 'PX', math.ceil(missing / 1000))
end
return { allowed and 1 or 0, string.format('%.3f', missing / 1000) }
`);

/** The bucket is full earlier by the time of one token. */
const GIVE_BACK = new RedisScript(`
local full = tonumber(redis.call('GET', KEYS[1]) or 0)
if full == 0 then return 0 end
local time = redis.call('TIME')
local missing = full - time[1] * 1000000 - time[2] - ARGV[1] * 1000 / ARGV[2]
if missing < 1 then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], string.format('%.0f', full - ARGV[1] * 1000 / ARGV[2]), 'PX', math.ceil(missing / 1000))
return 1
`);

/**
 * Shares the buckets of `rateLimiter` between processes: one atomic step for each request, by the server's clock.
 * While Redis is away, the option `onStoreError` of the limiter decides.
 */
export class RedisRateLimitStore implements RateLimitStore {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  /**
   * @param client a connected client of the package `redis`, or the URL of a server.
   * @throws ConfigError if the client or an option is malformed.
   */
  constructor(client: RedisClient | string, options: RedisOptions = {}) {
    this.#redis = new RedisConnection('RedisRateLimitStore', client, options);
    this.#prefix = this.#redis.prefix ?? 'fw:limit:';
  }

  async take(key: string, limit: RateLimit): Promise<RateLimitState> {
    const args = [String(limit.windowMs), String(limit.max)];
    const [allowed, resetMs] = (await this.#redis.run(TAKE, [this.#prefix + key], args)) as [number, string];
    return rateLimitState(allowed === 1, Number(resetMs), limit);
  }

  /** Gives a token back to the bucket of the key. */
  async giveBack(key: string, limit: RateLimit): Promise<void> {
    await this.#redis.run(GIVE_BACK, [this.#prefix + key], [String(limit.windowMs), String(limit.max)]);
  }

  /** Closes the connection that was made for a URL; a client that was given stays open. */
  close(): Promise<void> {
    return this.#redis.close();
  }
}
