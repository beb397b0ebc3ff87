// Registration: the guard of an App, which every route below it has, but for named exceptions.

import { REFUSED } from '../../auth/auth-method.js';
import { type RequireAuthOptions, scopeList } from '../../auth/principal.js';
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import type { RouteHandler } from '../../context/handlers.js';
import { composes, runHandler } from '../../dispatch/recorded.js';
import type { DescribedErrors, Requirement } from '../../extract/description.js';
import type { RouteDescription } from '../../extract/register-route.js';
import { checkOptions } from '../../options/check.js';
import { deliberate, listOf, matching, type Rules } from '../../options/rules.js';
import type { Layers } from './layers.js';

/** What a guard sees of a route. */
interface GuardedRoute {
  readonly method: string;
  readonly pattern: { readonly source: string };
}

const SPA = 'serveSpa';
const ROUTE = /^(?:([A-Z]+) )?(\/.*)$/;

const RULES: Rules<RequireAuthOptions> = {
  except: listOf(
    matching(
      new RegExp(`${ROUTE.source}|^${SPA}$`),
      `a route, such as '/health', 'POST /sign-in', '/assets/*' or '${SPA}'`,
    ),
  ),
  scopes: deliberate(scopeList),
};

/** The guard of one App. */
export class Guard {
  readonly requirement: Requirement;
  /** Its refusals, for documents. */
  readonly errors: DescribedErrors;
  readonly place: () => string;
  readonly #exceptions: readonly Exception[];
  readonly #used = new Set<Exception>();

  /** @throws ConfigError if an exception is malformed. */
  constructor(options: RequireAuthOptions, place: () => string) {
    const { except = [], scopes = [] } = checkOptions('requireAuth', options, RULES);
    this.#exceptions = except.map(parseException);
    this.requirement = scopes.length === 0 ? {} : { scopes };
    this.errors = {
      401: REFUSED,
      ...(scopes.length > 0 && {
        403: `The caller lacks the scopes ${scopes.map((one) => `'${one}'`).join(', ')}.`,
      }),
    };
    this.place = place;
  }

  /** Whether the guard runs before a route; `depth` is the number of path segments before its App. */
  covers(route: GuardedRoute, depth: number): boolean {
    return !this.#isExcepted((one) => matches(one, route.method, below(route.pattern.source, depth)));
  }

  /** Whether the guard runs before the page of `serveSpa`. */
  coversSpa(): boolean {
    return !this.#isExcepted((one) => one.text === SPA);
  }

  /** @throws ConfigError if an exception is that of no route, which may be a typing mistake. */
  assertUsed(): void {
    for (const one of this.#exceptions) {
      if (this.#used.has(one)) continue;
      throw new ConfigError(
        'FW_GUARD_EXCEPTION',
        `requireAuth (${this.place()}) excepts '${one.text}', which is not a route of this App; write it as it was registered, such as '/users/:id', 'POST /sign-in' or '/assets/*'`,
      );
    }
  }

  #isExcepted(test: (one: Exception) => boolean): boolean {
    const found = this.#exceptions.filter(test);
    for (const one of found) this.#used.add(one);
    return found.length > 0;
  }
}

/** The guards around a route that it is not an exception of. */
export function guardsOf(route: GuardedRoute & { readonly layers: Layers }): Guard[] {
  return route.layers.flatMap(({ layer, depth }) =>
    layer.guard?.covers(route, depth) === true ? [layer.guard] : [],
  );
}

/** The handler behind the guards, which are asked when the methods of the route itself have authenticated. */
export function guarded(
  handler: RouteHandler,
  guards: readonly Guard[],
  description: RouteDescription | undefined,
): RouteHandler {
  if (guards.length === 0) return handler;
  const scopes = [...new Set(guards.flatMap(({ requirement }) => requirement.scopes ?? []))];
  const guard = (ctx: Context): void => void ctx.requireAllScopes(scopes);
  const behindOwn = description?.guardedBy(guard);
  if (behindOwn !== undefined) return behindOwn;
  const handlerName = description?.handlerName ?? handler.name;
  return composes(function requireAuth(ctx) {
    guard(ctx);
    return runHandler(ctx, handler, handlerName);
  });
}

interface Exception {
  readonly text: string;
  /** Undefined for all methods. */
  readonly method: string | undefined;
  readonly path: string;
}

function parseException(text: string): Exception {
  const found = ROUTE.exec(text);
  return { text, method: found?.[1], path: found?.[2] ?? '' };
}

function matches({ method, path }: Exception, routeMethod: string, source: string): boolean {
  // Not a route for all methods either: an exception for one must not open the others.
  if (method !== undefined && method !== routeMethod) return false;
  return path.endsWith('/*') ? source.startsWith(path.slice(0, -1)) : path === source;
}

/** The pattern as its App sees it; that of the prefix itself is `/`. */
function below(source: string, depth: number): string {
  const rest = source
    .split('/')
    .slice(depth + 1)
    .join('/');
  return `/${rest}`;
}
