// Rate limit: buckets in the memory of this process, of which there are never too many.
import {
  type RateLimit,
  type RateLimitState,
  type RateLimitStore,
  rateLimitState,
} from './rate-limit-store.js';

/** Buckets at most; the one that was not asked for longest goes first. */
const MOST_KEYS = 100_000;
/** Full buckets that one request clears away: more than one, so that their number falls. */
const SWEPT = 2;

/** A token comes back at a fraction of a millisecond; sums of such must not deny one. */
const ROUNDING_MS = 1e-6;

/** Of a bucket only the time is kept at which it is full again. */
export class MemoryRateLimitStore implements RateLimitStore {
  /** The longest unused is first, because a bucket that is asked for moves to the end. */
  readonly #fullAtMs = new Map<string, number>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Buckets that are kept. */
  get size(): number {
    return this.#fullAtMs.size;
  }

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
