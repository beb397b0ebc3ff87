// The part of the context that knows who makes the request: identities, guards, and the session.

import { FwError } from '../http/errors.js';
import { shared } from '../http/shared-signal.js';
import { synchronous } from '../promises.js';
import { assertSchema } from '../schema/check.js';
import { rejection } from '../schema/rejection.js';
import type { StandardSchemaV1 } from '../schema/standard-schema.js';
import { AttachedContext } from './attached.js';
import type { Credential } from './credential.js';
import type { ApiKeyIdentity, JwtClaims, PrincipalRecord } from './principal.js';
import type { Scope } from './scope.js';
import type { Session } from './session.js';

/** What middleware found out about who makes the request. */
class Identity {
  principal: PrincipalRecord | undefined = undefined;
  claims: JwtClaims | undefined = undefined;
  apiKey: ApiKeyIdentity | undefined = undefined;
  session: Session | undefined = undefined;
  refusal: FwError | undefined = undefined;
  /** All that the request has shown, without the session. */
  readonly credentials: Credential[] = [];
  /** The scheme by which the principal was authenticated. */
  scheme: Credential['scheme'] = undefined;
  /** Made if a handler takes the signal of a request that can lose its authorization. */
  controller: AbortController | undefined = undefined;
}

/** Base of `Context`: who makes the request, and what they may do. */
export abstract class IdentifiedContext extends AttachedContext {
  #identity: Identity | undefined = undefined;

  /**
   * Who makes the request, as the first method of authentication that succeeded found out; undefined if none did.
   */
  principal(): PrincipalRecord | undefined {
    return this.#identity?.principal;
  }

  /** Who makes the request. @throws FwError 401 if nobody was authenticated. */
  requireAuth(): PrincipalRecord {
    const principal = this.#identity?.principal;
    if (principal === undefined) throw this.#unauthenticated();
    return principal;
  }

  /** Who makes the request. @throws FwError 401 if nobody was authenticated, 403 if they lack the scope. */
  requireScope(scope: string): PrincipalRecord {
    const principal = this.requireAuth();
    if (!principal.scopes.includes(scope))
      throw this.#insufficient(`this needs the scope '${scope}'`, [scope]);
    return principal;
  }

  /**
   * Who makes the request. @throws FwError 401 if nobody was authenticated, 403 if they have none of the scopes.
   */
  requireAnyScope(scopes: readonly string[]): PrincipalRecord {
    const principal = this.requireAuth();
    if (scopes.some((scope) => principal.scopes.includes(scope))) return principal;
    // The field has the scopes that are needed (RFC 6750, section 3), which no single list says here.
    throw this.#insufficient(`this needs one of the scopes ${quoted(scopes)}`, []);
  }

  /**
   * Who makes the request. @throws FwError 401 if nobody was authenticated, 403 if they lack one of the scopes.
   */
  requireAllScopes(scopes: readonly string[]): PrincipalRecord {
    const principal = this.requireAuth();
    if (scopes.every((scope) => principal.scopes.includes(scope))) return principal;
    throw this.#insufficient(`this needs the scopes ${quoted(scopes)}`, scopes);
  }

  /** The verified claims of the JWT of the request; undefined if there was no valid one. */
  jwtClaims(): JwtClaims | undefined {
    return this.#identity?.claims;
  }

