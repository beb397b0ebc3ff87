// Cookies: reading the request's `Cookie` field, writing `Set-Cookie` (RFC 6265, RFC 6265bis for the prefixes).

import { ConfigError } from '../config-error.js';
import { checkOptions, checkValue, refuseMore } from '../options/check.js';
import { anything, flag, type Rules, text } from '../options/rules.js';
import { kindOf, shown } from '../options/shown.js';
import { trimBlanks } from './white-space.js';

/** The policies of `Cookie.sameSite` (RFC 6265bis, section 4.1.2.7). */
export const SameSite = { Strict: 'Strict', Lax: 'Lax', None: 'None' } as const;
/** `'Strict'`, `'Lax'` or `'None'`. */
export type SameSite = (typeof SameSite)[keyof typeof SameSite];

// RFC 6265, section 4.1.1: cookie-name is a token, cookie-octet excludes controls, space, '"', ',', ';' and '\'.
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
/** Section 4.1.1: av-octet, any ASCII character except controls and ';'. */
const PATH = /^\/[\x20-\x3a\x3c-\x7e]*$/;
/** RFC 1034, section 3.5, with the underscore that some hosts have; a leading dot is ignored by browsers. */
const DOMAIN = /^\.?[\w-]+(?:\.[\w-]+)*$/;
/** The maximum length of a DNS name, with a leading dot. */
const LONGEST_DOMAIN = 254;
/** RFC 6265bis, sections 5.6 and 5.7: what browsers keep of a name with its value, and of an attribute, in bytes. */
const LONGEST_PAIR = 4096;
const LONGEST_ATTRIBUTE = 1024;
/** Section 5.1.1: browsers ignore dates outside of these years. */
const FIRST_YEAR = 1601;
const LAST_YEAR = 9999;

