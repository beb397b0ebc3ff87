// API keys: the middleware that validates the presented key, and the extractor of its identity.

import type { Context } from '../../context/context.js';
import { unauthenticated } from '../../context/identity.js';
import { type ApiKeyIdentity, isPrincipal, type PrincipalRecord } from '../../context/principal.js';
import type { ExtractorDescription } from '../../extract/description.js';
import type { FwError } from '../../http/errors.js';
import { checkOptions } from '../../options/check.js';
import {
  anything,
  filled,
  flag,
  headerName,
  objectWith,
  type Rules,
  renamedTo,
  required,
} from '../../options/rules.js';
import { kindOf } from '../../options/shown.js';
import { chained, isPromise, toPromise } from '../../promises.js';
import {
  type AnyAuthMiddleware,
  type Attempt,
  type AuthMiddleware,
  authMiddleware,
  REFUSED,
} from '../auth-method.js';
import type { ApiKeyStore } from './static-keys.js';

/** Options of `apiKey`. */
export interface ApiKeyOptions {
  readonly store: ApiKeyStore;
  /** The header field that has the key; `x-api-key` by default. */
  readonly headerName?: string | undefined;
  /** @deprecated Use `headerName`. */
  readonly header?: string | undefined;
  /** A query parameter that has the key, instead of the header. URLs end up in logs: prefer the header. */
  readonly queryName?: string | undefined;
  /** @deprecated Use `queryName`. */
  readonly query?: string | undefined;
  /** True to let requests without a valid key pass, without an identity; as an extractor, it then gives undefined. */
  readonly optional?: boolean | undefined;
}

const RULES: Rules<ApiKeyOptions> = {
  store: required(objectWith(['validate'], 'a store with validate(key), such as new StaticKeys()')),
  headerName,
  header: renamedTo('headerName'),
  queryName: filled,
  query: renamedTo('queryName'),
  optional: flag,
};

/** In characters; keys are hashed, so their length must be bounded. */
const LONGEST_KEY = 1024;

/**
 * Validates the API key of each request: `ctx.apiKey()` has its identity, `ctx.principal()` its id and scopes. A
 * request without a valid key is answered 401.
 *
 * ```ts
 * app.use(apiKey({ store: new StaticKeys().insert(process.env.BILLING_KEY, 'billing') }));
 * ```
 *
 * @throws ConfigError if an option is unknown, missing or not of its kind
 */
export function apiKey(options: ApiKeyOptions & { readonly optional?: false | undefined }): AuthMiddleware;
export function apiKey(options: ApiKeyOptions): AnyAuthMiddleware;
export function apiKey(options: ApiKeyOptions): AnyAuthMiddleware {
  const given = checkOptions('apiKey', options, RULES);
  const { store, headerName: header = 'x-api-key', queryName: query, optional = false } = given;
  const read = query === undefined ? (ctx: Context) => ctx.req.header(header) : inQuery(query);
  const description = 'An API key, for machines.';
  const scheme =
    query === undefined
      ? ({ type: 'apiKey', in: 'header', name: header, description } as const)
      : ({ type: 'apiKey', in: 'query', name: query, description } as const);
  return authMiddleware({
    name: 'apiKey',
    security: [{ apiKey: scheme }],
    challenges: ['ApiKey'],
    isOptional: optional,
    attempt(ctx: Context): Attempt | Promise<Attempt> {
      const key = read(ctx);
      if (key === undefined) return undefined;
      if (key === '' || key.length > LONGEST_KEY) return invalid(ctx);
      const found = (answer: unknown): Attempt => identified(ctx, identityOf(answer), store, key);
      const answer: unknown = store.validate(key);
      return isPromise(answer) ? toPromise(answer).then(found) : found(answer);
    },
  });
}

/** The values of a repeated parameter are joined, which no store knows: no part of the chain may read another one. */
function inQuery(name: string): (ctx: Context) => string | undefined {
  return (ctx) => ctx.req.queries()[name]?.join(', ');
}

