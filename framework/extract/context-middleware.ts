// Middleware that adds to what handlers get, the same for routes and for procedures.

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { notePlace } from '../dispatch/recorded.js';
import { checkOptions } from '../options/check.js';
import { anything, object, type Rules } from '../options/rules.js';
import { callSite } from '../tracing/call-site.js';
import type { ExtractorDescription } from './description.js';

/** What such middleware gets of a request, and what the handlers of routes with it get last. */
export interface RequestCall<Ctx = Context> {
  /** @throws Error if a procedure was called in process, without a context */
  readonly ctx: Ctx;
  /** Aborts when the client does not wait for the response any more. */
  readonly signal: AbortSignal;
}

/** The response or the result, which the middleware returns as it is. */
export interface NextResult<Added> {
  /** Exists in the types only. */
  readonly '~added': Added;
}

type Nothing = Readonly<Record<never, never>>;

/** Runs what comes after the middleware; handlers get the fields of `added`. Call it once. */
export type NextWith = <Added extends object = Nothing>(added?: Added) => Promise<NextResult<Added>>;

/** Middleware of `createMiddleware`, for `use` of Apps, routes, registries and procedures; handlers get `Added`. */
export class ContextMiddleware<out Added = unknown> {
  readonly use: readonly ContextMiddleware[];
  readonly describes: ExtractorDescription | readonly ExtractorDescription[] | undefined;
  /** @internal */
  readonly run: (call: RequestCall, next: NextWith) => Promise<unknown>;
  /** Exists in the types only. */
  declare readonly '~added'?: Added;

  /** @internal */
  constructor(
    { use = [], describes }: MiddlewareOptions,
    run: (call: RequestCall, next: NextWith) => Promise<unknown>,
  ) {
    this.use = use;
    this.describes = describes;
    this.run = run;
  }
}

/** What `use` of an App and of a route takes. */
export type AnyMiddleware = Middleware | ContextMiddleware;

/** Everything that the middleware of a list adds. */
export type AddedBy<Use> = Use extends readonly [infer First, ...infer Rest]
  ? (First extends ContextMiddleware<infer Added> ? Added : unknown) & AddedBy<Rest>
  : unknown;

export interface MiddlewareOptions<Use extends readonly ContextMiddleware[] = readonly ContextMiddleware[]> {
  /** Middleware that runs before, and whose additions this one gets. It runs once, however often it is named. */
  readonly use?: Use;
  /**
   * How it refuses and what it reads, for documents: `{ errors: { 401: 'Sign in first.' } }`. Of several, each on its
   * own, in the order in which it does them.
   */
  readonly describes?: ExtractorDescription | readonly ExtractorDescription[];
}

/**
 * Makes middleware that adds to what handlers get. Throw an `FwError` to refuse the request.
 *
 * ```ts
 * const authed = createMiddleware(async ({ ctx }, next) => next({ user: await userOf(ctx) }));
 * rpc.query('me', { use: [authed] }, (_, { user }) => user.name);
 * app.get(route('/me', { use: [authed] }), (_, { user }) => user.name);
 * app.use(authed); // refuses for every route; handlers get nothing of it
 * ```
 *
 * @throws ConfigError if `run` is not a function, or `use` has something else than such middleware
 */
export function createMiddleware<Result extends NextResult<object>>(
  run: (call: RequestCall, next: NextWith) => Promise<Result>,
): ContextMiddleware<Result['~added']>;
export function createMiddleware<
  const Use extends readonly ContextMiddleware[],
  Result extends NextResult<object>,
>(
  options: MiddlewareOptions<Use>,
  run: (call: RequestCall & AddedBy<Use>, next: NextWith) => Promise<Result>,
): ContextMiddleware<AddedBy<Use> & Result['~added']>;
export function createMiddleware(...args: readonly unknown[]): ContextMiddleware {
  const [options, run] = args.length < 2 ? [{}, args[0]] : args;
  if (typeof run !== 'function') throw wrong('createMiddleware', 'a function (call, next) => …', run);
  const given = checkOptions('createMiddleware', options as MiddlewareOptions, RULES);
  assertCreated(`the option 'use' of createMiddleware`, given.use ?? []);
  const made = new ContextMiddleware(given, run as ContextMiddleware['run']);
  // One that is written in place has no other name.
  if (run.name === '') notePlace(made, callSite(createMiddleware));
  return made;
}

const RULES: Rules<MiddlewareOptions> = {
  use: anything,
  describes: object('a description, or a list of them'),
};

/** @throws ConfigError if it is not an array of what `createMiddleware` made */
function assertCreated(who: string, list: unknown): asserts list is readonly ContextMiddleware[] {
  if (!Array.isArray(list)) throw wrong(who, 'an array of middleware', list);
  for (const one of list) {
    if (!(one instanceof ContextMiddleware)) throw wrong(who, 'middleware of createMiddleware()', one);
  }
}

/** @throws ConfigError if it is not an array of middleware */
export function assertUse(who: string, list: unknown): asserts list is readonly AnyMiddleware[] {
  if (!Array.isArray(list)) throw wrong(who, 'an array of middleware', list);
  for (const one of list) {
    if (typeof one === 'function') assertParameters(who, one);
    if (typeof one === 'function' || one instanceof ContextMiddleware) continue;
    throw wrong(who, 'functions (ctx, next) => …, or middleware of createMiddleware()', one);
  }
}

/** @throws ConfigError if it is middleware of Express, which would get no third argument, or handles its errors */
export function assertParameters(who: string, { length }: { readonly length: number }): void {
  if (length < 3) return;
  const remedy =
    length === 3
      ? 'give middleware (req, res, next) of Express as fromConnect(middleware)'
      : 'errors are answered by app.onError((error, ctx) => …)';
  throw new ConfigError(
    'FW_MIDDLEWARE',
    `${who} takes functions (ctx, next) => …, got one with ${length} parameters; ${remedy}`,
  );
}

function wrong(who: string, wanted: string, got: unknown): ConfigError {
  return new ConfigError(
    'FW_MIDDLEWARE',
    `${who} takes ${wanted}, got ${got === null ? 'null' : typeof got}`,
  );
}

/** The middleware, each after those that it uses, and each once. */
export function inOrder<Other>(list: readonly (ContextMiddleware | Other)[]): (ContextMiddleware | Other)[] {
  const found = new Set<ContextMiddleware | Other>();
  const visit = (one: ContextMiddleware | Other): void => {
    if (one instanceof ContextMiddleware && !found.has(one)) one.use.forEach(visit);
    found.add(one);
  };
  list.forEach(visit);
  return [...found];
}

/** The call with what middleware added. @throws Error if a name is one that every call has */
export function extended<Call extends object>(call: Call, added: object): Call {
  for (const name of Object.keys(added)) {
    if (!(name in call)) continue;
    throw new Error(`middleware adds '${name}', a name that every call has already; choose another name`);
  }
  return Object.assign(call, added);
}
