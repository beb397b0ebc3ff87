// OIDC: the entry points: keys of a provider by discovery, by their address, or given.

import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { ConfigError } from '../../config-error.js';
import type { PrincipalRecord } from '../../context/principal.js';
import { checkOptions } from '../../options/check.js';
import { milliseconds, type Rules, within } from '../../options/rules.js';
import { Jwt as OwnJwt } from '../jwt/jwt.js';
import { keysAt, keysOfIssuer, providerUrl } from './provider-documents.js';
import { DEFAULT_ALGORITHMS, OidcTokens } from './provider-tokens.js';
import { type JwksOptions, RemoteKeys } from './remote-keys.js';

/** What `Jwt` of `fw/oidc` makes builders from. */
interface JwtEntry {
  /** `Jwt.hs256` of `fw/jwt`. */
  hs256(secret: Parameters<typeof OwnJwt.hs256>[0]): OwnJwt;

  /**
   * Tokens of an issuer whose keys its metadata name (OpenID Connect Discovery 1.0). The issuer is what tokens must
   * have as `iss`, spelled exactly like this.
   *
   * @throws ConfigError if it is not an https address
   */
  oidc(issuer: string, options?: JwksOptions): OidcTokens;

  /** Tokens that are signed with the keys at an address (RFC 7517, section 5). @throws ConfigError like `oidc` */
  jwks(url: string | URL, options?: JwksOptions): OidcTokens;

  /** Tokens that are signed with keys that are given (RFC 7517, section 5). @throws ConfigError if it is not a key set */
  jwksFromSet(set: JSONWebKeySet): OidcTokens;
}

/**
 * `Jwt` of `fw/jwt`, and tokens of an identity provider:
 *
 * ```ts no-run
 * app.use(Jwt.oidc('https://login.example.com').audience('https://api.example.com').build());
 * ```
 *
 * Keys are fetched when the first token arrives, cached, fetched again when a token names a key that is not known, at
 * most once in 30 seconds, and kept while the provider is away.
 */
export const Jwt: JwtEntry = {
  hs256: (secret) => OwnJwt.hs256(secret),

  oidc(issuer, options = {}) {
    providerUrl('Jwt.oidc()', issuer);
    const metadata = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const keys = new RemoteKeys(keysOfIssuer(issuer, metadata), checked(options));
    const scheme = { oidc: { type: 'openIdConnect', openIdConnectUrl: String(metadata) } } as const;
    return new OidcTokens({ keys, scheme, algorithms: DEFAULT_ALGORITHMS }).issuer(issuer);
  },

  jwks(url, options = {}) {
    const keys = new RemoteKeys(keysAt(providerUrl('Jwt.jwks()', url)), checked(options));
    return new OidcTokens({ keys, algorithms: DEFAULT_ALGORITHMS });
  },

  jwksFromSet(set) {
    if (!Array.isArray(set?.keys)) {
      throw new ConfigError(
        'FW_JWKS',
        'Jwt.jwksFromSet() takes a JSON Web Key Set: an object with an array keys',
      );
    }
    const find = createLocalJWKSet(set);
    const keys = { present: async () => find, newerThan: async () => undefined };
    return new OidcTokens({ keys, algorithms: DEFAULT_ALGORITHMS });
  },
};

/** A builder of `Jwt.hs256`. */
export type Jwt<Found extends PrincipalRecord | undefined = PrincipalRecord> = OwnJwt<Found>;

const time = within('milliseconds, 0 or more', (ms) => Number.isFinite(ms) && ms >= 0);

const RULES: Rules<JwksOptions> = {
  cacheMaxAgeMs: time,
  cooldownMs: time,
  timeoutMs: milliseconds(0),
  maxStaleMs: time,
};

function checked(options: JwksOptions): JwksOptions {
  return checkOptions('Jwt', options, RULES);
}
