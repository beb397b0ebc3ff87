// Passwords: limits how often a password may be guessed, so that no stranger can lock its owner out.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { Cookie, onlyCookie, SameSite } from '../../http/cookie.js';
import { asFwError, FwError } from '../../http/errors.js';
import { limitStore, MemoryRateLimitStore } from '../../middleware/rate-limit/memory-rate-limit-store.js';
import { RateLimitKey } from '../../middleware/rate-limit/rate-limit-key.js';
import {
  type RateLimit,
  type RateLimitStore,
  takenFrom,
} from '../../middleware/rate-limit/rate-limit-store.js';
import { checkOptions } from '../../options/check.js';
import { anything, filled, flag, type Rules, whole } from '../../options/rules.js';
import { reportError } from '../../tracing/error-channel.js';

/** Options of `signInLimit`. */
export interface SignInLimitOptions {
  /** Failures on one account from one network in a window, and from one known device; 10 by default. */
  readonly perAccountAndNetwork?: number;
  /**
   * Failures on one account in a window, from all networks together; 1,000 by default. Whoever reaches it, from a
   * hundred networks, keeps others from signing in for a while, but not devices that have signed in before.
   */
  readonly perAccount?: number;
  /** Failures of one network in a window, on whatever accounts; 50 by default. */
  readonly perClient?: number;
  /** The length of the window in seconds; 900 by default. */
  readonly windowSeconds?: number;
  /** Where the failures are counted; in the memory of this process by default. `fw/redis` has one for several. */
  readonly store?: RateLimitStore;
  /** What is counted, for stores that several limits share: `sign-in` by default. */
  readonly name?: string;
  /**
   * Signs the cookies of devices that have signed in before, at least 32 characters; the same in all processes. By default
   * one of this process, so that devices are known until it ends.
   */
  readonly secret?: string;
  /** Whether browsers send that cookie over HTTPS only; true by default. Turn it off only in development. */
  readonly secure?: boolean;
}

/** Counts attempts to sign in, see `signInLimit`. */
export interface SignInLimit {
  /**
   * Verifies a password unless there were too many failures before. Only a failure counts, which an FwError below 500 is
   * too, and a success makes the device known.
   *
   * @param verify resolves to whether the password is right
   * @returns what `verify` resolves to
   * @throws FwError 429 with `Retry-After`, 503 if the store fails; what `verify` throws
   */
  (ctx: Context, account: string, verify: () => boolean | Promise<boolean>): Promise<boolean>;
  /** Counts an attempt whatever comes of it, such as a sign-up. @throws FwError 429 with `Retry-After`, 503 */
  (ctx: Context, account: string): Promise<void>;
}

const LEAST_SECRET = 32;

/**
 * Makes a function that verifies a password unless too many attempts have failed: on the account from the same network,
 * from the network on any account, and, far later, on the account from anywhere. A browser that has signed in before is
 * counted for itself, by a signed cookie, so that a stranger cannot lock the owner of an account out. If the store fails,
 * the request fails: attempts that cannot be counted are not allowed.
 *
 * ```ts
 * const limit = signInLimit();
 * app.post('/sign-in', Valid(Credentials), Context, async ({ email, password }, ctx) => {
 *   const user = await users.find(email);
 *   if (!(await limit(ctx, email, () => verifyPassword(password, user?.passwordHash)))) throw FwError.unauthorized('…');
 *   …
 * });
 * ```
 *
 * @throws ConfigError if an option is unknown or not of its kind
 */
export function signInLimit(options: SignInLimitOptions = {}): SignInLimit {
  const { store, windowMs, name, limits, devices } = checked(options);
  const take = async (key: string, max: number): Promise<Taken> => {
    const full = `${name} ${key}`;
    const state = await asked(() => takenFrom(store, full, { max, windowMs }));
    if (!state.isAllowed) throw tooMany(state.retryAfterMs);
    return { key: full, limit: { max, windowMs } };
  };
  async function takeAll(ctx: Context, account: string): Promise<Taken[]> {
    const device = devices.deviceOf(ctx, account);
    if (device !== undefined) return [await take(`device ${device}`, limits.perAccountAndNetwork)];
    const network = await RateLimitKey.ip(ctx);
    const taken: Taken[] = [];
    const all: [string, number][] = [
      [`client ${network}`, limits.perClient],
      [`account ${account} from ${network}`, limits.perAccountAndNetwork],
      // Last: a network that is refused must not use up the attempts of others.
      [`account ${account}`, limits.perAccount],
    ];
    for (const [key, max] of all) taken.push(await take(key, max));
    return taken;
  }
  async function limitSignIn(
    ctx: Context,
    account: string,
    verify?: () => boolean | Promise<boolean>,
  ): Promise<boolean | undefined> {
    const known = createHash('sha256').update(account.normalize('NFKC').toLowerCase()).digest('base64url');
    // Taken before the password is verified, so that guesses at the same time are counted too.
    const taken = await takeAll(ctx, known);
    if (verify === undefined) return undefined;
    const giveBack = async (): Promise<void> => {
      for (const { key, limit } of taken) await asked(() => store.giveBack?.(key, limit));
    };
    let isRight: boolean;
    try {
      isRight = await verify();
    } catch (error) {
      // Nothing was guessed, as when the database is away. That it cannot be given back then hides no error.
      if (!isRefusal(error)) await giveBack().catch(reportedOf(ctx));
      throw error;
    }
    if (isRight !== true) return false;
    await giveBack();
    devices.remember(ctx, known);
    return true;
  }
  return limitSignIn as SignInLimit;
}

