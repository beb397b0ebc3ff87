// Rate limit: where the buckets are kept.

/** Tokens come back at fractions of a millisecond, whose sums are not exact. */
const ROUNDING = 1e-9;

/** A token bucket: `max` tokens, all of which come back, evenly, within `windowMs`. */
export interface RateLimit {
  readonly max: number;
  readonly windowMs: number;
}

/** A bucket after a request asked it for a token. */
export interface RateLimitState {
  /** Whether there was a token. */
  readonly isAllowed: boolean;
  /** Whole tokens left. */
  readonly remaining: number;
  /** Until the next token is there; 0 while some are left. */
  readonly retryAfterMs: number;
  /** Until the bucket is full again. */
  readonly resetMs: number;
}

/**
 * Keeps buckets by key: in this process, or in a backend that several processes share. A bucket that nobody
 * asked for a window is full, so that a store may forget it.
 */
export interface RateLimitStore {
  /** Takes a token, if there is one. One key may be asked for many times at once. */
  take(key: string, limit: RateLimit): RateLimitState | Promise<RateLimitState>;
}

/** The state of a bucket that is full again in `resetMs`, a taken token included. */
export function rateLimitState(isAllowed: boolean, resetMs: number, limit: RateLimit): RateLimitState {
  const msPerToken = limit.windowMs / limit.max;
  const remaining = Math.max(0, Math.floor((limit.windowMs - resetMs) / msPerToken + ROUNDING));
  const retryAfterMs = remaining > 0 ? 0 : resetMs + msPerToken - limit.windowMs;
  return { isAllowed, remaining, retryAfterMs, resetMs };
}
