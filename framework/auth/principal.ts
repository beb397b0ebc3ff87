// Authentication: extractors and middleware for routes and procedures that need someone who is authenticated.

import type { Context } from '../context/context.js';
import { unauthenticated } from '../context/identity.js';
import type { PrincipalRecord } from '../context/principal.js';
import type { RegisteredScope } from '../context/register.js';
import {
  type ContextMiddleware,
  createMiddleware,
  type NextResult,
  type NextWith,
  type RequestCall,
} from '../extract/context-middleware.js';
import type { ExtractorDescription } from '../extract/description.js';
import type { Extractor } from '../extract/extractor.js';
import { checkValue, refuseMore } from '../options/check.js';
import { callback, filled, listOf, type Rule } from '../options/rules.js';
import { REFUSED } from './auth-method.js';

/** Who makes a request, whichever way it was authenticated. */
export type Principal = PrincipalRecord;

const required: ExtractorDescription = { requires: {}, errors: { 401: REFUSED } };

/**
 * The extractor of who makes the request; without anybody, the answer is 401.
 *
 * ```ts
 * app.get('/me', Principal, ({ id, scopes }) => ({ id, scopes }));
 * ```
 */
export const Principal: Extractor<Principal> = {
  name: 'Principal',
  extract: (ctx) => ctx.requireAuth(),
  describes: required,
};

/**
 * Makes an extractor of the application's own record of who makes the request. If `load` gives nothing, which `null`,
 * `false` and other falsy values are too, such as for an account that was removed, the answer is 401.
 *
 * ```ts
 * const Me = CurrentUser(({ id }) => users.find(id));
 * app.get('/me', Me, (user) => user.name);
 * ```
 */
export function CurrentUser<User>(
  load: (
    principal: Principal,
    ctx: Context,
  ) => User | undefined | null | false | Promise<User | undefined | null | false>,
): Extractor<Exclude<NonNullable<User>, false>> {
  checkValue('CurrentUser', 'the argument', load, callback('a function (principal) => user'));
  return {
    name: 'CurrentUser',
    async extract(ctx) {
      const user = await load(ctx.requireAuth(), ctx);
      if (!user) throw unauthenticated(ctx.scope, 'this account does not exist');
      return user as Exclude<NonNullable<User>, false>;
    },
    describes: required,
  };
}

/** What the middleware below adds to the handlers of routes and procedures. */
export interface PrincipalAdded {
  readonly principal: Principal;
}

/**
 * Middleware for routes and procedures: 401 without anybody who is authenticated. The handler gets `principal`.
 *
 * ```ts
 * rpc.query('me', { use: [requireAuth()] }, (_, { principal }) => principal.id);
 * ```
 */
export function requireAuth(): ContextMiddleware<PrincipalAdded>;
export function requireAuth(...none: readonly never[]): ContextMiddleware<PrincipalAdded> {
  refuseMore('requireAuth', none, 'write requireAllScopes(scopes) for scopes');
  return guard('requireAuth', required, (ctx) => ctx.requireAuth());
}

/** Middleware for routes and procedures: 401 without anybody who is authenticated, 403 without the scope. */
export function requireScope(
  scope: RegisteredScope,
  ...more: readonly never[]
): ContextMiddleware<PrincipalAdded> {
  checkValue('requireScope', 'the scope', scope, scopeText);
  refuseMore('requireScope', more, 'write requireAllScopes(scopes), or requireAnyScope(scopes)');
  return guard('requireScope', scoped('requireScope', 'the scope', [scope]), (ctx) =>
    ctx.requireScope(scope),
  );
}

/** Middleware for routes and procedures: 401 without anybody who is authenticated, 403 without one of the scopes. */
export function requireAnyScope(scopes: readonly RegisteredScope[]): ContextMiddleware<PrincipalAdded> {
  return guard('requireAnyScope', scoped('requireAnyScope', 'one of the scopes', scopes, 'any'), (ctx) =>
    ctx.requireAnyScope(scopes),
  );
}

/** Middleware for routes and procedures: 401 without anybody who is authenticated, 403 without all of the scopes. */
export function requireAllScopes(scopes: readonly RegisteredScope[]): ContextMiddleware<PrincipalAdded> {
  return guard('requireAllScopes', scoped('requireAllScopes', 'the scopes', scopes), (ctx) =>
    ctx.requireAllScopes(scopes),
  );
}

function guard(
  name: string,
  describes: ExtractorDescription,
  check: (ctx: Context) => Principal,
): ContextMiddleware<PrincipalAdded> {
  const run = ({ ctx }: RequestCall, next: NextWith): Promise<NextResult<PrincipalAdded>> =>
    next({ principal: check(ctx) });
  return createMiddleware({ describes }, Object.defineProperty(run, 'name', { value: name }));
}

/** Nobody has an empty scope. */
const scopeText: Rule = { ...filled, takes: "a scope, such as 'orders:read'" };

/** Options of `requireAuth` of an App and of a registry. */
export interface RequireAuthOptions {
  /**
   * What everybody may call. Of an App: routes as they were registered, `/health` for all methods, `POST /sign-in` for
   * one, `/assets/*` for what is below a prefix, and `serveSpa` for the page and the files of `serveSpa`. Of a registry:
   * names of procedures.
   */
  readonly except?: readonly string[];
  /** Scopes that the caller needs, all of them. Not an empty list: without the option, whoever is signed in may call. */
  readonly scopes?: readonly RegisteredScope[];
}

/** A list of scopes, for the checks of options: an empty one would let in whoever is signed in. @internal */
export const scopeList: Rule = listOf(scopeText, 1);

function scoped(
  who: string,
  what: string,
  scopes: readonly string[],
  match: 'all' | 'any' = 'all',
): ExtractorDescription {
  checkValue(who, 'scopes', scopes, scopeList);
  const names = scopes.map((scope) => `'${scope}'`).join(', ');
  return { requires: { scopes, match }, errors: { 401: REFUSED, 403: `The caller lacks ${what} ${names}.` } };
}
