// Accounts: where the tokens of users are kept, and the store in the memory of this process.
import { refuseMore } from '../../options/check.js';
import { objectWith, type Rule, required } from '../../options/rules.js';

/** What a token is for. */
export type TokenKind = 'one-time' | 'refresh' | 'api-key';

/** What a store keeps of a token: never the token itself. */
export interface StoredToken {
  /** The SHA-256 of the token, in base64url: 43 characters. Whoever reads the store cannot use the tokens. */
  readonly key: string;
  readonly kind: TokenKind;
  readonly userId: string;
  /** Tokens of a user that end together: the purpose of one-time tokens, the sign-in of refresh tokens, one API key. */
  readonly family: string;
  /** Text that belongs to the token, as the class that made it wrote it. */
  readonly data: string;
  /** In milliseconds since 1970, as all times here. */
  readonly createdAtMs: number;
  /** Undefined until it is used. */
  readonly usedAtMs: number | undefined;
  /** Undefined if it does not expire. */
  readonly expiresAtMs: number | undefined;
}

/** Which tokens to remove: one, or those of a user that are of a kind, and of one family. */
export type TokenSelection =
  | { readonly key: string }
  | { readonly kind: TokenKind; readonly userId: string; readonly family?: string };

/**
 * Keeps the tokens of users: in memory, or in a table by `SqlTokenStore` of `fw/kysely` and `fw/drizzle`. Tokens that
 * have expired are as if they were not there.
 */
export interface TokenStore {
  add(token: StoredToken): void | Promise<void>;
  /** The token of a key, used or not. */
  find(key: string): StoredToken | undefined | Promise<StoredToken | undefined>;
  /** Marks a token as used, in one atomic step: false if it has been used before, or is not there. */
  use(key: string, usedAtMs: number): boolean | Promise<boolean>;
  /** The tokens of a user that were not used, up to 1,000, the newest first. */
  list(kind: TokenKind, userId: string): readonly StoredToken[] | Promise<readonly StoredToken[]>;
  /** Removes tokens, in one atomic step, and returns how many there were: of two calls at once, one removes a token. */
  remove(selection: TokenSelection): number | Promise<number>;
}

/** For the options of the classes that keep tokens. */
export const tokenStore: Rule = required(
  objectWith(
    ['add', 'find', 'use', 'list', 'remove'],
    'a store of tokens, such as new SqlTokenStore(db) of fw/kysely or fw/drizzle',
  ),
);

/** The most tokens of a user that are listed. */
const MOST_LISTED = 1_000;
/** How many tokens each new one looks at, so that those that have expired go without a timer. */
const LOOKED_AT = 4;

/** Keeps tokens in the memory of this process, so they end with it: for tests, and to try things out. */
export class MemoryTokenStore implements TokenStore {
  readonly #tokens = new Map<string, StoredToken>();
  #swept: Iterator<StoredToken> = this.#tokens.values();

  /** @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new MemoryTokenStore()', none, 'it has no options');
  }

  /** The number of stored tokens, some of which may have expired. */
  get size(): number {
    return this.#tokens.size;
  }

  add(token: StoredToken): void {
    this.#tokens.set(token.key, { ...token });
    this.#sweep();
  }

  find(key: string): StoredToken | undefined {
    const token = this.#tokens.get(key);
    return token !== undefined && isLiving(token) ? token : undefined;
  }

  use(key: string, usedAtMs: number): boolean {
    const token = this.find(key);
    if (token === undefined || token.usedAtMs !== undefined) return false;
    this.#tokens.set(key, { ...token, usedAtMs });
    return true;
  }

  list(kind: TokenKind, userId: string): StoredToken[] {
    return this.#select({ kind, userId })
      .filter(({ usedAtMs }) => usedAtMs === undefined)
      .sort((one, other) => other.createdAtMs - one.createdAtMs)
      .slice(0, MOST_LISTED);
  }

  remove(selection: TokenSelection): number {
    const selected = this.#select(selection);
    for (const { key } of selected) this.#tokens.delete(key);
    return selected.length;
  }

  #select(selection: TokenSelection): StoredToken[] {
    if ('key' in selection) {
      const token = this.find(selection.key);
      return token === undefined ? [] : [token];
    }
    const { kind, userId, family } = selection;
    return [...this.#tokens.values()].filter(
      (token) =>
        token.kind === kind &&
        token.userId === userId &&
        (family === undefined || token.family === family) &&
        isLiving(token),
    );
  }

  #sweep(): void {
    for (let looked = 0; looked < LOOKED_AT; looked += 1) {
      const { value, done } = this.#swept.next();
      if (done === true) {
        this.#swept = this.#tokens.values();
        return;
      }
      if (!isLiving(value)) this.#tokens.delete(value.key);
    }
  }
}

function isLiving({ expiresAtMs }: StoredToken): boolean {
  return expiresAtMs === undefined || expiresAtMs > Date.now();
}
