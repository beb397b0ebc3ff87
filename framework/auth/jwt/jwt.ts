// JWT: verifies and signs tokens with HMAC SHA-256.

import type { KeyObject } from 'node:crypto';
import type { JwtClaims, PrincipalRecord } from '../../context/principal.js';
import { checkValue, refuseMore } from '../../options/check.js';
import { within } from '../../options/rules.js';
import type { AuthMiddleware } from '../auth-method.js';
import { type JwtSecret, secretKey, signHs256, verifyHs256 } from './hs256.js';
import { defaultTokenSettings, TokenMethod, type TokenSettings } from './token-method.js';

const LIFETIME = within('a number of seconds above 0', (seconds) => Number.isFinite(seconds) && seconds > 0);

type Keys = readonly [KeyObject, ...KeyObject[]];

/**
 * Authentication by JSON Web Tokens (RFC 7519), as a builder:
 *
 * ```ts
 * const jwt = Jwt.hs256(process.env.JWT_SECRET).issuer('shop').expiresIn(900);
 * app.use(jwt.build());
 * app.post('/sign-in', …, () => ({ token: jwt.sign({ sub: user.id, scope: 'orders:read' }) }));
 * ```
 *
 * A builder never changes: each call gives a new one. Only the algorithm HS256 is accepted, and the claim `exp` is required. `ctx.jwtClaims()` has the claims,
 * `ctx.principal()` the claim `sub` and the scopes of `scope`, `scopes` and `scp`.
 */
export class Jwt<Found extends PrincipalRecord | undefined = PrincipalRecord> extends TokenMethod {
  readonly #keys: Keys;
  readonly #lifetime: number | undefined;

  /** @internal */
  protected constructor(keys: Keys, lifetime?: number, settings: TokenSettings = defaultTokenSettings) {
    super(settings);
    this.#keys = keys;
    this.#lifetime = lifetime;
  }

  /** @internal */
  protected override with(settings: TokenSettings): this {
    return new Jwt<Found>(this.#keys, this.#lifetime, settings) as this;
  }

  /**
   * Tokens that are signed with a secret of at least 32 bytes. To change the secret, give the new one first and the
   * old one behind it, until the last token that it signed has expired.
   *
   * @throws ConfigError if a secret is missing or too short
   */
  static hs256(secret: JwtSecret | undefined | readonly JwtSecret[], ...more: readonly never[]): Jwt {
    refuseMore(
      'Jwt.hs256()',
      more,
      'requirements are methods, such as issuer(name); give several secrets as a list',
    );
    const [first, ...others] = Array.isArray(secret)
      ? (secret as readonly JwtSecret[])
      : [secret as JwtSecret];
    return new Jwt([secretKey('Jwt.hs256()', first), ...others.map((one) => secretKey('Jwt.hs256()', one))]);
  }

  /** The lifetime in seconds of the tokens that `sign` makes. @throws ConfigError if it is not a number above 0 */
  expiresIn(seconds: number): this {
    checkValue('Jwt', 'the lifetime', seconds, LIFETIME);
    return new Jwt<Found>(this.#keys, seconds, this.settings) as this;
  }

  /**
   * Lets requests without a valid token pass, without claims and principal. As an extractor of a route, it then gives
   * undefined.
   */
  optional(): Jwt<PrincipalRecord | undefined> {
    return this.optionally() as Jwt<PrincipalRecord | undefined>;
  }

  /**
   * A token with these claims, signed with the first secret. It adds `iat`, `exp` after `expiresIn`, and the first
   * of `issuer` and `audience`, unless the claims have them.
   *
   * @throws Error if the claims have no `exp`, and `expiresIn` is not set
   */
  sign(claims: JwtClaims): string {
    const iat = Math.floor(Date.now() / 1000);
    const { issuer, audience } = this.rules;
    const all = {
      iat,
      ...(this.#lifetime !== undefined && { exp: iat + this.#lifetime }),
      ...(issuer !== undefined && { iss: first(issuer) }),
      ...(audience !== undefined && { aud: first(audience) }),
      ...claims,
    };
    if (!Number.isFinite(all.exp)) {
      throw new Error(
        `the token would have no valid expiry: 'exp' is ${String(all.exp)}; call expiresIn(seconds) on the builder, or give 'exp' in seconds since 1970`,
      );
    }
    return signHs256(all, this.#keys[0]);
  }

  /** Makes the middleware. */
  build(): AuthMiddleware<Found> {
    const keys = this.#keys;
    return this.middleware((token) => verifyHs256(token, keys));
  }
}

function first(names: string | readonly string[]): string | undefined {
  return typeof names === 'string' ? names : names[0];
}
