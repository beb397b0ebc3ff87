// Who may see the page about the app: the developer on this machine, and whoever has the token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { OWNER_FIELD, SCHEME_FIELD } from '../worker/workbench-proxy.js';
import { Refusal } from './refusals.js';

const PARAMETER = 'token';
/** How long a browser keeps the cookie, in seconds. */
const COOKIE_LIFE = 30 * 24 * 3600;

export interface AccessOptions {
  token(): string;
  /** Whether the developer's own requests need the token too. */
  isTokenRequired(): boolean;
}

/** A browser came with the token: it keeps it in the cookie, and goes to the address without it. */
export interface Admission {
  readonly location: string;
  readonly cookie: string;
}

export class Access {
  readonly #options: AccessOptions;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** @param path of the request, without the query. @throws Refusal without the right to see the page */
  admit(request: IncomingMessage, path: string): Admission | undefined {
    const { method, url = '', headers } = request;
    const at = url.indexOf('?');
    const query = new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
    const given = query.get(PARAMETER);
    if (given !== null && this.#isToken(given)) {
      if (method !== 'GET') return undefined;
      query.delete(PARAMETER);
      const rest = query.toString();
      return {
        location: rest === '' ? path : `${path}?${rest}`,
        cookie: this.#cookie(headers[SCHEME_FIELD] === 'https'),
      };
    }
    if (headers[OWNER_FIELD] === 'yes' && !this.#options.isTokenRequired()) return undefined;
    if (cookiesOf(headers.cookie, this.#cookieName).some((value) => this.#isToken(value))) return undefined;
    throw new Refusal(403, 'TokenRequired', refusal);
  }

  #cookie(isSecure: boolean): string {
    // This page alone has it: the app does not get it.
    const attributes = `Path=/_fw; Max-Age=${COOKIE_LIFE}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
    return `${this.#cookieName}=${this.#options.token()}; ${attributes}`;
  }

  /** Cookies of one host are shared by all its ports: each project has a name of its own, which tells nothing. */
  get #cookieName(): string {
    return `fw-page-${digest(this.#options.token()).toString('hex', 0, 4)}`;
  }

  /** In constant time. */
  #isToken(given: string): boolean {
    return timingSafeEqual(digest(given), digest(this.#options.token()));
  }
}

const refusal = [
  'the page about the app is for its developer, and this request came from another machine, through a proxy, or for',
  'another name than localhost (or fw.toml says workbench_token = true):',
  'open it at localhost on the machine of fw dev, or by the address with ?token=… that fw dev prints',
].join(' ');

function cookiesOf(field: string | undefined, name: string): string[] {
  return (field ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.split('=', 2);
    return key.replace(/^[ \t]+/, '') === name ? [value] : [];
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
