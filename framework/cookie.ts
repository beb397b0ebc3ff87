// Cookies: reading the request's `Cookie` field, writing `Set-Cookie` (RFC 6265, RFC 6265bis for the prefixes).
import { trimBlanks } from './white-space.js';

export const SameSite = { Strict: 'Strict', Lax: 'Lax', None: 'None' } as const;
export type SameSite = (typeof SameSite)[keyof typeof SameSite];

// RFC 6265, section 4.1.1: cookie-name is a token, cookie-octet excludes controls, space, '"', ',', ';' and '\'.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
/** Section 4.1.1: av-octet, any character of ASCII but a control and ';'. */
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;
/** RFC 1034, section 3.5, with the underscore that some hosts have; a dot before it changes nothing. */
const DOMAIN = /^\.?[\w-]+(?:\.[\w-]+)*$/;
/** A name in the DNS is no longer. */
const LONGEST_DOMAIN = 254;
/** Section 5.1.1: a date of another year is none for a browser. */
const FIRST_YEAR = 1601;
const LAST_YEAR = 9999;

/**
 * A response cookie; `Path=/` unless told otherwise.
 *
 * ```ts
 * ctx.setCookie(new Cookie('theme', 'dark').httpOnly(true).sameSite(SameSite.Lax).maxAge(3600));
 * ```
 *
 * @throws Error when the name, the value or an attribute holds what RFC 6265 forbids.
 */
export class Cookie {
  readonly name: string;
  readonly value: string;
  #path = '/';
  #domain: string | undefined;
  #maxAge: number | undefined;
  #expires: Date | undefined;
  #httpOnly = false;
  #secure = false;
  #sameSite: SameSite | undefined;
  #partitioned = false;

  constructor(name: string, value: string) {
    if (!NAME.test(name)) {
      throw new Error(`invalid cookie name ${JSON.stringify(name)}: use letters, digits, '-' and '_'`);
    }
    if (!VALUE.test(value)) {
      throw new Error(
        `invalid value of cookie '${name}': RFC 6265 allows no spaces, quotes, commas, semicolons or backslashes; encode it, for example with encodeURIComponent`,
      );
    }
    this.name = name;
    this.value = value;
  }

  /** Hides the cookie from scripts. */
  httpOnly(on: boolean): this {
    this.#httpOnly = on;
    return this;
  }

  /** Sends the cookie over HTTPS only. */
  secure(on: boolean): this {
    this.#secure = on;
    return this;
  }

  sameSite(policy: SameSite): this {
    if (!Object.values(SameSite).includes(policy)) {
      throw new Error(`invalid SameSite ${JSON.stringify(policy)}: use 'Strict', 'Lax' or 'None'`);
    }
    this.#sameSite = policy;
    return this;
  }

  /** @throws Error unless it is ASCII, starts with '/' and holds no control character and no ';'. */
  path(path: string): this {
    if (!path.startsWith('/')) {
      throw new Error(`invalid cookie path ${JSON.stringify(path)}: start it with '/'`);
    }
    if (!PATH.test(path)) {
      throw new Error(
        `invalid cookie path ${JSON.stringify(path)}: percent-encode what is not ASCII, controls and ';'`,
      );
    }
    this.#path = path;
    return this;
  }

  /** @throws Error unless it is a host name in ASCII. */
  domain(domain: string): this {
    if (domain !== '' && (domain.length > LONGEST_DOMAIN || !DOMAIN.test(domain))) {
      throw new Error(
        `invalid cookie domain ${JSON.stringify(domain)}: give a host name; one with other letters in its ASCII form, 'xn--…'`,
      );
    }
    this.#domain = domain;
    return this;
  }

  /** Life time in seconds; 0 removes the cookie. @throws Error unless it is a whole number, below 2^53. */
  maxAge(seconds: number): this {
    if (!Number.isSafeInteger(seconds)) {
      throw new Error(`invalid cookie maxAge ${seconds}: give whole seconds; browsers keep 400 days at most`);
    }
    this.#maxAge = seconds;
    return this;
  }

  /** @throws Error when it is no date from 1601 to 9999, which is all that browsers read. */
  expires(date: Date): this {
    if (Number.isNaN(date.getTime())) throw new Error('invalid cookie expires: the date is invalid');
    const year = date.getUTCFullYear();
    if (year < FIRST_YEAR || year > LAST_YEAR) {
      throw new Error(
        `invalid cookie expires: browsers read no year ${year}; give ${FIRST_YEAR} to ${LAST_YEAR}`,
      );
    }
    this.#expires = date;
    return this;
  }

  /** Keeps the cookie apart per top-level site (CHIPS); needs `secure(true)`. */
  partitioned(on: boolean): this {
    this.#partitioned = on;
    return this;
  }

  /**
   * The value of a `Set-Cookie` field.
   *
   * @throws Error when browsers would drop the cookie: `SameSite=None` or `Partitioned` without `Secure`, or a
   * `__Host-` or `__Secure-` name whose conditions are not met.
   */
  toString(): string {
    this.#checkCombination();
    let text = `${this.name}=${this.value}`;
    if (this.#maxAge !== undefined) text += `; Max-Age=${this.#maxAge}`;
    if (this.#expires) text += `; Expires=${this.#expires.toUTCString()}`;
    if (this.#domain) text += `; Domain=${this.#domain}`;
    text += `; Path=${this.#path}`;
    if (this.#httpOnly) text += '; HttpOnly';
    if (this.#secure) text += '; Secure';
    if (this.#sameSite) text += `; SameSite=${this.#sameSite}`;
    if (this.#partitioned) text += '; Partitioned';
    return text;
  }

  #checkCombination(): void {
    const refuse = (what: string, remedy: string): Error =>
      new Error(`cookie '${this.name}' would be dropped by browsers: ${what}; ${remedy}`);
    if (!this.#secure) {
      if (this.#sameSite === SameSite.None) throw refuse('SameSite=None needs Secure', 'add .secure(true)');
      if (this.#partitioned) throw refuse('Partitioned needs Secure', 'add .secure(true)');
      if (/^__(host|secure)-/i.test(this.name)) throw refuse('its prefix needs Secure', 'add .secure(true)');
    }
    if (/^__host-/i.test(this.name) && (this.#domain || this.#path !== '/')) {
      throw refuse("the prefix '__Host-' needs Path=/ and no Domain", 'remove .domain() and .path()');
    }
  }
}

/** Reads a request's `Cookie` field: raw values, the first of duplicates, no prototype. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null);
  if (!header) return cookies;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals === -1) continue;
    const name = trimBlanks(pair.slice(0, equals));
    if (name === '' || name in cookies) continue;
    cookies[name] = trimBlanks(pair.slice(equals + 1));
  }
  return cookies;
}