interface Taken {
  readonly key: string;
  readonly limit: RateLimit;
}

interface Checked {
  readonly store: RateLimitStore;
  readonly windowMs: number;
  readonly name: string;
  readonly limits: Readonly<Record<'perAccountAndNetwork' | 'perAccount' | 'perClient', number>>;
  readonly devices: DeviceCookies;
}

const RULES: Rules<SignInLimitOptions> = {
  perAccountAndNetwork: whole(1),
  perAccount: whole(1),
  perClient: whole(1),
  windowSeconds: whole(1, Number.MAX_SAFE_INTEGER, 'seconds'),
  store: limitStore,
  name: filled,
  secret: anything,
  secure: flag,
};

function checked(options: SignInLimitOptions): Checked {
  const given = checkOptions('signInLimit', options, RULES);
  const { perAccountAndNetwork = 10, perAccount = 1_000, perClient = 50, windowSeconds = 900 } = given;
  const { store = new MemoryRateLimitStore(), name = 'sign-in', secret, secure = true } = given;
  if (secret !== undefined && (typeof secret !== 'string' || secret.length < LEAST_SECRET)) {
    throw new ConfigError(
      'FW_SECRET',
      `signInLimit() takes a secret of at least ${LEAST_SECRET} characters, such as the output of: openssl rand -base64 32`,
    );
  }
  return {
    store,
    windowMs: windowSeconds * 1000,
    name,
    limits: { perAccountAndNetwork, perAccount, perClient },
    devices: new DeviceCookies(secret, name, secure),
  };
}

/**
 * The messages do not say what was attempted: sign-ups, resets and mails are counted, too.
 *
 * @throws FwError 503 if the store fails
 */
async function asked<T>(operation: () => T | Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (cause) {
    throw FwError.serviceUnavailable('attempts cannot be counted now; try again later', {
      cause,
      headers: { 'Retry-After': '5' },
    });
  }
}

/** A wrong password may be told by `FwError.unauthorized(…)`, too: it is the answer to a guess. */
function isRefusal(error: unknown): boolean {
  const status = asFwError(error)?.status ?? 500;
  return status < 500;
}

function reportedOf({ req: { method, path } }: Context): (error: unknown) => void {
  return (error) => reportError({ error, status: 503, method, path });
}

function tooMany(retryAfterMs: number): FwError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return FwError.tooManyRequests(`too many attempts; try again in ${seconds} s`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** In seconds. */
const LIFETIME = 365 * 24 * 3600;
/** A nonce of 16 bytes and an HMAC-SHA-256, in base64url. */
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

class DeviceCookies {
  readonly #secret: string | Buffer;
  readonly #limit: string;
  readonly #isSecure: boolean;

  /**
   * @param secret the same in all processes; one of this process if it is undefined
   * @param limit what is counted
   */
  constructor(secret: string | undefined, limit: string, isSecure: boolean) {
    this.#secret = secret ?? randomBytes(32);
    this.#limit = limit;
    this.#isSecure = isSecure;
  }

  /** Names the device of the request, if it has signed in to this account before. */
  deviceOf(ctx: Context, account: string): string | undefined {
    const value = onlyCookie(ctx.req.header('cookie'), this.#name);
    const [, nonce, mac] = VALUE.exec(value ?? '') ?? [];
    if (nonce === undefined || mac === undefined) return undefined;
    const expected = this.#mac(account, nonce);
    const presented = Buffer.from(mac, 'base64url');
    return presented.length === expected.length && timingSafeEqual(presented, expected) ? nonce : undefined;
  }

  /** Lets the browser be known from now on, with a new name at each sign-in. */
  remember(ctx: Context, account: string): void {
    const nonce = randomBytes(16).toString('base64url');
    const value = `${nonce}.${this.#mac(account, nonce).toString('base64url')}`;
    const cookie = new Cookie(this.#name, value).httpOnly(true).secure(this.#isSecure);
    ctx.setCookie(cookie.sameSite(SameSite.Lax).maxAge(LIFETIME));
  }

  get #name(): string {
    return this.#isSecure ? '__Host-device' : 'device';
  }

  /**
   * The label keeps a secret that signs other things too from giving such cookies, and the name of the limit one that
   * several limits share: customers and staff may have accounts of the same name.
   */
  #mac(account: string, nonce: string): Buffer {
    const signed = `fw device\n${this.#limit}\n${account}\n${nonce}`;
    return createHmac('sha256', this.#secret).update(signed).digest();
  }
}
