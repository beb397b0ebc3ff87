// Accounts: refresh tokens, by which a client gets new access tokens without the password.
import { randomUUID } from 'node:crypto';
import { FwError } from '../../http/errors.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, type Rules, text, whole } from '../../options/rules.js';
import { log } from '../../tracing/log.js';
import { noteSecret } from '../../tracing/secrets.js';
import { isSecret, keyOf, newSecret } from './secret-token.js';
import { type StoredToken, type TokenStore, tokenStore } from './token-store.js';

/** Options of `RefreshTokens`. */
export interface RefreshTokensOptions {
  /** Where the tokens are kept. */
  readonly store: TokenStore;
  /** How long a token works if it is not used, in seconds: 30 days by default. */
  readonly lifetimeSeconds?: number;
  /** For so long after its use, in seconds, a token that comes again is only refused, as of a client with two windows; 10 by default. */
  readonly reuseGraceSeconds?: number;
}

/** Options of `RefreshTokens.issue`. */
export interface SignInOptions {
  /** By what the user knows the sign-in again in a list, such as the browser. */
  readonly label?: string;
}

/** A refresh token, and the sign-in that it belongs to. */
export interface RefreshToken {
  /** What the client sends for the next one, once. No cache may keep it (RFC 6749, section 5.1). */
  readonly refreshToken: string;
  readonly userId: string;
  /** Stays the same from sign-in to sign-out. It is not a secret. */
  readonly signInId: string;
}

/** Where a user is signed in. */
export interface SignIn {
  /** Names the sign-in, for `end`. */
  readonly id: string;
  /** What was given to `issue`, such as the browser; empty if nothing was. */
  readonly label: string;
  readonly createdAtMs: number;
  /** When it got its last token. */
  readonly usedAtMs: number;
}

const RULES: Rules<RefreshTokensOptions> = {
  store: tokenStore,
  lifetimeSeconds: whole(1, 10 * 365 * 86_400, 'seconds'),
  reuseGraceSeconds: whole(0, 3_600, 'seconds'),
};

const SIGN_IN_RULES: Rules<SignInOptions> = { label: text };

const MONTH_SECONDS = 30 * 86_400;

/**
 * Refresh tokens with rotation (RFC 9700, section 4.14.2): each works once and is replaced. If one comes again later,
 * somebody has copied it: its whole sign-in ends, and a warning with `event: 'refresh-token-reuse'` is logged.
 *
 * ```ts
 * const refreshTokens = new RefreshTokens({ store: new SqlTokenStore(db) });
 * const { refreshToken } = await refreshTokens.issue(user.id, { label: 'Firefox on Linux' });
 * const next = await refreshTokens.rotate(refreshToken); // 401 if it does not work
 * ```
 */
export class RefreshTokens {
  readonly #store: TokenStore;
  readonly #lifetimeMs: number;
  readonly #graceMs: number;

  /** @throws ConfigError if an option is missing, unknown or not of its kind */
  constructor(options: RefreshTokensOptions) {
    const given = checkOptions('RefreshTokens', options, RULES);
    const { store, lifetimeSeconds = MONTH_SECONDS, reuseGraceSeconds = 10 } = given;
    this.#store = store;
    this.#lifetimeMs = lifetimeSeconds * 1_000;
    this.#graceMs = reuseGraceSeconds * 1_000;
  }

  /**
   * The first token of a sign-in.
   *
   * @throws ConfigError if the id is empty, or an option is not of its kind; what the store throws
   */
  async issue(userId: string, options: SignInOptions = {}): Promise<RefreshToken> {
    checkValue('RefreshTokens.issue', 'the id of the user', userId, filled);
    const { label = '' } = checkOptions('RefreshTokens.issue', options, SIGN_IN_RULES);
    return this.#add(userId, randomUUID(), { label, createdAtMs: Date.now() });
  }

