// Built-in middleware: cross-origin resource sharing (Fetch standard, section 3.3).
import type { Middleware } from '../chain.js';
import type { Context } from '../context.js';
import { addVary } from '../headers.js';
import { FwResponse } from '../response.js';
import { answered } from './answered.js';

/** `*`, one origin, a list of them, or a function that decides about the request's origin. */
export type CorsOrigin =
  | string
  | readonly string[]
  | ((origin: string, ctx: Context) => boolean | Promise<boolean>);

export interface CorsOptions {
  /** `*` by default. */
  origin?: CorsOrigin;
  /** `GET` and `POST` by default. */
  allowMethods?: readonly string[];
  /** Request header fields that scripts may set; `Content-Type` by default. */
  allowHeaders?: readonly string[];
  /** Response header fields that scripts may read beyond the safe ones; none by default. */
  exposeHeaders?: readonly string[];
  /** Lets browsers send cookies; needs an origin other than `*`. */
  credentials?: boolean;
  /** How long browsers keep a preflight's answer, in seconds. */
  maxAge?: number;
}

/**
 * Answers preflights and lets scripts of other origins read responses, errors included.
 *
 * @throws Error when an origin is malformed or `credentials` is combined with `*`.
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

/** `new Cors().allowOrigin('https://app.example').allowMethods(['GET', 'PUT']).build()`. */
export class Cors {
  readonly #options: CorsOptions = {};

  allowOrigin(origin: CorsOrigin): this {
    this.#options.origin = origin;
    return this;
  }

  allowMethods(methods: readonly string[]): this {
    this.#options.allowMethods = methods;
    return this;
  }

  allowHeaders(names: readonly string[]): this {
    this.#options.allowHeaders = names;
    return this;
  }

  exposeHeaders(names: readonly string[]): this {
    this.#options.exposeHeaders = names;
    return this;
  }

  credentials(on: boolean): this {
    this.#options.credentials = on;
    return this;
  }

  /** @param seconds How long browsers keep a preflight's answer. */
  maxAge(seconds: number): this {
    this.#options.maxAge = seconds;
    return this;
  }

  /** @throws Error like `cors`. */
  build(): Middleware {
    return cors(this.#options);
  }
}

interface Policy {
  /** The one answer for every request, where it does not depend on the request's origin. */
  readonly fixed: string | undefined;
  readonly allow: (origin: string, ctx: Context) => Promise<string | undefined>;
  readonly preflight: readonly (readonly [string, string])[];
  readonly actual: readonly (readonly [string, string])[];
}

function resolve(options: CorsOptions): Policy {
  const { origin = '*', allowMethods = ['GET', 'POST'], allowHeaders = ['Content-Type'] } = options;
  const { exposeHeaders = [], credentials = false, maxAge } = options;
  const isAny = origin === '*';
  if (isAny && credentials) {
    throw new Error(
      "cors: credentials cannot be combined with the origin '*'; name the origins that may send them",
    );
  }
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0)) {
    throw new Error(`cors: invalid maxAge ${maxAge}; give whole seconds, 0 or more`);
  }
  checkTokens('allowMethods', allowMethods);
  checkTokens('allowHeaders', allowHeaders);
  checkTokens('exposeHeaders', exposeHeaders);
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

function decide(origin: CorsOrigin): Policy['allow'] {
  if (typeof origin === 'function') {
    return async (asked, ctx) => ((await origin(asked, ctx)) === true ? asked : undefined);
  }
  if (origin === '*') return async () => '*';
  const origins = new Set(typeof origin === 'string' ? [origin] : origin);
  for (const one of origins) checkOrigin(one);
  return async (asked) => (origins.has(asked) ? asked : undefined);
}

/** An origin is compared as text, so a slash at its end would make it match nothing. */
function checkOrigin(origin: string): void {
  const parsed = URL.canParse(origin) ? new URL(origin).origin : undefined;
  if (parsed === origin) return;
  const remedy = parsed === undefined || parsed === 'null' ? "like 'https://app.example'" : `'${parsed}'`;
  throw new Error(`cors: invalid origin ${JSON.stringify(origin)}; write ${remedy}`);
}

function checkTokens(option: string, values: readonly string[]): void {
  for (const value of values) {
    if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(value)) {
      throw new Error(`cors: invalid ${option} entry ${JSON.stringify(value)}; give one name for each entry`);
    }
  }
}

// Fetch standard, section 3.3.2: a preflight is OPTIONS with both fields.
function isPreflight(ctx: Context): boolean {
  const { req } = ctx;
  return (
    req.method === 'OPTIONS' &&
    req.header('origin') !== undefined &&
    req.header('access-control-request-method') !== undefined
  );
}