/**
 * A response cookie for `ctx.setCookie`, with `Path=/` by default. Without `maxAge` and `expires` it lasts until the
 * browser closes.
 *
 * ```ts
 * ctx.setCookie(new Cookie('theme', 'dark').httpOnly(true).sameSite(SameSite.Lax).maxAge(3600));
 * ```
 *
 * The constructor and the setters throw an Error for characters that RFC 6265, section 4.1.1 does not allow.
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

  /**
   * @param name a token: letters, digits and some punctuation, such as `-` and `_`.
   * @param value ASCII without spaces, quotes, commas, semicolons and backslashes; encode other values, for example
   *   with `encodeURIComponent`.
   * @throws Error if the name or the value has a character that RFC 6265 does not allow.
   */
  constructor(name: string, value: string, ...more: readonly never[]) {
    refuseMore(
      'new Cookie()',
      more,
      'attributes are methods, such as httpOnly(); ctx.setCookie takes options',
    );
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new Error(`invalid cookie name ${shown(name)}: use letters, digits, '-' and '_'`);
    }
    if (typeof value !== 'string') {
      throw new Error(`the value of cookie '${name}' is ${kindOf(value)}; give a text`);
    }
    if (!VALUE.test(value)) {
      throw new Error(
        `invalid value of cookie '${name}': RFC 6265 allows no spaces, quotes, commas, semicolons, backslashes or characters outside of ASCII; encode it, for example with encodeURIComponent`,
      );
    }
    this.name = name;
    this.value = value;
  }

  /** `HttpOnly`: hides the cookie from scripts. Off by default. */
  httpOnly(on: boolean = true): this {
    this.#httpOnly = checkValue('Cookie', 'httpOnly', on, flag);
    return this;
  }

  /** `Secure`: the browser sends the cookie over HTTPS only. Off by default. */
  secure(on: boolean = true): this {
    this.#secure = checkValue('Cookie', 'secure', on, flag);
    return this;
  }

  /**
   * `SameSite`: whether the browser sends the cookie with requests from other sites. `Strict` means never, `Lax`
   * for top-level navigation only, `None` always, which needs `secure(true)`. By default browsers choose; most
   * use `Lax`.
   *
   * @throws Error if it is none of these.
   */
  sameSite(policy: SameSite): this {
    if (!Object.values(SameSite).includes(policy)) {
      throw new Error(`invalid SameSite ${shown(policy)}: use 'Strict', 'Lax' or 'None'`);
    }
    this.#sameSite = policy;
    return this;
  }

  /**
   * `Path`: the browser sends the cookie for this path and paths below it; `/` by default.
   *
   * @throws Error if it does not start with '/', is not ASCII, contains a control character or ';', or is longer than
   * 1,024 bytes.
   */
  path(path: string): this {
    checkValue('Cookie', 'path', path, text);
    if (!path.startsWith('/')) {
      throw new Error(`invalid cookie path ${JSON.stringify(path)}: start it with '/'`);
    }
    if (!PATH.test(path)) {
      throw new Error(
        `invalid cookie path ${JSON.stringify(path)}: percent-encode non-ASCII characters, controls and ';'`,
      );
    }
    if (path.length > LONGEST_ATTRIBUTE) {
      throw new Error(
        `invalid cookie path of ${path.length} bytes: browsers take no more than ${LONGEST_ATTRIBUTE}`,
      );
    }
    this.#path = path;
    return this;
  }

  /**
   * `Domain`: the browser sends the cookie to this host and all its subdomains. By default, and for an empty text,
   * it sends the cookie only to the host that set it.
   *
   * @throws Error if it is not a host name in ASCII.
   */
  domain(domain: string): this {
    checkValue('Cookie', 'domain', domain, text);
    if (domain !== '' && (domain.length > LONGEST_DOMAIN || !DOMAIN.test(domain))) {
      throw new Error(
        `invalid cookie domain ${JSON.stringify(domain)}: give a host name in ASCII; write an internationalized name in its 'xn--…' form`,
      );
    }
    this.#domain = domain;
    return this;
  }

  /**
   * `Max-Age`: the lifetime in seconds; 0 or less removes the cookie. It takes precedence over `expires`. Browsers
   * limit it to 400 days.
   *
   * @throws Error if it is not a safe integer.
   */
  maxAge(seconds: number): this {
    if (!Number.isSafeInteger(seconds)) {
      throw new Error(
        `invalid cookie maxAge ${shown(seconds)}: give whole seconds; browsers keep a cookie for at most 400 days`,
      );
    }
    this.#maxAge = seconds;
    return this;
  }

  /**
   * `Expires`: when the browser removes the cookie. Prefer `maxAge`, which does not depend on the client's clock.
   *
   * @throws Error if the date is invalid or not from 1601 to 9999, the years that browsers accept.
   */
  expires(date: Date): this {
    if (!(date instanceof Date))
      throw new Error(`invalid cookie expires: it is ${kindOf(date)}; give a Date`);
    if (Number.isNaN(date.getTime())) throw new Error('invalid cookie expires: the date is invalid');
    const year = date.getUTCFullYear();
    if (year < FIRST_YEAR || year > LAST_YEAR) {
      throw new Error(
        `invalid cookie expires: browsers do not accept the year ${year}; give ${FIRST_YEAR} to ${LAST_YEAR}`,
      );
    }
    this.#expires = date;
    return this;
  }

  /** `Partitioned`: a separate cookie for each top-level site (CHIPS); needs `secure(true)`. Off by default. */
  partitioned(on: boolean = true): this {
    this.#partitioned = checkValue('Cookie', 'partitioned', on, flag);
    return this;
  }

  /**
   * The value of a `Set-Cookie` field.
   *
   * @throws Error if browsers would drop the cookie: a name and a value of more than 4,096 bytes together,
   * `SameSite=None` or `Partitioned` without `Secure`, a name that begins with `__Secure-`, `__Host-`, `__Http-` or
   * `__Host-Http-` without `Secure`, one with `Http-` in its prefix without `HttpOnly`, or one with `__Host-` with a
   * domain or with a path other than `/`.
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
      if (SECURE_PREFIX.test(this.name)) throw refuse('its prefix needs Secure', 'add .secure(true)');
    }
    if (!this.#httpOnly && HTTP_PREFIX.test(this.name))
      throw refuse('its prefix needs HttpOnly', 'add .httpOnly(true)');
    const size = this.name.length + this.value.length;
    if (size > LONGEST_PAIR) {
      throw refuse(
        `its name and value have ${size} bytes, more than ${LONGEST_PAIR}`,
        'keep the data on the server, as in a session, and send its id',
      );
    }
    if (/^__host-/i.test(this.name) && (this.#domain || this.#path !== '/')) {
      throw refuse("the prefix '__Host-' needs Path=/ and no Domain", 'remove .domain() and .path()');
    }
  }
}

/** RFC 6265bis, section 4.1.3: prefixes of names, which browsers compare without case. */
const SECURE_PREFIX = /^__(?:secure|host|http|host-http)-/i;
const HTTP_PREFIX = /^__(?:host-)?http-/i;

/** The attributes that identify the cookie to remove. */
export interface RemoveCookieOptions {
  /** The `Path` that the cookie was set with; `/` by default. */
  path?: string;
  /** The `Domain` that the cookie was set with; none by default. */
  domain?: string;
}

