// Rate limit: keeps a bounded number of buckets in the memory of this process.
import { checkValue } from '../../options/check.js';
import { callback, objectWith, type Rule } from '../../options/rules.js';
import {
  type RateLimit,
  type RateLimitState,
  type RateLimitStore,
  rateLimitState,
} from './rate-limit-store.js';

/** The maximum number of buckets; the least recently used one is removed first. */
const MOST_KEYS = 100_000;
/** How many full buckets one request removes at most: more than it can add, so that their number falls. */
const SWEPT = 2;

/** Tokens are refilled at fractions of a millisecond; rounding errors of their sums must not deny a token. */
const ROUNDING_MS = 1e-6;

const CLOCK: Rule = callback('a function () => milliseconds; the limits are options of rateLimiter()');

/** What stores of limits are, for the checks of options. @internal */
export const limitStore: Rule = objectWith(['take'], 'a RateLimitStore, such as new MemoryRateLimitStore()');

/**
 * The default store of `rateLimiter`: up to 100,000 buckets in the memory of this process. Of each bucket it keeps
 * only the time at which it will be full again.
 */
export class MemoryRateLimitStore implements RateLimitStore {
  /** In order of last use: a bucket that is used moves to the end. */
  readonly #fullAtMs = new Map<string, number>();
  readonly #now: () => number;

  /**
   * @param now returns the milliseconds of a monotonic clock; `performance.now()` by default.
   * @throws ConfigError if it is not a function
   */
  constructor(now: () => number = () => performance.now()) {
    this.#now = checkValue('MemoryRateLimitStore', 'the clock', now, CLOCK);
  }

  /** The number of stored buckets. */
  get size(): number {
    return this.#fullAtMs.size;
  }

  /** Takes a token from the bucket of the key, if there is one. */
  take(key: string, limit: RateLimit): RateLimitState {
    const now = this.#now();
    const found = this.#fullAtMs.get(key);
    if (found !== undefined) this.#fullAtMs.delete(key);
    const msPerToken = limit.windowMs / limit.max;
    const missingMs = Math.max(0, (found ?? now) - now);
    const isAllowed = missingMs + msPerToken <= limit.windowMs + ROUNDING_MS;
    const resetMs = isAllowed ? missingMs + msPerToken : missingMs;
    this.#fullAtMs.set(key, now + resetMs);
    this.#forget(now);
    return rateLimitState(isAllowed, resetMs, limit);
  }

  /** Gives a token back to the bucket of the key. */
  giveBack(key: string, limit: RateLimit): void {
    const fullAtMs = this.#fullAtMs.get(key);
    if (fullAtMs === undefined) return;
    const earlier = fullAtMs - limit.windowMs / limit.max;
    if (earlier <= this.#now() + ROUNDING_MS) this.#fullAtMs.delete(key);
    else this.#fullAtMs.set(key, earlier);
  }

  #forget(now: number): void {
    let swept = 0;
    for (const [key, fullAtMs] of this.#fullAtMs) {
      const isFull = fullAtMs <= now && swept < SWEPT;
      if (!isFull && this.#fullAtMs.size <= MOST_KEYS) return;
      this.#fullAtMs.delete(key);
      swept += 1;
    }
  }
}
