// OIDC: verifies the tokens of a provider, which are signed with its private keys.
import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose';
import { ConfigError } from '../../config-error.js';
import type { JwtClaims } from '../../context/principal.js';
import type { SecuritySchemes } from '../../extract/description.js';
import type { AuthMiddleware } from '../auth-method.js';
import { TokenMethod } from '../jwt/token-method.js';
import { isPlainHeader, jsonObject } from '../jwt/token-parts.js';
import type { FindKey } from './remote-keys.js';

/** Where the keys come from. */
export interface KeySource {
  present(): Promise<FindKey>;
  newerThan(find: FindKey): Promise<FindKey | undefined>;
}

/** Algorithms with a public and a private key (RFC 7518, section 3.1; RFC 8037). */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Authentication by the tokens of a provider, as a builder. Issuer and audience are required. Made by `Jwt.oidc`,
 * `Jwt.jwks` and `Jwt.jwksFromSet`.
 */
export class ProviderTokens extends TokenMethod {
  readonly #keys: KeySource;
  readonly #scheme: SecuritySchemes | undefined;
  #algorithms: readonly string[] = ['RS256', 'ES256'];

  /** @internal */
  constructor(keys: KeySource, scheme?: SecuritySchemes) {
    super();
    this.#keys = keys;
    this.#scheme = scheme;
  }

  /** The algorithms that are accepted; `RS256` and `ES256` by default. @throws ConfigError for one without public keys */
  algorithms(names: readonly string[]): this {
    const wrong = names.find((name) => !ASYMMETRIC.includes(name));
    if (wrong !== undefined || names.length === 0) {
      throw new ConfigError(
        'FW_OPTION',
        `algorithms() takes some of ${ASYMMETRIC.join(', ')}; got ${wrong ?? 'none'}`,
      );
    }
    this.#algorithms = [...names];
    return this;
  }

  /** Makes the middleware. @throws ConfigError if issuer or audience is not set */
  build(): AuthMiddleware {
    const { issuer, audience } = this.rules;
    for (const [name, value] of Object.entries({ issuer, audience })) {
      if (value !== undefined && value.length > 0) continue;
      throw new ConfigError(
        'FW_OPTION',
        `tokens of a provider need an ${name}: call .${name}(…), or this server would accept tokens that were made for others`,
      );
    }
    return this.middleware((token) => this.#verify(token), this.#scheme);
  }

  async #verify(token: string): Promise<JwtClaims | undefined> {
    const header = jsonObject(token.slice(0, token.indexOf('.')));
    if (header === undefined || !isPlainHeader(header) || !this.#algorithms.includes(header.alg as string)) {
      return undefined;
    }
    const find = await this.#keys.present();
    const verified = await this.#verifyWith(token, find);
    if (verified !== 'no key') return verified;
    const newer = await this.#keys.newerThan(find);
    const again = newer === undefined ? undefined : await this.#verifyWith(token, newer);
    return again === 'no key' ? undefined : again;
  }

  /** The claims; undefined if the token is not valid; `no key` if the provider has no key for it. */
  async #verifyWith(token: string, find: FindKey): Promise<JwtClaims | undefined | 'no key'> {
    try {
      const key = (header: CompactJWSHeaderParameters, jws: unknown) => find(header, jws as never);
      const { payload } = await compactVerify(token, key, { algorithms: [...this.#algorithms] });
      return jsonObject(Buffer.from(payload).toString('base64url'));
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey) return 'no key';
      // A key of the provider that jose refuses, such as one that is too short, is a TypeError.
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}
