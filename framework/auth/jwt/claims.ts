// JWT: the rules for claims (RFC 7519, section 4.1), the same for all algorithms.
import type { JwtClaims, PrincipalRecord } from '../../context/principal.js';
import type { Extractor } from '../../extract/extractor.js';
import { assertSchema } from '../../schema/check.js';
import type { StandardSchemaV1 } from '../../schema/standard-schema.js';
import { REFUSED } from '../auth-method.js';

/** What tokens must say, beside being signed. */
export interface ClaimRules {
  readonly issuer: string | readonly string[] | undefined;
  readonly audience: string | readonly string[] | undefined;
  /** How far clocks may differ, in seconds. */
  readonly leeway: number;
}

/** Why claims are refused; undefined if they are accepted. */
export function claimFault(claims: JwtClaims, rules: ClaimRules, nowSeconds: number): string | undefined {
  const { exp, nbf, iat, iss, aud, sub } = claims;
  if (!isDate(exp)) return exp === undefined ? 'the token has no expiry' : 'the expiry is not a number';
  if (exp + rules.leeway <= nowSeconds) return 'the token has expired';
  if (nbf !== undefined) {
    if (!isDate(nbf)) return `the claim 'nbf' is not a number`;
    if (nbf - rules.leeway > nowSeconds) return 'the token is not valid yet';
  }
  if (iat !== undefined && !isDate(iat)) return `the claim 'iat' is not a number`;
  if (iss !== undefined && typeof iss !== 'string') return `the claim 'iss' is not a string`;
  if (rules.issuer !== undefined && !listOf(rules.issuer).includes(iss as string)) {
    return 'the token is of another issuer';
  }
  if (sub !== undefined && typeof sub !== 'string') return `the claim 'sub' is not a string`;
  return audienceFault(aud, rules.audience);
}

/** A token for someone else must be refused, also if no audience is set (RFC 7519, section 4.1.3). */
function audienceFault(aud: unknown, audience: ClaimRules['audience']): string | undefined {
  if (aud === undefined) return audience === undefined ? undefined : 'the token has no audience';
  const named = typeof aud === 'string' ? [aud] : aud;
  if (!Array.isArray(named) || !named.every((one) => typeof one === 'string')) {
    return `the claim 'aud' is not a string or a list of strings`;
  }
  const isOurs = audience !== undefined && listOf(audience).some((one) => named.includes(one));
  return isOurs ? undefined : 'the token is for another audience';
}

/** A NumericDate (RFC 7519, section 2); `1e999` is infinite. */
function isDate(value: unknown): value is number {
  return Number.isFinite(value);
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** Who the token of accepted claims speaks of: `sub`, with the scopes of `scope` (RFC 8693, section 4.2), `scopes` and `scp`. */
export function principalOf(claims: JwtClaims): PrincipalRecord {
  const { sub, scope, scopes, scp } = claims;
  const id = sub as string | undefined;
  // Nearly all tokens have one of them, or none.
  // Stryker disable next-line ConditionalExpression,BlockStatement: it only saves time
  if (scopes === undefined && scp === undefined) {
    return { id, scopes: typeof scope === 'string' ? names(scope) : none };
  }
  const all = [typeof scope === 'string' ? scope : '', scopes, scp].flatMap(names);
  return { id, scopes: [...new Set(all)] };
}

const none: readonly string[] = [];

/** A list of strings, or a string with spaces between the names; anything else has none. */
function names(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((name) => name !== '');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string' && name !== '') : [];
}

/**
 * Makes an extractor of the claims of the token, for routes behind `Jwt`: 401 without a valid token, or if the claims
 * do not fit the schema.
 *
 * ```ts
 * app.get('/me', Claims(z.object({ sub: z.string(), tenant: z.string() })), ({ tenant }) => tenant);
 * ```
 *
 * @throws ConfigError if it is not a schema
 */
export function Claims<T>(schema: StandardSchemaV1<unknown, T>): Extractor<T> {
  assertSchema('Claims()', schema);
  return {
    name: 'Claims',
    extract: (ctx) => ctx.jwt(schema),
    describes: { requires: {}, errors: { 401: REFUSED } },
  };
}
