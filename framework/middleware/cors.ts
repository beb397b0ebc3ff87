// Built-in middleware: cross-origin resource sharing (Fetch standard, section 3.3).

import { ConfigError } from '../config-error.js';
import type { Context } from '../context/context.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { addVary } from '../http/headers.js';
import { FwResponse } from '../http/response.js';
import { checkOptions, refuseMore } from '../options/check.js';
import {
  callback,
  deliberate,
  either,
  flag,
  listOf,
  origin,
  type Rule,
  type Rules,
  token,
  whole,
} from '../options/rules.js';

/**
 * The origins whose scripts may read responses: `*` for all, one origin such as `https://app.example`, a list, or a
 * function that gets the request's `Origin` and returns whether it is allowed.
 */
export type CorsOrigin =
  | string
  | readonly string[]
  | ((origin: string, ctx: Context) => boolean | Promise<boolean>);

/** Options of `cors`. */
export interface CorsOptions {
  /** The allowed origins; `*` by default. */
  origin?: CorsOrigin;
  /** Methods that scripts may use; `GET` and `POST` by default. */
  allowMethods?: readonly string[];
  /** Request header fields that scripts may set; `Content-Type` by default. */
  allowHeaders?: readonly string[];
  /** Response header fields that scripts may read, besides the CORS-safelisted ones; none by default. */
  exposeHeaders?: readonly string[];
  /** Lets browsers send cookies; off by default. It cannot be combined with the origin `*`. */
  credentials?: boolean;
  /** How long browsers cache the answer to a preflight, in seconds; by default the browser decides. */
  maxAge?: number;
}

/**
 * Answers preflight requests, and lets scripts of other origins read responses, errors included.
 *
 * @throws ConfigError if an option is unknown or malformed, or `credentials` is combined with the origin `*`.
 */
export function cors(options: CorsOptions = {}): Middleware {
  const policy = resolve(options);
  return async function cors(ctx, next) {
    const origin = ctx.req.header('origin');
    const allowed = origin === undefined ? policy.fixed : await policy.allow(origin, ctx);
    const response = isPreflight(ctx) ? new FwResponse('', 204, undefined) : await answered(ctx, next);
    if (policy.fixed === undefined) addVary(response.headers, 'Origin');
    if (allowed === undefined) return response;
    response.headers.set('Access-Control-Allow-Origin', allowed);
    for (const [name, value] of isPreflight(ctx) ? policy.preflight : policy.actual) {
      response.headers.set(name, value);
    }
    return response;
  };
}

/**
 * The middleware `cors` as a builder; each setter replaces what was set before, and `build` checks the values.
 *
 * ```ts
 * app.use(new Cors().allowOrigin('https://app.example').allowMethods(['GET', 'PUT']).build());
 * ```
 */
export class Cors {
  #options: CorsOptions = {};

  /** The defaults. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new Cors()', none, 'give options to cors(options)');
  }

  /** The allowed origins; `*` by default. */
  allowOrigin(origin: CorsOrigin): Cors {
    return this.#with({ origin });
  }

  /** Methods that scripts may use; `GET` and `POST` by default. */
  allowMethods(methods: readonly string[]): Cors {
    return this.#with({ allowMethods: methods });
  }

  /** Request header fields that scripts may set; `Content-Type` by default. */
  allowHeaders(names: readonly string[]): Cors {
    return this.#with({ allowHeaders: names });
  }

  /** Response header fields that scripts may read, besides the CORS-safelisted ones; none by default. */
  exposeHeaders(names: readonly string[]): Cors {
    return this.#with({ exposeHeaders: names });
  }

  /** Lets browsers send cookies; off by default. It cannot be combined with the origin `*`. */
  credentials(on: boolean): Cors {
    return this.#with({ credentials: on });
  }

  /** How long browsers cache the answer to a preflight, in seconds; by default the browser decides. */
  maxAge(seconds: number): Cors {
    return this.#with({ maxAge: seconds });
  }

