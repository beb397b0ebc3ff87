// API keys: the built-in store, which keeps digests of the keys in memory.

import { createHash, randomBytes } from 'node:crypto';
import { ConfigError } from '../../config-error.js';
import type { ApiKeyIdentity } from '../../context/principal.js';
import { checkValue, refuseMore } from '../../options/check.js';
import { filled, listOf, matching, secret } from '../../options/rules.js';
import { noteSecret } from '../../tracing/secrets.js';

/**
 * Keeps API keys. Stores of your own look a key up by `hashApiKey(key)`, and never store or query the key itself.
 */
export interface ApiKeyStore {
  /** Who the presented key belongs to; undefined if it is not valid. */
  validate(presentedKey: string): ApiKeyIdentity | undefined | Promise<ApiKeyIdentity | undefined>;
}

/** Words of 32 bits in a SHA-256 digest. */
const WORDS = 8;

/** The SHA-256 digest of a key in hexadecimal, for stores: keys have enough entropy to need no salt. */
export function hashApiKey(key: string): string {
  return digest(checkValue('hashApiKey', 'the key', key, KEY)).toString('hex');
}

/**
 * Makes a new key of 256 random bits, with a prefix by which people and scanners of leaked secrets recognize it:
 * `shop_3q2-7…`. Show it once, and store `hashApiKey(key)`.
 *
 * @throws ConfigError if the prefix is not made of letters, digits, `-` and `_`
 */
export function generateApiKey(prefix: string): string {
  checkValue('generateApiKey', 'the prefix', prefix, PREFIX);
  const key = `${prefix}_${randomBytes(32).toString('base64url')}`;
  noteSecret(key);
  return key;
}

const PREFIX = matching(/^[\w-]{1,32}$/, "1 to 32 letters, digits, '-' and '_'");
const KEY = secret(matching(/./s, "a text that is not empty, such as generateApiKey('shop') makes"));
const SCOPES = listOf(filled);

/**
 * A fixed set of API keys in memory. It keeps the SHA-256 digests of keys, and compares a presented key with every
 * one of them in constant time.
 */
export class StaticKeys implements ApiKeyStore {
  /** The digests, one behind the other. */
  #digests = new Uint32Array(WORDS * 8);
  readonly #identities: ApiKeyIdentity[] = [];

  /** A store without keys. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new StaticKeys()', none, 'add each key by insert(key, id)');
  }

  /**
   * Adds a key, without scopes by default; `id` is its label, for logs and for `ctx.apiKey()`.
   *
   * @throws ConfigError if the key is empty, or was added before
   */
  insert(key: string, id: string, scopes: readonly string[] = []): this {
    return this.withScopes(key, id, scopes);
  }

  /** Adds a key with scopes. @throws ConfigError if the key is empty, or was added before */
  withScopes(key: string, id: string, scopes: readonly string[]): this {
    checkValue('StaticKeys', 'the id of an API key', id, filled);
    checkValue('StaticKeys', `the API key of '${id}'`, key, KEY);
    checkValue('StaticKeys', `scopes of '${id}'`, scopes, SCOPES);
    const present = this.validate(key);
    if (present !== undefined) {
      throw new ConfigError(
        'FW_API_KEY_TWICE',
        `'${id}' has the same API key as '${present.id}'; give each its own`,
      );
    }
    const at = this.#identities.length * WORDS;
    if (at === this.#digests.length) {
      const larger = new Uint32Array(at * 2);
      larger.set(this.#digests);
      this.#digests = larger;
    }
    this.#digests.set(words(digest(key)), at);
    this.#identities.push(Object.freeze({ id, scopes: Object.freeze([...scopes]) }));
    return this;
  }

  validate(presentedKey: string): ApiKeyIdentity | undefined {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words(digest(presentedKey));
    const all = this.#digests;
    const end = this.#identities.length * WORDS;
    let found = 0;
    // Every entry is compared as a whole and without a branch, so that the time tells nothing about the keys.
    for (let at = 0, number = 1; at < end; at += WORDS, number += 1) {
      const difference =
        (word(all, at) ^ a) |
        (word(all, at + 1) ^ b) |
        (word(all, at + 2) ^ c) |
        (word(all, at + 3) ^ d) |
        (word(all, at + 4) ^ e) |
        (word(all, at + 5) ^ f) |
        (word(all, at + 6) ^ g) |
        (word(all, at + 7) ^ h);
      // All bits set if there is no difference, else none.
      const isEqual = ((difference | -difference) >>> 31) - 1;
      found |= number & isEqual;
    }
    return found === 0 ? undefined : this.#identities[found - 1];
  }
}

function word(all: Uint32Array, index: number): number {
  return all[index] as number;
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function words(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