  /**
   * The verified claims of the JWT, parsed by a schema.
   *
   * @throws FwError 401 if there was no valid token, or its claims do not fit; ConfigError if it is not a schema,
   * Error if it is asynchronous.
   */
  jwt<Claims>(schema: StandardSchemaV1<unknown, Claims>): Claims {
    assertSchema('ctx.jwt()', schema);
    const claims = this.#identity?.claims;
    if (claims === undefined) throw this.#unauthenticated();
    const result = synchronous(
      schema['~standard'].validate(claims),
      'ctx.jwt() takes a synchronous schema; this one is not',
    );
    if (result.issues === undefined) return result.value;
    const { message } = rejection(result.issues, claimsSource, 'BadRequest');
    throw FwError.unauthorized(message, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });
  }

  /** The API key of the request; undefined if there was no valid one. */
  apiKey(): ApiKeyIdentity | undefined {
    return this.#identity?.apiKey;
  }

  /** The session of the client. @throws Error if the middleware `session` of `fw/session` does not run here. */
  session(): Session {
    const session = this.#identity?.session;
    if (session !== undefined) return session;
    throw new Error('ctx.session() needs sessions: call app.use(session(store)), of fw/session, before');
  }

  /** Called by middleware that authenticated someone; the first one decides who the principal is. @internal */
  authenticate(principal: PrincipalRecord, credential?: Credential): void {
    const known = this.#known();
    if (credential !== undefined) known.credentials.push(credential);
    if (known.principal !== undefined) return;
    known.principal = principal;
    known.scheme = credential?.scheme;
  }

  /** Something more that must hold for as long as what the request opens. @internal */
  addCredential(credential: Credential): void {
    this.#known().credentials.push(credential);
  }

  /** Whether the request has shown anything that could end before what it opens does. @internal */
  get isIdentified(): boolean {
    return this.#identity !== undefined;
  }

  /** What must hold for as long as something lives that the request has opened. @internal */
  get credentials(): readonly Credential[] {
    if (this.#identity === undefined) return [];
    const { session, credentials } = this.#identity;
    if (session?.watch === undefined || session.id === undefined) return credentials;
    const watch = (ended: () => void) => session.watch?.(ended);
    return [...credentials, { watch, ending: 'the session has ended' }];
  }

  /** The signal, which also aborts when the credentials of the request end while it is streamed. @internal */
  protected authorizedSignal(signal: AbortSignal): AbortSignal {
    const known = this.#identity;
    if (known === undefined || this.credentials.length === 0) return signal;
    known.controller ??= new AbortController();
    return shared(AbortSignal.any([signal, known.controller.signal]));
  }

  /** Tells the producer of a stream that its credentials have ended. @internal */
  endAuthorization(error: FwError): void {
    this.#identity?.controller?.abort(error);
  }

  /** @internal */
  set ownClaims(claims: JwtClaims) {
    this.#known().claims ??= claims;
  }

  /** @internal */
  set ownApiKey(apiKey: ApiKeyIdentity) {
    this.#known().apiKey ??= apiKey;
  }

  /** Why an optional method did not authenticate: a guard says that, such as that the token has expired. @internal */
  set refusal(refusal: FwError) {
    this.#known().refusal ??= refusal;
  }

  /** Set by the middleware `session`; undefined if it does not run. @internal */
  get ownSession(): Session | undefined {
    return this.#identity?.session;
  }

  /** @internal */
  set ownSession(session: Session) {
    this.#known().session = session;
  }

  /** Someone signed in or out in this request. @internal */
  replacePrincipal(principal: PrincipalRecord | undefined): void {
    this.#known().principal = principal;
  }

  #unauthenticated(): FwError {
    return this.#identity?.refusal ?? unauthenticated(this.scope);
  }

  /** RFC 6750, section 3.1, for who came with a token. */
  #insufficient(message: string, scopes: readonly string[]): FwError {
    if (this.#identity?.scheme !== 'Bearer') return FwError.forbidden(message);
    const isWritable = scopes.length > 0 && scopes.every((scope) => SCOPE_TOKEN.test(scope));
    const needed = isWritable ? `, scope="${scopes.join(' ')}"` : '';
    const challenge = `Bearer error="insufficient_scope"${needed}`;
    return FwError.forbidden(message, { headers: { 'WWW-Authenticate': challenge } });
  }

  #known(): Identity {
    this.#identity ??= new Identity();
    return this.#identity;
  }
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

function quoted(scopes: readonly string[]): string {
  return scopes.map((scope) => `'${scope}'`).join(', ');
}