  /** Makes the middleware. @throws ConfigError like `cors`. */
  build(): Middleware {
    return cors(this.#options);
  }

  #with(change: Partial<CorsOptions>): Cors {
    const next = new Cors();
    next.#options = { ...this.#options, ...change };
    return next;
  }
}

interface Policy {
  /** The value of `Access-Control-Allow-Origin` if it is the same for every request. */
  readonly fixed: string | undefined;
  readonly allow: (origin: string, ctx: Context) => Promise<string | undefined>;
  readonly preflight: readonly (readonly [string, string])[];
  readonly actual: readonly (readonly [string, string])[];
}

/** An origin by its name. Who wants the opaque one too has to decide that in a function. */
const named: Rule = {
  takes: origin.takes,
  fault(value) {
    const fault = origin.fault(value);
    if (value !== 'null' || fault === undefined) return fault;
    return {
      ...fault,
      takes: `${fault.takes}; to allow that, give a function: (origin) => origin === 'null'`,
    };
  },
};

const anyOrOrigin: Rule = {
  takes: `'*', ${origin.takes}`,
  fault: (value) => (value === '*' ? undefined : named.fault(value)),
};

const RULES: Rules<CorsOptions> = {
  origin: deliberate(either(anyOrOrigin, listOf(named), callback('a function (origin, ctx) => boolean'))),
  allowMethods: listOf(token),
  allowHeaders: listOf(token),
  exposeHeaders: listOf(token),
  credentials: flag,
  maxAge: whole(0, Number.MAX_SAFE_INTEGER, 'seconds'),
};

function resolve(options: CorsOptions): Policy {
  const given = checkOptions('cors', options, RULES);
  const { origin = '*', allowMethods = ['GET', 'POST'], allowHeaders = ['Content-Type'] } = given;
  const { exposeHeaders = [], credentials = false, maxAge } = given;
  const isAny = origin === '*';
  if (isAny && credentials) {
    throw new ConfigError(
      'FW_CORS_WILDCARD_WITH_CREDENTIALS',
      "cors: credentials cannot be combined with the origin '*'; name the origins that may send them",
    );
  }
  if (credentials) refuseWildcards({ allowMethods, allowHeaders, exposeHeaders });
  const withCredentials = credentials ? ([['Access-Control-Allow-Credentials', 'true']] as const) : [];
  const list = (name: string, values: readonly string[]) =>
    values.length > 0 ? ([[name, values.join(', ')]] as const) : [];
  return {
    fixed: isAny ? '*' : undefined,
    allow: decide(origin),
    preflight: [
      ...withCredentials,
      ...list('Access-Control-Allow-Methods', allowMethods),
      ...list('Access-Control-Allow-Headers', allowHeaders),
      ...(maxAge === undefined ? [] : ([['Access-Control-Max-Age', String(maxAge)]] as const)),
    ],
    actual: [...withCredentials, ...list('Access-Control-Expose-Headers', exposeHeaders)],
  };
}

/** Fetch standard, section 3.3.4: with credentials, browsers take `*` for the name of a method or a field. */
function refuseWildcards(lists: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, values] of Object.entries(lists)) {
    if (!values.includes('*')) continue;
    throw new ConfigError(
      'FW_CORS_WILDCARD_WITH_CREDENTIALS',
      `cors: credentials cannot be combined with '*' in ${name}, which browsers take for a name then; list the names`,
    );
  }
}

function decide(origin: CorsOrigin): Policy['allow'] {
  if (typeof origin === 'function') {
    return async (asked, ctx) => ((await origin(asked, ctx)) === true ? asked : undefined);
  }
  if (origin === '*') return async () => '*';
  const origins = new Set(typeof origin === 'string' ? [origin] : origin);
  return async (asked) => (origins.has(asked) ? asked : undefined);
}

// Fetch standard, section 3.3.2: a preflight is an OPTIONS request with both fields.
function isPreflight(ctx: Context): boolean {
  const { req } = ctx;
  return (
    req.method === 'OPTIONS' &&
    req.header('origin') !== undefined &&
    req.header('access-control-request-method') !== undefined
  );
}
