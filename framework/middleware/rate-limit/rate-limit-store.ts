// Rate limit: the interface of stores, which keep the buckets.
import { kindOf } from '../../options/shown.js';

/** Tokens are refilled at fractions of a millisecond, whose sums have rounding errors. */
const ROUNDING = 1e-9;

/** The size of a token bucket: `max` tokens, which are refilled evenly within `windowMs`. */
export interface RateLimit {
  /** The number of tokens in a full bucket. */
  readonly max: number;
  /** How long an empty bucket takes to be full, in milliseconds. */
  readonly windowMs: number;
}

/** The state of a bucket after a request tried to take a token. */
export interface RateLimitState {
  /** Whether the request got a token. */
  readonly isAllowed: boolean;
  /** The number of whole tokens left. */
  readonly remaining: number;
  /** Milliseconds until the next token; 0 while tokens are left. */
  readonly retryAfterMs: number;
  /** Milliseconds until the bucket is full again. */
  readonly resetMs: number;
}

/**
 * Keeps buckets by key, in this process or in a backend that several processes share. A bucket that was not used for
 * a whole window is full again, so a store may forget it.
 */
export interface RateLimitStore {
  /** Takes a token, if there is one. It may be called concurrently for the same key. */
  take(key: string, limit: RateLimit): RateLimitState | Promise<RateLimitState>;
  /**
   * Gives a token back that was taken for nothing: `signInLimit` counts failures alone. Without it, a sign-in that
   * succeeds counts too.
   */
  giveBack?(key: string, limit: RateLimit): void | Promise<void>;
}

/** What a store knows of a bucket when a request has tried to take a token. */
export interface TakenToken {
  /** Whether the request got a token. */
  readonly isAllowed: boolean;
  /** Milliseconds until the bucket is full again, with the token that was just taken. */
  readonly resetMs: number;
  readonly limit: RateLimit;
}

/** Computes the state of a bucket, for a store. */
export function rateLimitState(taken: TakenToken): RateLimitState;
/** @deprecated Use `rateLimitState({ isAllowed, resetMs, limit })`. */
export function rateLimitState(isAllowed: boolean, resetMs: number, limit: RateLimit): RateLimitState;
export function rateLimitState(
  ...args: [taken: TakenToken] | [isAllowed: boolean, resetMs: number, limit: RateLimit]
): RateLimitState {
  const [first] = args;
  if (typeof first === 'object') return stateOf(first);
  const [isAllowed, resetMs, limit] = args as [boolean, number, RateLimit];
  return stateOf({ isAllowed, resetMs, limit });
}

function stateOf({ isAllowed, resetMs, limit }: TakenToken): RateLimitState {
  const msPerToken = limit.windowMs / limit.max;
  const remaining = Math.max(0, Math.floor((limit.windowMs - resetMs) / msPerToken + ROUNDING));
  const retryAfterMs = remaining > 0 ? 0 : resetMs + msPerToken - limit.windowMs;
  return { isAllowed, remaining, retryAfterMs, resetMs };
}

/**
 * What a store has answered to `take`.
 *
 * @throws Error if it is not a state: the answer is then that of a store that fails
 */
export async function takenFrom(
  store: RateLimitStore,
  key: string,
  limit: RateLimit,
): Promise<RateLimitState> {
  const state: unknown = await store.take(key, limit);
  if (isState(state)) return state;
  throw new Error(
    `take() of the store of rate limits returned ${kindOf(state)} that is not a state; return what rateLimitState() gives`,
  );
}

function isState(value: unknown): value is RateLimitState {
  const { isAllowed, remaining, retryAfterMs, resetMs } = (value ?? {}) as Partial<RateLimitState>;
  return typeof isAllowed === 'boolean' && [remaining, retryAfterMs, resetMs].every(Number.isFinite);
}
