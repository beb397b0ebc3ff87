// Authentication: one way to authenticate, as middleware around handlers and as an extractor of one route.
import type { Context } from '../context/context.js';
import type { Middleware, MiddlewareResult, Next } from '../context/handlers.js';
import { unauthenticated } from '../context/identified.js';
import type { PrincipalRecord } from '../context/principal.js';
import type { ExtractorDescription, SecuritySchemes } from '../extract/description.js';
import type { Extractor } from '../extract/extractor.js';
import type { FwError } from '../http/errors.js';
import { isPromise } from '../promises.js';

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
  /** Looks for credentials, and fills the context. @throws what the store or the provider throws */
  readonly attempt: (ctx: Context) => Attempt | Promise<Attempt>;
}

/**
 * Middleware that authenticates. Given as an extractor of a route, before its handler, it guards that route alone
 * and gives the principal.
 */
export interface AuthMiddleware extends Middleware, Extractor<PrincipalRecord> {
  readonly describes: ExtractorDescription;
  readonly challenges: readonly string[];
  /** @internal */
  readonly method: AuthMethod;
}

export function authMiddleware(method: AuthMethod): AuthMiddleware {
  const { attempt, isOptional, security, challenges } = method;
  const accept = (ctx: Context, found: Attempt): void => {
    if (found === true) return;
    if (!isOptional) throw found ?? unauthenticated(ctx.scope, undefined, challenges);
    if (found !== undefined) ctx.refusal = found;
  };
  const middleware = (ctx: Context, next: Next): MiddlewareResult | Promise<MiddlewareResult> => {
    const found = attempt(ctx);
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
  const requiring = async (ctx: Context): Promise<PrincipalRecord> => {
    const found = await attempt(ctx);
    if (found === true) return ctx.requireAuth();
    throw found ?? unauthenticated(ctx.scope, undefined, challenges);
  };
  const describes: ExtractorDescription = {
    security,
    authenticates: isOptional ? 'optional' : 'required',
    ...(!isOptional && { errors: { 401: REFUSED } }),
  };
  Object.defineProperty(middleware, 'name', { value: method.name });
  return Object.assign(middleware, { extract: requiring, describes, challenges, method });
}

/** When the answer is 401, for documents. */
export const REFUSED = 'The request is not authenticated.';
