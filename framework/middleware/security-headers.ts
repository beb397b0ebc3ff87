// Built-in middleware: header fields that switch on the protections of browsers.

import { ConfigError } from '../config-error.js';
import type { Middleware } from '../context/handlers.js';
import { answered } from '../dispatch/answered.js';
import { FwHeaders } from '../http/headers.js';

/** Each option is the value of a header field; `false` leaves the field out. */
export interface SecurityHeadersOptions {
  /** `Content-Security-Policy`; none by default. */
  csp?: string | false;
  /** `X-Frame-Options`; `SAMEORIGIN` by default. */
  frameOptions?: string | false;
  /** `Referrer-Policy`; `no-referrer` by default. */
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
  referrerPolicy: ['Referrer-Policy', 'no-referrer'],
  permissionsPolicy: ['Permissions-Policy', 'camera=(), geolocation=(), microphone=()'],
  crossOriginOpenerPolicy: ['Cross-Origin-Opener-Policy', 'same-origin'],
  crossOriginResourcePolicy: ['Cross-Origin-Resource-Policy', 'same-origin'],
  csp: ['Content-Security-Policy', false],
};

/**
 * Adds `X-Content-Type-Options: nosniff` and the fields of the options to every response, errors included. A field
 * that a handler has set is kept, so that a route can have a policy of its own.
 *
 * @throws ConfigError when an option is unknown; Error when a value is not a valid header value.
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
  readonly #options: SecurityHeadersOptions = {};

  /** The value of `Content-Security-Policy`; the field is left out by default. */
  csp(policy: string): this {
    this.#options.csp = policy;
    return this;
  }

  /** The value of `X-Frame-Options`; `SAMEORIGIN` by default. */
  frameOptions(value: string): this {
    this.#options.frameOptions = value;
    return this;
  }

  /** The value of `Referrer-Policy`; `no-referrer` by default. */
  referrerPolicy(value: string): this {
    this.#options.referrerPolicy = value;
    return this;
  }

  /** Makes the middleware. @throws Error when a value is not a valid header value. */
  build(): Middleware {
    return securityHeaders(this.#options);
  }
}

/** The fields to send; setting them on FwHeaders checks their values once. */
function resolve(options: SecurityHeadersOptions): FwHeaders {
  const headers = new FwHeaders();
  headers.set('X-Content-Type-Options', 'nosniff');
  for (const key of Object.keys(options)) {
    if (!Object.hasOwn(FIELDS, key)) {
      throw new ConfigError(
        'FW_OPTION',
        `securityHeaders has no option '${key}'; it has ${Object.keys(FIELDS).join(', ')}`,
      );
    }
  }
  for (const [key, [name, preset]] of Object.entries(FIELDS)) {
    const value = options[key as keyof SecurityHeadersOptions] ?? preset;
    if (value !== false) headers.set(name, value);
  }
  return headers;
}
