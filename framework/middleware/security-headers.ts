// Built-in middleware: header fields that switch on the protections of browsers.

import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/error-response.js';
import { FwHeaders } from '../http/headers.js';
import { checkOptions, refuseMore } from '../options/check.js';
import { either, fieldValue, oneOf, type Rules } from '../options/rules.js';

/** Each option is the value of a header field; `false` leaves the field out. */
export interface SecurityHeadersOptions {
  /** `Content-Security-Policy`; none by default. */
  csp?: string | false;
  /** `X-Frame-Options`; `SAMEORIGIN` by default. */
  frameOptions?: string | false;
  /** `Referrer-Policy`; `strict-origin-when-cross-origin` by default. */
  referrerPolicy?: string | false;
  /** `Strict-Transport-Security`; `max-age=31536000; includeSubDomains` (one year) by default. */
  hsts?: string | false;
  /** `Permissions-Policy`; `camera=(), geolocation=(), microphone=()`, which denies these, by default. */
  permissionsPolicy?: string | false;
  /** `Cross-Origin-Opener-Policy`; `same-origin` by default. */
  crossOriginOpenerPolicy?: string | false;
  /** `Cross-Origin-Resource-Policy`; `same-origin` by default. */
  crossOriginResourcePolicy?: string | false;
}

const FIELDS: Readonly<
  Record<keyof SecurityHeadersOptions, readonly [name: string, preset: string | false]>
> = {
  hsts: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  frameOptions: ['X-Frame-Options', 'SAMEORIGIN'],
  referrerPolicy: ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  permissionsPolicy: ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  crossOriginOpenerPolicy: ['Cross-Origin-Opener-Policy', 'same-origin'],
  crossOriginResourcePolicy: ['Cross-Origin-Resource-Policy', 'same-origin'],
  csp: ['Content-Security-Policy', false],
};

/**
 * Adds `X-Content-Type-Options: nosniff` and the fields of the options to every response, errors included. A field
 * that a handler has set is kept, so that a route can have a policy of its own.
 *
 * @throws ConfigError if an option is unknown, or a value is not a valid header value.
 */
export function securityHeaders(options: SecurityHeadersOptions = {}): Middleware {
  const fields = [...resolve(options)];
  return async function securityHeaders(ctx, next) {
    const response = await answered(ctx, next);
    const { headers } = response;
    for (const [name, value] of fields) if (!headers.has(name)) headers.set(name, value);
    return response;
  };
}

/** The middleware `securityHeaders` as a builder: `new SecurityHeaders().csp("default-src 'self'").build()`. */
export class SecurityHeaders {
  #options: SecurityHeadersOptions = {};

  /** The defaults. @throws ConfigError if there is an argument */
  constructor(...none: readonly never[]) {
    refuseMore('new SecurityHeaders()', none, 'give options to securityHeaders(options)');
  }

  /** The value of `Content-Security-Policy`; the field is left out by default. */
  csp(policy: string): SecurityHeaders {
    return this.#with({ csp: policy });
  }

  /** The value of `X-Frame-Options`; `SAMEORIGIN` by default. */
  frameOptions(value: string): SecurityHeaders {
    return this.#with({ frameOptions: value });
  }

  /** The value of `Referrer-Policy`; `strict-origin-when-cross-origin` by default. */
  referrerPolicy(value: string): SecurityHeaders {
    return this.#with({ referrerPolicy: value });
  }

  /** Makes the middleware. @throws ConfigError if a value is not a valid header value. */
  build(): Middleware {
    return securityHeaders(this.#options);
  }

  #with(change: Partial<SecurityHeadersOptions>): SecurityHeaders {
    const next = new SecurityHeaders();
    next.#options = { ...this.#options, ...change };
    return next;
  }
}

const policy = either(fieldValue, oneOf(false));

const RULES: Rules<SecurityHeadersOptions> = {
  csp: policy,
  frameOptions: policy,
  referrerPolicy: policy,
  hsts: policy,
  permissionsPolicy: policy,
  crossOriginOpenerPolicy: policy,
  crossOriginResourcePolicy: policy,
};

/** The fields to send. */
function resolve(options: SecurityHeadersOptions): FwHeaders {
  const given = checkOptions('securityHeaders', options, RULES);
  const headers = new FwHeaders();
  headers.set('X-Content-Type-Options', 'nosniff');
  for (const [key, [name, preset]] of Object.entries(FIELDS)) {
    const value = given[key as keyof SecurityHeadersOptions] ?? preset;
    if (value !== false) headers.set(name, value);
  }
  return headers;
}
