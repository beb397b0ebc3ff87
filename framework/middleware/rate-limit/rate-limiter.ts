// Built-in middleware: limits the number of requests in a time window, with a token bucket.

import type { Context } from '../../context/context.js';
import type { Middleware } from '../../context/handlers.js';
import { answered } from '../../dispatch/error-response.js';
import { FwError } from '../../http/errors.js';
import type { FwHeaders } from '../../http/headers.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { callback, matching, oneOf, type Rule, type Rules, renamedTo, whole } from '../../options/rules.js';
import { reportError } from '../../tracing/error-channel.js';
import { limitStore, MemoryRateLimitStore } from './memory-rate-limit-store.js';
import { boundedKey, RateLimitKey, type RateLimitKeyFunction } from './rate-limit-key.js';
import { type RateLimitState, type RateLimitStore, takenFrom } from './rate-limit-store.js';

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
  storeErrors?: 'allow' | 'deny';
  /** @deprecated Use `storeErrors`. */
  onStoreError?: 'allow' | 'deny';
}

/**
 * Limits requests with a token bucket: a bucket has `max` tokens, each request takes one, and tokens are refilled
 * evenly, all of them within a window. A request without a token is answered 429 with `Retry-After`. Every response
 * carries `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), errors included.
 *
 * @throws ConfigError if an option is unknown or out of range.
 */
export function rateLimiter(options: RateLimiterOptions = {}): Middleware {
  const given = checkOptions('rateLimiter', options, RULES);
  const { max = 100, windowSeconds = 60, name = 'default', storeErrors = 'allow' } = given;
  const { key = RateLimitKey.ip, store = new MemoryRateLimitStore() } = given;
  const limit = { max, windowMs: windowSeconds * 1000 };
  const policy = `"${name}";q=${limit.max};w=${limit.windowMs / 1000}`;
  return async function rateLimiter(ctx, next) {
    const bucket = `${name}:${await boundedKey(await key(ctx))}`;
    const state = await takenFrom(store, bucket, limit).catch((error: unknown) => unavailable(ctx, error));
    if (state === undefined) {
      if (storeErrors === 'deny') throw FwError.serviceUnavailable('the rate limit cannot be checked now');
      return next();
    }
    const response = state.isAllowed ? await answered(ctx, next) : await answered(ctx, () => refuse(state));
    describe(response.headers, policy, name, state);
    return response;
  };
}

/** The middleware `rateLimiter` as a builder: `new RateLimiter(10, 60).key(RateLimitKey.global).build()`. */
export class RateLimiter {
  #options: RateLimiterOptions;

  /**
   * @param max requests per window, which is also the largest burst.
   * @param windowSeconds the length of the window in whole seconds.
   * @throws ConfigError if one of them is not a whole number above 0.
   */
  constructor(max: number, windowSeconds: number) {
    checkValue('RateLimiter', 'max', max, RULES.max);
    checkValue('RateLimiter', 'windowSeconds', windowSeconds, RULES.windowSeconds);
    this.#options = { max, windowSeconds };
  }

  /** Determines which requests share a bucket; `RateLimitKey.ip` by default. @throws ConfigError if it is not a function */
  key(key: RateLimitKeyFunction): RateLimiter {
    return this.#with({ key: checkValue('RateLimiter', 'key', key, RULES.key) });
  }

  /** Where the buckets are kept; in the memory of this process by default. */
  store(store: RateLimitStore): RateLimiter {
    return this.#with({ store: checkValue('RateLimiter', 'store', store, RULES.store) });
  }

  /**
   * The name of the limit in the header fields and in the keys of the store; `default` by default.
   *
   * @throws ConfigError if it is not 1 to 64 letters, digits, `.`, `_` and `-`.
   */
  name(name: string): RateLimiter {
    return this.#with({ name: checkValue('RateLimiter', 'name', name, RULES.name) });
  }

  /** Whether requests are allowed while the store fails: `allow` (the default), or `deny`, which answers 503. */
  storeErrors(policy: 'allow' | 'deny'): RateLimiter {
    return this.#with({ storeErrors: checkValue('RateLimiter', 'storeErrors', policy, RULES.storeErrors) });
  }

  /** Makes the middleware. */
  build(): Middleware {
    return rateLimiter(this.#options);
  }

  #with(change: Partial<RateLimiterOptions>): RateLimiter {
    const next = new RateLimiter(1, 1);
    next.#options = { ...this.#options, ...change };
    return next;
  }
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

/** What fits the keys of a store. The name is sent in a quoted string of the header fields too. */
const limitName: Rule = matching(/^[\w.-]{1,64}$/, "up to 64 letters, digits, '.', '_' and '-'");

const RULES: Rules<RateLimiterOptions> = {
  max: whole(1),
  windowSeconds: whole(1, Number.MAX_SAFE_INTEGER, 'seconds'),
  key: callback('a function (ctx) => string, such as RateLimitKey.ip'),
  store: limitStore,
  name: limitName,
  storeErrors: oneOf('allow', 'deny'),
  onStoreError: renamedTo('storeErrors'),
};
