// JWT: authentication by tokens, whatever verifies them.
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { unauthenticated } from '../../context/identified.js';
import type { JwtClaims } from '../../context/principal.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { Cookie } from '../../http/cookie.js';
import type { FwError } from '../../http/errors.js';
import { isPromise } from '../../promises.js';
import { type Attempt, type AuthMiddleware, authMiddleware } from '../auth-method.js';
import { type ClaimRules, claimFault, principalOf } from './claims.js';
import { bearerToken, cookieToken, type PresentedToken, type ReadToken } from './read-token.js';

/** The claims of a token with a good signature, else undefined. It throws if it cannot decide. */
export type VerifySignature = (token: string) => JwtClaims | undefined | Promise<JwtClaims | undefined>;

/** The settings that all builders of tokens share. */
export abstract class TokenMethod {
  #issuer: string | readonly string[] | undefined;
  #audience: string | readonly string[] | undefined;
  #leeway = 0;
  #isOptional = false;
  readonly #sources: ReadToken[] = [];
  readonly #security: SecuritySchemes[] = [];

  /** The issuer (`iss`) that tokens must have, or several; any by default. */
  issuer(issuer: string | readonly string[]): this {
    this.#issuer = issuer;
    return this;
  }

  /**
   * The audience (`aud`) that tokens must name: one of several, if several are given. Without one, tokens that name
   * any audience are refused (RFC 7519, section 4.1.3).
   */
  audience(audience: string | readonly string[]): this {
    this.#audience = audience;
    return this;
  }

  /** By how many seconds the clocks of issuer and server may differ; 0 by default. @throws ConfigError */
  leeway(seconds: number): this {
    if (!Number.isFinite(seconds) || seconds < 0 || seconds > 3600) {
      throw new ConfigError('FW_OPTION', `invalid leeway of ${seconds} s; use 0 to 3600`);
    }
    this.#leeway = seconds;
    return this;
  }

  /** Takes tokens from `Authorization: Bearer`, which is the default. With `fromCookie`, both; the field goes first. */
  fromBearer(): this {
    this.#sources.unshift(bearerToken);
    this.#security.unshift(BEARER);
    return this;
  }

  /** Takes tokens from a cookie. Protect such an App against cross-site requests with `fw/csrf`. @throws Error */
  fromCookie(name: string): this {
    new Cookie(name, '');
    this.#sources.push(cookieToken(name));
    this.#security.push({ tokenCookie: { type: 'apiKey', in: 'cookie', name } });
    return this;
  }

  /** Lets requests without a valid token pass, without claims and principal. */
  optional(): this {
    this.#isOptional = true;
    return this;
  }

  /** @internal */
  protected get rules(): ClaimRules {
    return { issuer: this.#issuer, audience: this.#audience, leeway: this.#leeway };
  }

  /** @internal */
  protected middleware(verify: VerifySignature, bearerScheme: SecuritySchemes = BEARER): AuthMiddleware {
    const { rules } = this;
    const isDefault = this.#sources.length === 0;
    const sources = isDefault ? [bearerToken] : [...this.#sources];
    const accept = (ctx: Context, claims: JwtClaims | undefined): Attempt => {
      if (claims === undefined) return invalid(ctx, 'the token is not valid');
      const fault = claimFault(claims, rules, Date.now() / 1000);
      if (fault !== undefined) return invalid(ctx, fault);
      ctx.ownClaims = claims;
      ctx.authenticate(principalOf(claims));
      return true;
    };
    return authMiddleware({
      name: 'jwt',
      security: isDefault
        ? [bearerScheme]
        : this.#security.map((one) => (one === BEARER ? bearerScheme : one)),
      challenges: ['Bearer'],
      isOptional: this.#isOptional,
      attempt(ctx) {
        const found = presented(ctx, sources);
        if (found === undefined) return undefined;
        if (found === 'malformed') return invalid(ctx, 'the token is malformed');
        const claims = verify(found.token);
        return isPromise(claims)
          ? (claims as Promise<JwtClaims | undefined>).then((late) => accept(ctx, late))
          : accept(ctx, claims as JwtClaims | undefined);
      },
    });
  }
}

const BEARER: SecuritySchemes = { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } };

function presented(ctx: Context, sources: readonly ReadToken[]): PresentedToken {
  for (const read of sources) {
    const found = read(ctx);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** RFC 6750, section 3.1. */
function invalid(ctx: Context, message: string): FwError {
  return unauthenticated(ctx.scope, message, ['Bearer error="invalid_token"']);
}
