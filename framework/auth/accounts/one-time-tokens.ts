// Accounts: tokens in links that are sent by mail, each for one purpose, which work once and for a while.
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, matching, type Rules, required, text, whole } from '../../options/rules.js';
import { noteSecret } from '../../tracing/secrets.js';
import { isSecret, keyOf, newSecret } from './secret-token.js';
import { type StoredToken, type TokenStore, tokenStore } from './token-store.js';

/** Options of `OneTimeTokens`. */
export interface OneTimeTokensOptions {
  /** Where the tokens are kept. */
  readonly store: TokenStore;
  /** What the tokens are for, such as `reset-password`: a token of another purpose does not work. */
  readonly purpose: string;
  /** How long a token works, in seconds: an hour by default. */
  readonly lifetimeSeconds?: number;
}

/** Whose token it is. */
export interface OneTimeToken {
  readonly userId: string;
  /** What was given to `issue`, such as the address that the mail went to; empty if nothing was. */
  readonly data: string;
}

const RULES: Rules<OneTimeTokensOptions> = {
  store: tokenStore,
  purpose: required(
    matching(/^[a-z][a-z0-9-]{0,63}$/, "a name of small letters, digits and '-', such as 'reset-password'"),
  ),
  lifetimeSeconds: whole(1, 365 * 86_400, 'seconds'),
};

const HOUR_SECONDS = 3_600;

/**
 * Tokens in links that are sent by mail: for a new password, to confirm an address, for an invitation. Each works once.
 * The store has only digests of them.
 *
 * ```ts
 * const resets = new OneTimeTokens({ store: new SqlTokenStore(db), purpose: 'reset-password', lifetimeSeconds: 1_800 });
 * const token = await resets.issue(user.id);
 * const redeemed = await resets.redeem(token);
 * if (redeemed === undefined) throw FwError.badRequest('the link was used, or is too old');
 * ```
 */
export class OneTimeTokens {
  readonly #store: TokenStore;
  readonly #purpose: string;
  readonly #lifetimeMs: number;

  /** @throws ConfigError if an option is missing, unknown or not of its kind */
  constructor(options: OneTimeTokensOptions) {
    const { store, purpose, lifetimeSeconds = HOUR_SECONDS } = checkOptions('OneTimeTokens', options, RULES);
    this.#store = store;
    this.#purpose = purpose;
    this.#lifetimeMs = lifetimeSeconds * 1_000;
  }

  /**
   * Makes a token for a user: 43 letters, digits, `-` and `_`. Put it behind the `#` of a link, where no log sees it.
   *
   * @param data what comes back with the token, such as the address that is to be confirmed
   * @throws ConfigError if the id is empty; what the store throws
   */
  async issue(userId: string, data = ''): Promise<string> {
    checkValue('OneTimeTokens.issue', 'the id of the user', userId, filled);
    checkValue('OneTimeTokens.issue', 'data', data, text);
    const token = newSecret();
    const createdAtMs = Date.now();
    await this.#store.add({
      key: keyOf(token),
      kind: 'one-time',
      userId,
      family: this.#purpose,
      data,
      createdAtMs,
      usedAtMs: undefined,
      expiresAtMs: createdAtMs + this.#lifetimeMs,
    });
    return token;
  }

  /** Whose token it is, without using it: before work that takes long, such as the hash of a password. */
  async find(token: string): Promise<OneTimeToken | undefined> {
    const found = await this.#find(token);
    return found && { userId: found.userId, data: found.data };
  }

  /**
   * Uses a token, and with it ends all one-time tokens of its user, also those for other purposes.
   *
   * @returns undefined if it does not work: it was used, has expired, or is for something else. Of two calls at once, one
   *   gets it.
   */
  async redeem(token: string): Promise<OneTimeToken | undefined> {
    const found = await this.#find(token);
    if (found === undefined) return undefined;
    const { key, userId, data } = found;
    if ((await this.#store.remove({ key })) !== 1) return undefined;
    await this.#store.remove({ kind: 'one-time', userId });
    return { userId, data };
  }

  /** Ends the tokens of a user for this purpose, such as when the password was changed in another way. */
  async revokeAll(userId: string): Promise<void> {
    checkValue('OneTimeTokens.revokeAll', 'the id of the user', userId, filled);
    await this.#store.remove({ kind: 'one-time', userId, family: this.#purpose });
  }

  async #find(token: string): Promise<StoredToken | undefined> {
    if (!isSecret(token)) return undefined;
    noteSecret(token);
    const found = await this.#store.find(keyOf(token));
    return found?.kind === 'one-time' && found.family === this.#purpose ? found : undefined;
  }
}
