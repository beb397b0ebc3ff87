// Built-in middleware: so many requests in a window of time, by a token bucket.
import type { Middleware } from '../chain.js';
import type { Context } from '../context.js';
import { FwError } from '../errors.js';
import type { FwHeaders } from '../headers.js';
import { answered } from '../middleware/answered.js';
import { reportError } from '../tracing/error-channel.js';
import { MemoryRateLimitStore } from './memory-rate-limit-store.js';
import { boundedKey, RateLimitKey, type RateLimitKeyOf } from './rate-limit-key.js';
import type { RateLimit, RateLimitState, RateLimitStore } from './rate-limit-store.js';

export interface RateLimiterOptions {
  /** Requests in a window, and the most that may come at once; 100 by default. */
  max?: number;
  /** 60 by default. */
  windowSeconds?: number;
  /** Whose requests are counted together; `RateLimitKey.ip` by default. */
  key?: RateLimitKeyOf;
  /** The memory of this process by default. */
  store?: RateLimitStore;
  /** Names the limit in the header fields and in a shared store; `default` by default. */
  name?: string;
  /** What a request gets while the store fails: `allow` (the default) or `deny`, which is 503. */
  onStoreError?: 'allow' | 'deny';
}

/**
 * Lets `max` requests through in a window, in a burst or spread: used tokens come back evenly. The answer to
 * more is 429 with `Retry-After`. Every response carries `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers), errors included.
 *
 * @throws Error when an option is out of range.
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

/** `new RateLimiter(10, 60).key(RateLimitKey.header('X-Api-Key')).build()`. */
export class RateLimiter {
  readonly #options: RateLimiterOptions;

  /** @throws Error when one of them is out of range. */
  constructor(max: number, windowSeconds: number) {
    checkLimit(max, windowSeconds);
    this.#options = { max, windowSeconds };
  }

  key(key: RateLimitKeyOf): this {
    this.#options.key = key;
    return this;
  }

  store(store: RateLimitStore): this {
    this.#options.store = store;
    return this;
  }

  name(name: string): this {
    this.#options.name = checkName(name);
    return this;
  }

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

/** Two limiters on one response are two members of each list. */
function describe(headers: FwHeaders, policy: string, name: string, state: RateLimitState): void {
  headers.append('RateLimit-Policy', policy);
  headers.append('RateLimit', `"${name}";r=${state.remaining};t=${Math.ceil(state.resetMs / 1000)}`);
}

function checkLimit(max: number, windowSeconds: number): RateLimit {
  if (!Number.isSafeInteger(max) || max < 1) {
    throw new Error(`rateLimiter: ${max} is no number of requests; give a whole number above 0`);
  }
  if (!Number.isSafeInteger(windowSeconds) || windowSeconds < 1) {
    throw new Error(
      `rateLimiter: a window of ${windowSeconds} s is not possible; give whole seconds above 0`,
    );
  }
  return { max, windowMs: windowSeconds * 1000 };
}

/** The name stands in a quoted string of the header fields. */
function checkName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw new Error(
    `rateLimiter: the name '${name}' is not possible; use up to 64 letters, digits, '.', '_' and '-'`,
  );
}