  /**
   * Uses a token, and gives the next one of its sign-in.
   *
   * @throws FwError 401 if it does not work: it was used, has expired, or its sign-in has ended
   */
  async rotate(refreshToken: string): Promise<RefreshToken> {
    const found = await this.#find(refreshToken);
    if (found === undefined) throw refused();
    const { key, userId, family } = found;
    if (found.usedAtMs !== undefined) return this.#refuseUsed(found, found.usedAtMs);
    // First the next one: if the sign-in ends meanwhile, it goes with it, or the one before cannot be used any more.
    const next = await this.#add(userId, family, signInOf(found));
    if (await this.#store.use(key, Date.now())) return next;
    await this.#store.remove({ key: keyOf(next.refreshToken) });
    throw refused();
  }

  /** Ends the sign-in of a token, and returns whose it was; undefined if there is none. */
  async revoke(refreshToken: string): Promise<Omit<RefreshToken, 'refreshToken'> | undefined> {
    const found = await this.#find(refreshToken);
    if (found === undefined) return undefined;
    const { userId, family: signInId } = found;
    await this.#store.remove({ kind: 'refresh', userId, family: signInId });
    return { userId, signInId };
  }

  /** Where a user is signed in, the last used first. */
  async list(userId: string): Promise<SignIn[]> {
    checkValue('RefreshTokens.list', 'the id of the user', userId, filled);
    const tokens = await this.#store.list('refresh', userId);
    const found = new Map<string, SignIn>();
    for (const token of tokens) {
      const { family: id, createdAtMs: usedAtMs } = token;
      // Two of one sign-in are there while it gets its next token, and after a process has ended meanwhile.
      if (usedAtMs > (found.get(id)?.usedAtMs ?? Number.NEGATIVE_INFINITY)) {
        found.set(id, { id, ...signInOf(token), usedAtMs });
      }
    }
    return [...found.values()];
  }

  /** Ends a sign-in of a user; false if it is not one of theirs. */
  async end(userId: string, signInId: string): Promise<boolean> {
    checkValue('RefreshTokens.end', 'the id of the user', userId, filled);
    checkValue('RefreshTokens.end', 'the id of the sign-in', signInId, text);
    return (await this.#store.remove({ kind: 'refresh', userId, family: signInId })) > 0;
  }

  /** Ends all sign-ins of a user. Access tokens that they have got work until they expire. */
  async endAll(userId: string): Promise<void> {
    checkValue('RefreshTokens.endAll', 'the id of the user', userId, filled);
    await this.#store.remove({ kind: 'refresh', userId });
  }

  async #add(userId: string, signInId: string, signIn: SignInData): Promise<RefreshToken> {
    const refreshToken = newSecret();
    const createdAtMs = Date.now();
    await this.#store.add({
      key: keyOf(refreshToken),
      kind: 'refresh',
      userId,
      family: signInId,
      data: JSON.stringify(signIn),
      createdAtMs,
      usedAtMs: undefined,
      expiresAtMs: createdAtMs + this.#lifetimeMs,
    });
    return { refreshToken, userId, signInId };
  }

  async #refuseUsed({ userId, family }: StoredToken, usedAtMs: number): Promise<never> {
    if (Date.now() - usedAtMs > this.#graceMs) {
      await this.#store.remove({ kind: 'refresh', userId, family });
      log.warn('a refresh token was used twice, so its sign-in was ended', {
        event: 'refresh-token-reuse',
        user_id: userId,
        sign_in_id: family,
      });
    }
    throw refused();
  }

  async #find(refreshToken: string): Promise<StoredToken | undefined> {
    if (!isSecret(refreshToken)) return undefined;
    noteSecret(refreshToken);
    const found = await this.#store.find(keyOf(refreshToken));
    return found?.kind === 'refresh' ? found : undefined;
  }
}

/** What all tokens of a sign-in carry on. */
interface SignInData {
  readonly label: string;
  readonly createdAtMs: number;
}

function signInOf({ data }: StoredToken): SignInData {
  const { label, createdAtMs } = JSON.parse(data) as SignInData;
  return { label, createdAtMs };
}

function refused(): FwError {
  return FwError.unauthorized('the refresh token does not work; sign in');
}
