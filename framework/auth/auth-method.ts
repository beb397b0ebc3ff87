// Authentication: one way to authenticate, as middleware around handlers and as an extractor of one route.
import type { Context } from '../context/context.js';
import type { Middleware, MiddlewareResult, Next } from '../context/handlers.js';
import { unauthenticated } from '../context/identity.js';
import type { PrincipalRecord } from '../context/principal.js';
import type { ExtractorDescription, SecurityScheme, SecuritySchemes } from '../extract/description.js';
import type { Extractor } from '../extract/extractor.js';
import type { FwError } from '../http/errors.js';
import { isPromise } from '../promises.js';
import { markSecrets, type SecretPlace } from '../tracing/secrets.js';

/** What one attempt found: nothing to check, credentials that are wrong, or `true` with the context filled. */
export type Attempt = true | undefined | FwError;

/** One way to authenticate a request. */
export interface AuthMethod {
  /** Names the middleware in stacks. */
  readonly name: string;
  /** Alternatives, of which the client satisfies one. */
  readonly security: readonly SecuritySchemes[];
  /** For `WWW-Authenticate` (RFC 9110, section 11.6.1). */
  readonly challenges: readonly string[];
  /** Whether requests pass that present nothing, or something wrong. */
  readonly isOptional: boolean;
  /** Whether a principal that another method before it has found is enough. */
  readonly acceptsEarlier?: boolean;
  /** Looks for credentials, and fills the context. @throws what the store or the provider throws */
  readonly attempt: (ctx: Context) => Attempt | Promise<Attempt>;
}

/**
 * Middleware that authenticates. Given as an extractor of a route, before its handler, it guards that route alone
 * and gives the principal; an optional one lets everybody pass, and gives undefined where nobody is authenticated.
 */
export interface AuthMiddleware<Found extends PrincipalRecord | undefined = PrincipalRecord>
  extends Middleware,
    Extractor<Found> {
  readonly describes: ExtractorDescription;
  readonly challenges: readonly string[];
  /** @internal */
  readonly method: AuthMethod;
}

/** Any such middleware, also one that is optional. */
export type AnyAuthMiddleware = AuthMiddleware<PrincipalRecord | undefined>;

/** `Found` is `PrincipalRecord | undefined` if the method is optional, which is for the caller to say. */
export function authMiddleware<Found extends PrincipalRecord | undefined = PrincipalRecord>(
  method: AuthMethod,
): AuthMiddleware<Found> {
  const { attempt, isOptional, acceptsEarlier, security, challenges } = method;
  markSecrets(...security.flatMap((schemes) => Object.values(schemes)).flatMap(secretOf));
  const accept = (ctx: Context, found: Attempt): void => {
    if (found === true) return;
    if (!isOptional) throw found ?? unauthenticated(ctx.scope, undefined, challenges);
    if (found !== undefined) ctx.refusal = found;
  };
  const middleware = (ctx: Context, next: Next): MiddlewareResult | Promise<MiddlewareResult> => {
    const found = attempt(ctx);
    // Stryker disable next-line ConditionalExpression: a promise for what is there already only costs time
    if (isPromise(found)) return continued(ctx, found, next);
    accept(ctx, found);
    return next();
  };
  const continued = async (
    ctx: Context,
    pending: Promise<Attempt>,
    next: Next,
  ): Promise<MiddlewareResult> => {
    accept(ctx, await pending);
    return next();
  };
  const extract = async (ctx: Context): Promise<Found> => {
    accept(ctx, await attempt(ctx));
    return ctx.principal() as Found;
  };
  const describes: ExtractorDescription = {
    security,
    authenticates: isOptional ? 'optional' : 'required',
    ...(acceptsEarlier === true && { acceptsEarlier }),
    ...(!isOptional && { errors: { 401: REFUSED } }),
  };
  Object.defineProperty(middleware, 'name', { value: method.name });
  return Object.assign(middleware, { extract, describes, challenges, method });
}

function secretOf(scheme: SecurityScheme): SecretPlace[] {
  if (scheme.type !== 'apiKey') return [{ in: 'header', name: 'authorization' }];
  return scheme.in === 'cookie' ? [] : [{ in: scheme.in, name: scheme.name }];
}

/** When the answer is 401, for documents. */
export const REFUSED = 'The request is not authenticated.';
