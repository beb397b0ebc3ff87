// Accounts: API keys that users make, list and revoke themselves.
import { randomUUID } from 'node:crypto';
import type { ApiKeyIdentity } from '../../context/principal.js';
import { checkOptions, checkValue } from '../../options/check.js';
import { filled, listOf, matching, type Rules, required, text, whole } from '../../options/rules.js';
import { type ApiKeyStore, generateApiKey } from '../api-key/static-keys.js';
import { keyOf } from './secret-token.js';
import { type StoredToken, type TokenStore, tokenStore } from './token-store.js';

/** Options of `ApiKeys`. */
export interface ApiKeysOptions {
  /** Where the keys are kept. */
  readonly store: TokenStore;
  /** What keys begin with, such as `shop`: people and scanners of leaked secrets recognize them by it. */
  readonly prefix: string;
}

/** Options of `ApiKeys.create`. */
export interface NewApiKeyOptions {
  /** What the user calls the key. */
  readonly label?: string;
  /** What the key may do; nothing that needs a scope by default. */
  readonly scopes?: readonly string[];
  /** How long it works; without an end by default. */
  readonly lifetimeSeconds?: number;
}

/** An API key of a user, without the key. */
export interface ApiKeyInfo {
  /** Names the key, for `revoke`. */
  readonly id: string;
  readonly label: string;
  readonly scopes: readonly string[];
  readonly createdAtMs: number;
  /** Undefined if it does not expire. */
  readonly expiresAtMs: number | undefined;
}

const RULES: Rules<ApiKeysOptions> = {
  store: tokenStore,
  prefix: required(matching(/^[\w-]{1,32}$/, "1 to 32 letters, digits, '-' and '_'")),
};

const NEW_KEY_RULES: Rules<NewApiKeyOptions> = {
  label: text,
  scopes: listOf(filled),
  lifetimeSeconds: whole(1, 10 * 365 * 86_400, 'seconds'),
};

/** A prefix and 256 bits, as `generateApiKey` makes them. */
const FORM = /^[\w-]{1,32}_[\w-]{43}$/;

/**
 * API keys that users make, list and revoke, and the store by which `apiKey` of `fw/api-key` finds whose a key is. The
 * store of tokens has only digests of them.
 *
 * ```ts
 * const keys = new ApiKeys({ store: new SqlTokenStore(db), prefix: 'shop' });
 * app.use(apiKey({ store: keys, optional: true }));
 * const { key, id } = await keys.create(user.id, { label: 'reports', scopes: ['orders:read'] });
 * ```
 */
export class ApiKeys implements ApiKeyStore {
  readonly #store: TokenStore;
  readonly #prefix: string;

  /** @throws ConfigError if an option is missing, unknown or not of its kind */
  constructor(options: ApiKeysOptions) {
    const { store, prefix } = checkOptions('ApiKeys', options, RULES);
    this.#store = store;
    this.#prefix = prefix;
  }

  /**
   * Makes a key that acts for a user. `key` is what machines send: show it once, in a response that no cache keeps.
   *
   * @throws ConfigError if the id is empty, or an option is not of its kind; what the store throws
   */
  async create(
    userId: string,
    options: NewApiKeyOptions = {},
  ): Promise<ApiKeyInfo & { readonly key: string }> {
    checkValue('ApiKeys.create', 'the id of the user', userId, filled);
    const {
      label = '',
      scopes = [],
      lifetimeSeconds,
    } = checkOptions('ApiKeys.create', options, NEW_KEY_RULES);
    const key = generateApiKey(this.#prefix);
    const createdAtMs = Date.now();
    const stored: StoredToken = {
      key: keyOf(key),
      kind: 'api-key',
      userId,
      family: randomUUID(),
      data: JSON.stringify({ label, scopes: [...new Set(scopes)] }),
      createdAtMs,
      usedAtMs: undefined,
      expiresAtMs: lifetimeSeconds === undefined ? undefined : createdAtMs + lifetimeSeconds * 1_000,
    };
    await this.#store.add(stored);
    return { ...infoOf(stored), key };
  }

  /** The keys of a user, the newest first, up to 1,000. */
  async list(userId: string): Promise<ApiKeyInfo[]> {
    checkValue('ApiKeys.list', 'the id of the user', userId, filled);
    return (await this.#store.list('api-key', userId)).map(infoOf);
  }

  /** Ends a key of a user; false if it is not one of theirs. */
  async revoke(userId: string, id: string): Promise<boolean> {
    checkValue('ApiKeys.revoke', 'the id of the user', userId, filled);
    checkValue('ApiKeys.revoke', 'the id of the key', id, text);
    return (await this.#store.remove({ kind: 'api-key', userId, family: id })) > 0;
  }

  /** Ends all keys of a user. */
  async revokeAll(userId: string): Promise<void> {
    checkValue('ApiKeys.revokeAll', 'the id of the user', userId, filled);
    await this.#store.remove({ kind: 'api-key', userId });
  }

  /** Whose a key is, with its scopes; undefined if it is not valid. */
  async validate(presentedKey: string): Promise<ApiKeyIdentity | undefined> {
    if (typeof presentedKey !== 'string' || !FORM.test(presentedKey)) return undefined;
    const found = await this.#store.find(keyOf(presentedKey));
    return found?.kind === 'api-key' ? { id: found.userId, scopes: infoOf(found).scopes } : undefined;
  }
}

function infoOf({ family, data, createdAtMs, expiresAtMs }: StoredToken): ApiKeyInfo {
  const { label, scopes } = JSON.parse(data) as Pick<ApiKeyInfo, 'label' | 'scopes'>;
  return { id: family, label, scopes, createdAtMs, expiresAtMs };
}