function identified(
  ctx: Context,
  identity: ApiKeyIdentity | undefined,
  store: ApiKeyStore,
  key: string,
): Attempt {
  if (identity === undefined) return invalid(ctx);
  ctx.ownApiKey = identity;
  ctx.authenticate(identity, {
    ending: 'the API key is not valid any more',
    watch: () => ({ check: () => stillValid(identity, store.validate(key)), stop() {} }),
  });
  return true;
}

/**
 * What a store has answered. Clients of databases have their own words for nothing.
 *
 * @throws Error if it is neither an identity nor nothing, so that nobody is let in by it
 */
function identityOf(answer: unknown): ApiKeyIdentity | undefined {
  if (answer === undefined || answer === null || answer === false) return undefined;
  if (isPrincipal(answer)) return answer;
  throw new Error(
    `validate() of the store of API keys returned ${kindOf(answer)} that is not an identity; return { id, scopes }, or undefined for a key that is not valid`,
  );
}

/** A key that was revoked, or that has lost the identity or a scope that what it opened was given. */
function stillValid(
  before: ApiKeyIdentity,
  now: ReturnType<ApiKeyStore['validate']>,
): boolean | Promise<boolean> {
  return chained<unknown, boolean>(now, (answer) => {
    const found = identityOf(answer);
    if (found === undefined || found.id !== before.id) return false;
    return before.scopes.every((scope) => found.scopes.includes(scope));
  });
}

function invalid(ctx: Context): FwError {
  return unauthenticated(ctx.scope, 'the API key is not valid', ['ApiKey']);
}

/**
 * The middleware `apiKey` as a builder: `new ApiKey(store).headerName('x-key').optional().build()`. A builder never
 * changes: each call gives a new one. The class itself is the extractor of the key's identity, of routes behind that
 * middleware:
 *
 * ```ts
 * app.get('/usage', ApiKey, (key) => usageOf(key.id));
 * ```
 */
export class ApiKey<Found extends PrincipalRecord | undefined = PrincipalRecord> {
  readonly #options: ApiKeyOptions;

  /**
   * @param options for builders that are made of this one
   * @throws ConfigError if an option is unknown, missing or not of its kind
   */
  constructor(store: ApiKeyStore, options: Omit<ApiKeyOptions, 'store'> = {}) {
    const given = checkOptions<Partial<ApiKeyOptions>>('ApiKey', options, { ...RULES, store: anything });
    this.#options = checkOptions('ApiKey', { ...given, store }, RULES);
  }

  /** The identity of the API key. @throws FwError 401 if the request has no valid one */
  static extract(ctx: Context): ApiKeyIdentity {
    const identity = ctx.apiKey();
    if (identity === undefined) throw unauthenticated(ctx.scope, 'an API key is required', ['ApiKey']);
    return identity;
  }

  static readonly describes: ExtractorDescription = { requires: {}, errors: { 401: REFUSED } };

  /** The header field that has the key; `x-api-key` by default. */
  headerName(name: string): ApiKey<Found> {
    return this.#with({ headerName: name });
  }

  /** A query parameter that has the key, instead of the header field. */
  fromQuery(name: string): ApiKey<Found> {
    return this.#with({ queryName: name });
  }

  /**
   * Lets requests without a valid key pass, without an identity. As an extractor of a route, it then gives undefined.
   */
  optional(): ApiKey<PrincipalRecord | undefined> {
    return this.#with({ optional: true }) as ApiKey<PrincipalRecord | undefined>;
  }

  /** Makes the middleware. @throws ConfigError if an option is not of its kind */
  build(): AuthMiddleware<Found> {
    return apiKey(this.#options) as AuthMiddleware<Found>;
  }

  #with(change: Partial<ApiKeyOptions>): ApiKey<Found> {
    return new ApiKey<Found>(this.#options.store, { ...this.#options, ...change });
  }
}
