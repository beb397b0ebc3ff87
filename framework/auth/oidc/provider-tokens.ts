// OIDC: verifies the tokens of a provider, which are signed with its private keys.

import { type CompactJWSHeaderParameters, compactVerify, errors } from 'jose';
import { ConfigError } from '../../config-error.js';
import type { JwtClaims, PrincipalRecord } from '../../context/principal.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { checkValue } from '../../options/check.js';
import { listOf, oneOf } from '../../options/rules.js';
import type { AuthMiddleware } from '../auth-method.js';
import { defaultTokenSettings, TokenMethod, type TokenSettings } from '../jwt/token-method.js';
import { isPlainHeader, jsonObject } from '../jwt/token-parts.js';
import type { FindKey } from './remote-keys.js';

/** Where the keys come from. */
interface KeySource {
  present(): Promise<FindKey>;
  newerThan(find: FindKey): Promise<FindKey | undefined>;
}

/** What a builder knows of its provider. */
interface Provider {
  readonly keys: KeySource;
  readonly scheme?: SecuritySchemes;
  readonly algorithms: readonly string[];
}

/** The algorithms that are accepted if none are set. */
export const DEFAULT_ALGORITHMS: readonly string[] = ['RS256', 'ES256'];

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
export class OidcTokens<Found extends PrincipalRecord | undefined = PrincipalRecord> extends TokenMethod {
  readonly #provider: Provider;

  /** @internal */
  constructor(provider: Provider, settings: TokenSettings = defaultTokenSettings) {
    super(settings);
    this.#provider = provider;
  }

  /** @internal */
  protected override with(settings: TokenSettings): this {
    return new OidcTokens<Found>(this.#provider, settings) as this;
  }

  /** The algorithms that are accepted; `RS256` and `ES256` by default. @throws ConfigError for one without public keys */
  algorithms(names: readonly string[]): this {
    checkValue('Jwt', 'the algorithms', names, listOf(oneOf(...ASYMMETRIC), 1));
    const provider = { ...this.#provider, algorithms: [...names] };
    return new OidcTokens<Found>(provider, this.settings) as this;
  }

  /**
   * Lets requests without a valid token pass, without claims and principal. As an extractor of a route, it then gives
   * undefined.
   */
  optional(): OidcTokens<PrincipalRecord | undefined> {
    return this.optionally() as OidcTokens<PrincipalRecord | undefined>;
  }

  /** Makes the middleware. @throws ConfigError if issuer or audience is not set */
  build(): AuthMiddleware<Found> {
    const { issuer, audience } = this.rules;
    for (const [name, value] of Object.entries({ issuer, audience })) {
      if (value !== undefined) continue;
      throw new ConfigError(
        'FW_JWT_NOT_BOUND',
        `tokens of a provider need an ${name}: call .${name}(…), or this server would accept tokens that were made for others`,
      );
    }
    const provider = this.#provider;
    return this.middleware((token) => verify(token, provider), provider.scheme);
  }
}

async function verify(token: string, { keys, algorithms }: Provider): Promise<JwtClaims | undefined> {
  const header = jsonObject(token.slice(0, token.indexOf('.')));
  if (header === undefined || !isPlainHeader(header) || !algorithms.includes(header.alg as string)) {
    return undefined;
  }
  const find = await keys.present();
  const verified = await verifyWith(token, find, algorithms);
  if (verified !== 'no key') return verified;
  const newer = await keys.newerThan(find);
  const again = newer === undefined ? undefined : await verifyWith(token, newer, algorithms);
  return again === 'no key' ? undefined : again;
}

/** The claims; undefined if the token is not valid; `no key` if the provider has no key for it. */
async function verifyWith(
  token: string,
  find: FindKey,
  algorithms: readonly string[],
): Promise<JwtClaims | undefined | 'no key'> {
  try {
    const key = (header: CompactJWSHeaderParameters, jws: unknown) => find(header, jws as never);
    const { payload } = await compactVerify(token, key, { algorithms: [...algorithms] });
    return jsonObject(Buffer.from(payload).toString('base64url'));
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'no key';
    if (error instanceof errors.JOSEError || isOfKey(error)) return undefined;
    throw error;
  }
}

/** A key of the provider that jose refuses, such as one that is too short, or Web Crypto, such as one that lacks a part. */
function isOfKey(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException;
}
