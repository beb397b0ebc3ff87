// Testing: keeps cookies and sends them like a browser (RFC 6265, section 5), for one host.
import { trimBlanks } from '../http/white-space.js';

interface StoredCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly isSecure: boolean;
  readonly expiresAtMs: number;
}

export class CookieJar {
  /** In the order in which they were first stored. */
  readonly #cookies = new Map<string, StoredCookie>();

  /** Stores what a `Set-Cookie` of the response to this URL says (section 5.3); one that has expired is removed. */
  keep(setCookie: string, url: URL): void {
    const cookie = parseSetCookie(setCookie, url.pathname);
    if (cookie === undefined) return;
    const key = JSON.stringify([cookie.name, cookie.path]);
    if (cookie.expiresAtMs <= Date.now()) this.#cookies.delete(key);
    else this.#cookies.set(key, cookie);
  }

  /** The value of the header field `Cookie` for a request to this URL (section 5.4); undefined if there is no cookie. */
  header(url: URL): string | undefined {
    const isTrusted = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
    const fitting = this.#alive.filter(
      ({ path, isSecure }) => (isTrusted || !isSecure) && matches(url.pathname, path),
    );
    // Longer paths first; the sort is stable.
    const sorted = fitting.toSorted((one, other) => other.path.length - one.path.length);
    return sorted.map(({ name, value }) => `${name}=${value}`).join('; ') || undefined;
  }

  /** The value of a cookie; of several paths, that with the shortest. */
  get(name: string): string | undefined {
    const named = this.#alive.filter((one) => one.name === name);
    return named.toSorted((one, other) => one.path.length - other.path.length)[0]?.value;
  }

  get #alive(): StoredCookie[] {
    const now = Date.now();
    return [...this.#cookies.values()].filter(({ expiresAtMs }) => expiresAtMs > now);
  }
}

/** Browsers send secure cookies to these over plain HTTP too. */
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Section 5.2; undefined if there is no name. The last attribute of a name counts. */
function parseSetCookie(text: string, requestPath: string): StoredCookie | undefined {
  const [pair = '', ...rest] = text.split(';');
  const at = pair.indexOf('=');
  const name = trimBlanks(pair.slice(0, Math.max(at, 0)));
  if (name === '') return undefined;
  const attributes = new Map(rest.map(attributeOf));
  const path = attributes.get('path');
  return {
    name,
    value: trimBlanks(pair.slice(at + 1)),
    path: path?.startsWith('/') ? path : defaultPath(requestPath),
    isSecure: attributes.has('secure'),
    expiresAtMs: expiryOf(attributes),
  };
}

function attributeOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  const [name, value] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return [trimBlanks(name).toLowerCase(), trimBlanks(value)];
}

/** `Max-Age` takes precedence. Without both, the cookie lives as long as the client. */
function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) {
    return Number(maxAge) <= 0 ? Number.NEGATIVE_INFINITY : Date.now() + Number(maxAge) * 1000;
  }
  const expires = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires;
}

/** Section 5.1.4: the path of the request without its last segment. */
function defaultPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** Section 5.1.4: `/a` is for `/a` and `/a/b`, and not for `/ab`. */
function matches(path: string, cookiePath: string): boolean {
  if (path === cookiePath) return true;
  return path.startsWith(cookiePath) && (cookiePath.endsWith('/') || path[cookiePath.length] === '/');
}
