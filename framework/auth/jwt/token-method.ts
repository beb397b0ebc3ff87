// JWT: authentication by tokens, whatever verifies them.

import type { Context } from '../../context/context.js';
import { unauthenticated } from '../../context/identity.js';
import type { JwtClaims } from '../../context/principal.js';
import type { SecuritySchemes } from '../../extract/description.js';
import { onlyCookie } from '../../http/cookie.js';
import type { FwError } from '../../http/errors.js';
import { checkValue } from '../../options/check.js';
import { either, filled, listOf, token, within } from '../../options/rules.js';
import { isPromise } from '../../promises.js';
import { type Attempt, type AuthMiddleware, authMiddleware } from '../auth-method.js';
import { type ClaimRules, claimFault, principalOf } from './claims.js';

/** The claims of a token with a good signature, else undefined. It throws if it cannot decide. */
export type VerifySignature = (token: string) => JwtClaims | undefined | Promise<JwtClaims | undefined>;

const LEEWAY = within('a number of seconds from 0 to 3600', (seconds) => seconds >= 0 && seconds <= 3600);
const NAMES = either(filled, listOf(filled, 1));

/** What builders of tokens set. */
export interface TokenSettings extends ClaimRules {
  readonly isOptional: boolean;
  /** Where tokens are looked for, in this order; in `Authorization: Bearer` if it is empty. */
  readonly sources: readonly TokenSource[];
}

interface TokenSource {
  readonly read: ReadToken;
  readonly security: SecuritySchemes;
}

export const defaultTokenSettings: TokenSettings = {
  issuer: undefined,
  audience: undefined,
  leeway: 0,
  isOptional: false,
  sources: [],
};

/**
 * The settings that all builders of tokens share. A builder never changes: each call gives a new one, so that several
 * Apps can build on one without changing what the others require.
 */
export abstract class TokenMethod {
  readonly #settings: TokenSettings;

  /** @internal */
  protected constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  /** A builder of the same kind with these settings. @internal */
  protected abstract with(settings: TokenSettings): this;

  /** The issuer (`iss`) that tokens must have, or several; any by default. */
  issuer(issuer: string | readonly string[]): this {
    return this.#set({ issuer: copied(checkValue('Jwt', 'the issuer', issuer, NAMES)) });
  }

  /**
   * The audience (`aud`) that tokens must name: one of several, if several are given. Without one, tokens that name
   * any audience are refused (RFC 7519, section 4.1.3).
   */
  audience(audience: string | readonly string[]): this {
    return this.#set({ audience: copied(checkValue('Jwt', 'the audience', audience, NAMES)) });
  }

  /** By how many seconds the clocks of issuer and server may differ; 0 by default. @throws ConfigError */
  leeway(seconds: number): this {
    checkValue('Jwt', 'the leeway', seconds, LEEWAY);
    return this.#set({ leeway: seconds });
  }

  /** Takes tokens from `Authorization: Bearer`, which is the default. With `fromCookie`, both; the field goes first. */
  fromBearer(): this {
    return this.#set({ sources: [{ read: bearerToken, security: BEARER }, ...this.#settings.sources] });
  }

  /** Takes tokens from a cookie. Protect such an App against cross-site requests with `fw/csrf`. @throws ConfigError */
  fromCookie(name: string): this {
    checkValue('Jwt', 'the name of the cookie', name, token);
    const security = { tokenCookie: { type: 'apiKey', in: 'cookie', name } } as const;
    return this.#set({ sources: [...this.#settings.sources, { read: cookieToken(name), security }] });
  }

  /** @internal */
  protected optionally(): this {
    return this.#set({ isOptional: true });
  }

  /** @internal */
  protected get settings(): TokenSettings {
    return this.#settings;
  }

  /** @internal */
  protected get rules(): ClaimRules {
    return this.#settings;
  }

