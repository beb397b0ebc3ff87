// API keys: the middleware that validates the presented key, and the extractor of its identity.
import { ConfigError } from '../../config-error.js';
import type { Context } from '../../context/context.js';
import { unauthenticated } from '../../context/identified.js';
import type { ApiKeyIdentity } from '../../context/principal.js';
import type { ExtractorDescription } from '../../extract/description.js';
import type { FwError } from '../../http/errors.js';
import { FwHeaders } from '../../http/headers.js';
import { isPromise } from '../../promises.js';
import { type Attempt, type AuthMiddleware, authMiddleware, REFUSED } from '../auth-method.js';
import type { ApiKeyStore } from './static-keys.js';

/** Options of `apiKey`. */
export interface ApiKeyOptions {
  readonly store: ApiKeyStore;
  /** The header field that has the key; `x-api-key` by default. */
  readonly header?: string | undefined;
  /** A query parameter that has the key, instead of the header field. Addresses end up in logs: prefer the field. */
  readonly query?: string | undefined;
  /** True to let requests without a valid key pass, without an identity. */
  readonly optional?: boolean | undefined;
}

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
 * @throws ConfigError if an option is not of its kind
 */
export function apiKey(options: ApiKeyOptions): AuthMiddleware {
  const { store, header = 'x-api-key', query, optional = false } = options;
  if (typeof store?.validate !== 'function') {
    throw new ConfigError('FW_OPTION', 'apiKey() takes a store with validate(key), such as new StaticKeys()');
  }
  new FwHeaders().set(header, '');
  const lower = header.toLowerCase();
  const read = query === undefined ? (ctx: Context) => ctx.req.header(lower) : inQuery(query);
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
      const identity = store.validate(key);
      return isPromise(identity)
        ? (identity as Promise<ApiKeyIdentity | undefined>).then((late) => identified(ctx, late))
        : identified(ctx, identity as ApiKeyIdentity | undefined);
    },
  });
}

/** The values of a repeated parameter are joined, which no store knows: no part of the chain may read another one. */
function inQuery(name: string): (ctx: Context) => string | undefined {
  return (ctx) => ctx.req.queries()[name]?.join(', ');
}

function identified(ctx: Context, identity: ApiKeyIdentity | undefined): Attempt {
  if (identity === undefined) return invalid(ctx);
  ctx.ownApiKey = identity;
  ctx.authenticate(identity);
  return true;
}

function invalid(ctx: Context): FwError {
  return unauthenticated(ctx.scope, 'the API key is not valid', ['ApiKey']);
}

/**
 * The middleware `apiKey` as a builder: `new ApiKey(store).headerName('x-key').optional().build()`. The class itself
 * is the extractor of the key's identity, of routes behind that middleware:
 *
 * ```ts
 * app.get('/usage', ApiKey, (key) => usageOf(key.id));
 * ```
 */
export class ApiKey {
  readonly #options: { -readonly [Name in keyof ApiKeyOptions]: ApiKeyOptions[Name] };

  constructor(store: ApiKeyStore) {
    this.#options = { store };
  }

  /** The identity of the API key. @throws FwError 401 if the request has no valid one */
  static extract(ctx: Context): ApiKeyIdentity {
    const identity = ctx.apiKey();
    if (identity === undefined) throw unauthenticated(ctx.scope, 'an API key is required', ['ApiKey']);
    return identity;
  }

  static readonly describes: ExtractorDescription = { requires: {}, errors: { 401: REFUSED } };

  /** The header field that has the key; `x-api-key` by default. */
  headerName(name: string): this {
    this.#options.header = name;
    return this;
  }

  /** A query parameter that has the key, instead of the header field. */
  fromQuery(name: string): this {
    this.#options.query = name;
    return this;
  }

  /** Lets requests without a valid key pass, without an identity. */
  optional(): this {
    this.#options.optional = true;
    return this;
  }

  /** Makes the middleware. @throws ConfigError if an option is not of its kind */
  build(): AuthMiddleware {
    return apiKey(this.#options);
  }
}
