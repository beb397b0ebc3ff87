// Who makes a request, and what they may do, as middleware has found out.
import { FwError } from '../http/errors.js';
import { shared } from '../http/shared-signal.js';
import { refuseMore } from '../options/check.js';
import { synchronous } from '../promises.js';
import { rejection } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import type { ApiKeyIdentity, Credential, JwtClaims, PrincipalRecord } from './principal.js';
import type { RegisteredScope } from './register.js';
import type { Scope } from './scope.js';
import type { Session } from './session.js';

export class Identity {
  principal: PrincipalRecord | undefined = undefined;
  claims: JwtClaims | undefined = undefined;
  apiKey: ApiKeyIdentity | undefined = undefined;
  session: Session | undefined = undefined;
  /** Why an optional method did not authenticate. */
  refusal: FwError | undefined = undefined;
  /** All that the request has shown, without the session. */
  readonly credentials: Credential[] = [];
  /** Throws if cookies count for nothing: browsers send them also for pages of other sites. */
  checkCookies: (() => void) | undefined = undefined;
  /** Whether something has refused everybody else, so that the response is not for everybody. */
  isNeeded = false;
  /** The scheme by which the principal was authenticated. */
  #scheme: Credential['scheme'] = undefined;
  /** Made if a handler takes the signal of a request that can lose its authorization. */
  #controller: AbortController | undefined = undefined;

  /** The principal, for what refuses everybody else. */
  get needed(): PrincipalRecord | undefined {
    this.isNeeded ||= this.principal !== undefined;
    return this.principal;
  }

  /** The first one decides who the principal is. */
  authenticate(principal: PrincipalRecord, credential: Credential | undefined): void {
    if (credential?.isCookie === true) this.checkCookies?.();
    if (credential !== undefined) this.credentials.push(credential);
    if (this.principal !== undefined) return;
    this.principal = principal;
    this.#scheme = credential?.scheme;
  }

  /** The same, for something that may authenticate for itself alone. */
  copy(): Identity {
    const one = new Identity();
    one.credentials.push(...this.credentials);
    one.#scheme = this.#scheme;
    const { principal, claims, apiKey, session, refusal, checkCookies } = this;
    return Object.assign(one, { principal, claims, apiKey, session, refusal, checkCookies });
  }

  /** What must hold for as long as something lives that the request has opened. */
  held(): readonly Credential[] {
    const { session, credentials } = this;
    if (session?.watch === undefined || session.id === undefined) return credentials;
    const watch = (ended: () => void) => session.watch?.(ended);
    return [...credentials, { watch, ending: 'the session has ended' }];
  }

  /** The signal, which also aborts when the credentials of the request end while it is streamed. */
  authorizedSignal(signal: AbortSignal): AbortSignal {
    if (this.held().length === 0) return signal;
    this.#controller ??= new AbortController();
    return shared(AbortSignal.any([signal, this.#controller.signal]));
  }

  /** The credentials have ended. */
  end(error: FwError): void {
    this.#controller?.abort(error);
  }

  /**
   * The refusal of a principal without the scopes that are needed; RFC 6750, section 3.1, for who came with a token.
   *
   * @param needed for the message, such as `the scope 'read'`
   */
  lacks(needed: string, scopes: readonly string[]): FwError {
    const message = `this needs ${needed}`;
    if (this.#scheme !== 'Bearer') return FwError.forbidden(message);
    const isWritable = scopes.length > 0 && scopes.every((scope) => SCOPE_TOKEN.test(scope));
    const named = isWritable ? `, scope="${scopes.join(' ')}"` : '';
    const challenge = `Bearer error="insufficient_scope"${named}`;
    return FwError.forbidden(message, { headers: { 'WWW-Authenticate': challenge } });
  }
}

/** What one has shown besides what the other has, which it is a copy of. */
export function shownBeside(one: Identity | undefined, other: Identity | undefined): readonly Credential[] {
  const known = other?.credentials ?? [];
  return (one?.credentials ?? []).filter((credential) => !known.includes(credential));
}

/** @throws FwError 401 if the claims do not fit; Error if the schema is asynchronous */
export function parsedClaims<Claims>(claims: JwtClaims, schema: StandardSchemaV1<unknown, Claims>): Claims {
  const result = synchronous(
    schema['~standard'].validate(claims),
    'ctx.jwt() takes a synchronous schema; this one is not',
  );
  if (result.issues === undefined) return result.value;
  const { message } = rejection(result.issues, claimsSource, 'BadRequest');
  throw FwError.unauthorized(message, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
}

/** RFC 6750, section 3.1. */
const INVALID_TOKEN = 'Bearer error="invalid_token"';

/** RFC 6749, section 3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const claimsSource = { field: 'claim ', whole: 'the claims of the token' };

/** 401 with a challenge of each method of authentication that runs here (RFC 9110, section 11.6.1). */
export function unauthenticated(
  scope: Scope,
  message = 'authentication is required',
  own: readonly string[] = [],
): FwError {
  const others = scope.steps.flatMap((step) => (step as { challenges?: readonly string[] }).challenges ?? []);
  const schemeOf = (challenge: string) => challenge.split(' ', 1)[0];
  const known = new Set(own.map(schemeOf));
  const challenges = [...new Set([...own, ...others.filter((one) => !known.has(schemeOf(one)))])];
  if (challenges.length === 0) return FwError.unauthorized(message);
  return FwError.unauthorized(message, { headers: { 'WWW-Authenticate': challenges.join(', ') } });
}

/** The argument of `ctx.requireScope`. @throws ConfigError if there are several, of which only one would be asked for */
export function onlyScope([scope, ...more]: [scope: RegisteredScope]): RegisteredScope {
  refuseMore('ctx.requireScope', more, 'write ctx.requireAllScopes(scopes), or ctx.requireAnyScope(scopes)');
  return scope;
}

/** Names of scopes, for a message. */
export function quoted(scopes: readonly string[]): string {
  return scopes.map((scope) => `'${scope}'`).join(', ');
}
