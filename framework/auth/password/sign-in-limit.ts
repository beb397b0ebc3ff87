// Passwords: limits how often somebody may try to sign in.
import { createHash } from 'node:crypto';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { FwError } from '../../http/errors.js';
import { MemoryRateLimitStore } from '../../rate-limit/memory-rate-limit-store.js';
import { RateLimitKey } from '../../rate-limit/rate-limit-key.js';
import type { RateLimitStore } from '../../rate-limit/rate-limit-store.js';

/** Options of `signInLimit`. */
export interface SignInLimitOptions {
  /** Attempts on one account in a window, from wherever they come; 10 by default. */
  readonly perAccount?: number;
  /** Attempts of one client in a window, by its address, on whatever accounts; 50 by default. */
  readonly perClient?: number;
  /** The length of the window in seconds; 900 by default. */
  readonly windowSeconds?: number;
  /** Where the attempts are counted; in the memory of this process by default. `fw/redis` has one for several. */
  readonly store?: RateLimitStore;
}

/**
 * Makes a function that counts an attempt to sign in, and refuses the one that is too many with 429 and
 * `Retry-After`. Call it before the password is verified. If the store fails, the request fails: attempts that cannot
 * be counted are not allowed.
 *
 * ```ts
 * const limit = signInLimit();
 * app.post('/sign-in', Valid(Credentials), Context, async ({ email, password }, ctx) => {
 *   await limit(ctx, email);
 *   …
 * });
 * ```
 *
 * @throws ConfigError if a number is not a whole one above 0
 */
export function signInLimit(
  options: SignInLimitOptions = {},
): (ctx: Context, account: string) => Promise<void> {
  const {
    perAccount = 10,
    perClient = 50,
    windowSeconds = 900,
    store = new MemoryRateLimitStore(),
  } = options;
  for (const [name, value] of Object.entries({ perAccount, perClient, windowSeconds })) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new ConfigError('FW_OPTION', `signInLimit: invalid ${name} ${value}; use a whole number above 0`);
  }
  const windowMs = windowSeconds * 1000;
  return async function limitSignIn(ctx, account) {
    const client = await store.take(`sign-in client ${await RateLimitKey.ip(ctx)}`, {
      max: perClient,
      windowMs,
    });
    // A client that is refused must not use up the attempts of the account.
    if (!client.isAllowed) throw tooMany(client.retryAfterMs);
    const name = createHash('sha256').update(account.normalize('NFKC').toLowerCase()).digest('base64url');
    const own = await store.take(`sign-in account ${name}`, { max: perAccount, windowMs });
    if (!own.isAllowed) throw tooMany(own.retryAfterMs);
  };
}

function tooMany(retryAfterMs: number): FwError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return FwError.tooManyRequests(`too many attempts to sign in; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}
