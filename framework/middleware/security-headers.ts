// Built-in middleware: header fields that tell browsers to be careful.
import type { Middleware } from '../chain.js';
import { FwHeaders } from '../headers.js';
import { answered } from './answered.js';

/** Each option is the field's value; `false` leaves the field out. */
export interface SecurityHeadersOptions {
  /** `Content-Security-Policy`; none by default. */
  csp?: string | false;
  /** `X-Frame-Options`; `SAMEORIGIN` by default. */
  frameOptions?: string | false;
  /** `Referrer-Policy`; `no-referrer` by default. */
  referrerPolicy?: string | false;
  /** `Strict-Transport-Security`; a year with subdomains by default. */
  hsts?: string | false;
  /** `Permissions-Policy`; no camera, geolocation or microphone by default. */
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
 * Adds security header fields to every response, errors included. A field that a handler set itself stays,
 * so that one route can be more open than the rest.
 *
 * @throws Error when an option is unknown or its value is no header value.
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

/** `new SecurityHeaders().csp("default-src 'self'").build()`. */
export class SecurityHeaders {
  readonly #options: SecurityHeadersOptions = {};

  csp(policy: string): this {
    this.#options.csp = policy;
    return this;
  }

  frameOptions(value: string): this {
    this.#options.frameOptions = value;
    return this;
  }

  referrerPolicy(value: string): this {
    this.#options.referrerPolicy = value;
    return this;
  }

  /** @throws Error when a value is no header value. */
  build(): Middleware {
    return securityHeaders(this.#options);
  }
}

/** The fields to send, checked once by the list that will carry them. */
function resolve(options: SecurityHeadersOptions): FwHeaders {
  const headers = new FwHeaders();
  headers.set('X-Content-Type-Options', 'nosniff');
  for (const key of Object.keys(options)) {
    if (!Object.hasOwn(FIELDS, key)) {
      throw new Error(`securityHeaders has no option '${key}'; it has ${Object.keys(FIELDS).join(', ')}`);
    }
  }
  for (const [key, [name, preset]] of Object.entries(FIELDS)) {
    const value = options[key as keyof SecurityHeadersOptions] ?? preset;
    if (value !== false) headers.set(name, value);
  }
  return headers;
}
