// Cookies: reading the request's `Cookie` field, writing `Set-Cookie` (RFC 6265, RFC 6265bis for the prefixes).
import { trimBlanks } from './white-space.js';

export const SameSite = { Strict: 'Strict', Lax: 'Lax', None: 'None' } as const;
export type SameSite = (typeof SameSite)[keyof typeof SameSite];

// RFC 6265, section 4.1.1: cookie-name is a token, cookie-octet excludes controls, space, '"', ',', ';' and '\'.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: path-value and domain-value hold no control and no ';'.
const ATTRIBUTE = /^[^\x00-\x1f\x7f;]*$/;

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
  #path: string | undefined = '/';
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

  path(path: string): this {
    if (!path.startsWith('/'))
      throw new Error(`invalid cookie path ${JSON.stringify(path)}: start it with '/'`);
    this.#path = checkAttribute('path', path);
    return this;
  }

  domain(domain: string): this {
    this.#domain = checkAttribute('domain', domain);
    return this;
  }

  /** Life time in seconds; 0 removes the cookie. */
  maxAge(seconds: number): this {
    if (!Number.isInteger(seconds)) throw new Error(`invalid cookie maxAge ${seconds}: give whole seconds`);
    this.#maxAge = seconds;
    return this;
  }

  expires(date: Date): this {
    if (Number.isNaN(date.getTime())) throw new Error('invalid cookie expires: the date is invalid');
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
    if (this.#path) text += `; Path=${this.#path}`;
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

function checkAttribute(name: string, value: string): string {
  if (!ATTRIBUTE.test(value)) throw new Error(`invalid cookie ${name} ${JSON.stringify(value)}`);
  return value;
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