  /** @internal */
  protected middleware(
    verify: VerifySignature,
    bearerScheme: SecuritySchemes = BEARER,
  ): AuthMiddleware<never> {
    const { isOptional, leeway } = this.#settings;
    const rules: ClaimRules = this.#settings;
    const given = this.#settings.sources;
    const sources = given.length === 0 ? [{ read: bearerToken, security: BEARER }] : given;
    const accept = (ctx: Context, claims: JwtClaims | undefined, { read }: TokenSource): Attempt => {
      if (claims === undefined) return invalid(ctx, 'the token is not valid');
      const fault = claimFault(claims, rules, Date.now() / 1000);
      if (fault !== undefined) return invalid(ctx, fault);
      ctx.ownClaims = claims;
      ctx.authenticate(principalOf(claims), {
        expiresAtMs: ((claims.exp as number) + leeway) * 1000,
        ending: 'the token has expired',
        scheme: read === bearerToken ? 'Bearer' : undefined,
        isCookie: read !== bearerToken,
      });
      return true;
    };
    return authMiddleware<never>({
      name: 'jwt',
      security: sources.map(({ security }) => (security === BEARER ? bearerScheme : security)),
      challenges: ['Bearer'],
      isOptional,
      attempt(ctx) {
        const found = presented(ctx, sources);
        if (found === undefined) return undefined;
        const { token, source } = found;
        if (token === 'malformed') return invalid(ctx, 'the token is malformed');
        const claims = verify(token.token);
        return isPromise(claims)
          ? (claims as Promise<JwtClaims | undefined>).then((late) => accept(ctx, late, source))
          : accept(ctx, claims as JwtClaims | undefined, source);
      },
    });
  }

  #set(change: Partial<TokenSettings>): this {
    return this.with({ ...this.#settings, ...change });
  }
}

/** A list that the caller changes later must not change what is required. */
function copied(names: string | readonly string[]): string | readonly string[] {
  return typeof names === 'string' ? names : [...names];
}

const BEARER: SecuritySchemes = { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } };

interface Presented {
  readonly token: NonNullable<PresentedToken>;
  readonly source: TokenSource;
}

function presented(ctx: Context, sources: readonly TokenSource[]): Presented | undefined {
  for (const source of sources) {
    const token = source.read(ctx);
    if (token !== undefined) return { token, source };
  }
  return undefined;
}

/** RFC 6750, section 3.1. */
function invalid(ctx: Context, message: string): FwError {
  return unauthenticated(ctx.scope, message, ['Bearer error="invalid_token"']);
}

/** In characters. The whole head of a request is limited to 16 KB by Node. */
const LONGEST_TOKEN = 8192;

/** A token; `malformed` if there are credentials of this kind, but no token that could be valid. */
type PresentedToken = { readonly token: string } | 'malformed' | undefined;

type ReadToken = (ctx: Context) => PresentedToken;

/** `Authorization: Bearer <token>` (RFC 6750, section 2.1); other schemes are for other methods. */
function bearerToken(ctx: Context): PresentedToken {
  const field = ctx.req.header('authorization');
  if (field === undefined) return undefined;
  const [scheme = ''] = field.split(' ', 1);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  // Proxies and servers differ in which of two fields they take (RFC 9110, section 5.3).
  if (ctx.req.isRepeated('authorization')) return 'malformed';
  const token = /^ +([A-Za-z0-9\-._~+/]+=*)$/.exec(field.slice(scheme.length))?.[1];
  return token === undefined ? 'malformed' : bounded(token);
}

/**
 * The value of a cookie; an empty one is none. Of two different values neither is taken: another site of the same domain
 * may have planted one of them.
 */
function cookieToken(name: string): ReadToken {
  return (ctx) => {
    const value = onlyCookie(ctx.req.header('cookie'), name);
    return value === undefined || value === '' ? undefined : bounded(value);
  };
}

function bounded(token: string): PresentedToken {
  return token.length > LONGEST_TOKEN ? 'malformed' : { token };
}