const REMOVAL: Rules<RemoveCookieOptions> = { path: anything, domain: anything };

/** The cookie that makes a browser drop the one of this name. */
export function removal(name: string, options: RemoveCookieOptions): Cookie {
  const { path = '/', domain } = checkOptions('removeCookie', options, REMOVAL);
  const cookie = new Cookie(name, '').maxAge(0).path(path);
  if (SECURE_PREFIX.test(name)) cookie.secure(true);
  if (HTTP_PREFIX.test(name)) cookie.httpOnly(true);
  return domain === undefined ? cookie : cookie.domain(domain);
}

/** The cookie of the name. @throws Error for what is not a name, such as that in a variable that is not set */
export function cookieNamed(all: Readonly<Record<string, string>>, name: string): string | undefined {
  if (typeof name !== 'string') throw new Error(`ctx.cookie() takes a name, got ${kindOf(name)}`);
  return all[name];
}

/** Parses a request's `Cookie` field: raw values; of duplicates the first; an object without a prototype. */
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

/**
 * The raw value of a cookie by its exact name; undefined if there is none, or several that differ: browsers send
 * such if another host or path of the site has planted one, and the server cannot tell which.
 */
export function onlyCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  let found: string | undefined;
  for (let start = 0; start < header.length; ) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon === -1 ? header.length : semicolon;
    const pair = header.slice(start, end);
    start = end + 1;
    const equals = pair.indexOf('=');
    if (equals === -1 || trimBlanks(pair.slice(0, equals)) !== name) continue;
    const value = trimBlanks(pair.slice(equals + 1));
    if (found !== undefined && found !== value) return undefined;
    found = value;
  }
  return found;
}

/** Whether two values of `Set-Cookie` are of the same cookie: name, domain and path identify it (RFC 6265, section 5.3). */
export function isSameCookie(one: string, other: string): boolean {
  const [a, b] = [one, other].map((field) => {
    const [pair = '', ...attributes] = field.split('; ');
    const kept = attributes.filter((attribute) => /^(?:Domain|Path)=/.test(attribute));
    return [pair.slice(0, pair.indexOf('=')), ...kept].join('; ');
  });
  return a === b;
}

/** What `make` returns. @throws ConfigError if the name or an attribute of the cookie is not allowed */
export function checkCookie(who: string, make: () => string): string {
  try {
    return make();
  } catch (error) {
    throw new ConfigError('FW_COOKIE', `${who}: ${(error as Error).message}`);
  }
}

/** The attributes of a cookie, as `ctx.setCookie` takes them; each is described at the setter of `Cookie`. */
export interface CookieOptions {
  readonly path?: string;
  readonly domain?: string;
  /** In seconds. */
  readonly maxAge?: number;
  readonly expires?: Date;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: SameSite;
  readonly partitioned?: boolean;
}

const OPTIONS: Rules<CookieOptions> = {
  path: anything,
  domain: anything,
  maxAge: anything,
  expires: anything,
  httpOnly: flag,
  secure: flag,
  sameSite: anything,
  partitioned: flag,
};

/** What `ctx.setCookie` takes. */
export type GivenCookie =
  | [cookie: Cookie, value?: undefined, options?: undefined]
  | [name: string, value: string, options?: CookieOptions];

/** @throws ConfigError if an option is unknown; Error like the setters of `Cookie`, or if browsers would drop it */
export function cookieText(...[cookie, value = '', options = {}]: GivenCookie): string {
  if (cookie instanceof Cookie) return cookie.toString();
  if (typeof cookie === 'string') return cookieOf(cookie, value, options).toString();
  throw new Error(
    `setCookie() takes a Cookie, or a name and a value; the first argument is ${kindOf(cookie)}`,
  );
}

function cookieOf(name: string, value: string, options: CookieOptions): Cookie {
  const cookie = new Cookie(name, value);
  const { path, domain, maxAge, expires, sameSite, ...flags } = checkOptions('setCookie', options, OPTIONS);
  if (path !== undefined) cookie.path(path);
  if (domain !== undefined) cookie.domain(domain);
  if (maxAge !== undefined) cookie.maxAge(maxAge);
  if (expires !== undefined) cookie.expires(expires);
  if (sameSite !== undefined) cookie.sameSite(sameSite);
  const { httpOnly = false, secure = false, partitioned = false } = flags;
  return cookie.httpOnly(httpOnly).secure(secure).partitioned(partitioned);
}
