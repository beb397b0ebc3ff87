// Built-in middleware: limits the number of requests in a time window, with a token bucket.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/answered.js';
import { FwError } from '../http/errors.js';
import type { FwHeaders } from '../http/headers.js';
import { reportError } from '../tracing/error-channel.js';
import { MemoryRateLimitStore } from './memory-rate-limit-store.js';
import { boundedKey, RateLimitKey, type RateLimitKeyFunction } from './rate-limit-key.js';
import type { RateLimit, RateLimitState, RateLimitStore } from './rate-limit-store.js';

/** Options of `rateLimiter`. */
export interface RateLimiterOptions {
  /** Requests per window, which is also the largest burst; 100 by default. */
  max?: number;
  /** The length of the window in whole seconds; 60 by default. */
  windowSeconds?: number;
  /** Determines which requests share a bucket; `RateLimitKey.ip` by default. */
  key?: RateLimitKeyFunction;
  /** Where the buckets are kept; in the memory of this process by default. */
  store?: RateLimitStore;
  /** The name of the limit in the header fields and in the keys of the store; `default` by default. */
  name?: string;
  /** Whether requests are allowed while the store fails: `allow` (the default), or `deny`, which answers 503. */
  onStoreError?: 'allow' | 'deny';
}

/**
 * Limits requests with a token bucket: a bucket has `max` tokens, each request takes one, and tokens are refilled
 * evenly, all of them within a window. A request without a token is answered 429 with `Retry-After`. Every response
 * carries `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), errors included.
 *
 * @throws ConfigError when an option is out of range.
 */
export function rateLimiter(options: RateLimiterOptions = {}): Middleware {
  const limit = checkLimit(options.max ?? 100, options.windowSeconds ?? 60);
  const name = checkName(options.name ?? 'default');
  const { key = RateLimitKey.ip, store = new MemoryRateLimitStore(), onStoreError = 'allow' } = options;
  const policy = `"${name}";q=${limit.max};w=${limit.windowMs / 1000}`;
  return async function rateLimiter(ctx, next) {
    const bucket = `${name}:${await boundedKey(await key(ctx))}`;
    const state = await takeFrom(store, bucket, limit).catch((error: unknown) => unavailable(ctx, error));
    if (state === undefined) {
      if (onStoreError === 'deny') throw FwError.serviceUnavailable('the rate limit cannot be checked now');
      return next();
    }
    const response = state.isAllowed ? await answered(ctx, next) : await answered(ctx, () => refuse(state));
    describe(response.headers, policy, name, state);
    return response;
  };
}

/** The middleware `rateLimiter` as a builder: `new RateLimiter(10, 60).key(RateLimitKey.global).build()`. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;

  /**
   * @param max requests per window, which is also the largest burst.
   * @param windowSeconds the length of the window in whole seconds.
   * @throws ConfigError when one of them is not a whole number above 0.
   */
  constructor(max: number, windowSeconds: number) {
    checkLimit(max, windowSeconds);
    this.#options = { max, windowSeconds };
  }

  /** Determines which requests share a bucket; `RateLimitKey.ip` by default. */
  key(key: RateLimitKeyFunction): this {
    this.#options.key = key;
    return this;
  }

  /** Where the buckets are kept; in the memory of this process by default. */
  store(store: RateLimitStore): this {
    this.#options.store = store;
    return this;
  }

  /**
   * The name of the limit in the header fields and in the keys of the store; `default` by default.
   *
   * @throws ConfigError when it is not 1 to 64 letters, digits, `.`, `_` and `-`.
   */
  name(name: string): this {
    this.#options.name = checkName(name);
    return this;
  }

  /** Makes the middleware. */
  build(): Middleware {
    return rateLimiter(this.#options);
  }
}

async function takeFrom(store: RateLimitStore, key: string, limit: RateLimit): Promise<RateLimitState> {
  return store.take(key, limit);
}

function unavailable(ctx: Context, error: unknown): undefined {
  reportError({ error, status: 503, method: ctx.req.method, path: ctx.req.path });
}

async function refuse(state: RateLimitState): Promise<never> {
  const seconds = Math.max(1, Math.ceil(state.retryAfterMs / 1000));
  throw FwError.tooManyRequests(`too many requests; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Appends: with two limiters, each field is a list of two members. */
function describe(headers: FwHeaders, policy: string, name: string, state: RateLimitState): void {
  headers.append('RateLimit-Policy', policy);
  headers.append('RateLimit', `"${name}";r=${state.remaining};t=${Math.ceil(state.resetMs / 1000)}`);
}

function checkLimit(max: number, windowSeconds: number): RateLimit {
  if (!Number.isSafeInteger(max) || max < 1) {
    throw new ConfigError('FW_OPTION', `rateLimiter: invalid max ${max}; use a whole number above 0`);
  }
  if (!Number.isSafeInteger(windowSeconds) || windowSeconds < 1) {
    throw new ConfigError(
      'FW_OPTION',
      `rateLimiter: invalid window of ${windowSeconds} s; use a whole number above 0`,
    );
  }
  return { max, windowMs: windowSeconds * 1000 };
}

/** The name is sent in a quoted string of the header fields. */
function checkName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw new ConfigError(
    'FW_OPTION',
    `rateLimiter: invalid name '${name}'; use up to 64 letters, digits, '.', '_' and '-'`,
  );
}
