// OIDC: the sign-ins that a browser has begun. Each has a cookie of its own, as several tabs may begin one.
import { Cookie, onlyCookie, parseCookies, SameSite } from '../../http/cookie.js';
import { localPath } from '../../http/request-target.js';

/** What binds the answer of the provider to this browser. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  /** Proves to the provider that the code is redeemed by whom it was made for (RFC 7636). */
  readonly verifier: string;
  /** The path that the browser ends up at. */
  readonly returnTo: string;
}

interface WrittenSignIn extends PendingSignIn {
  /** The provider that it began at: another one must not end it (RFC 9700, section 4.4.2). */
  readonly issuer: string;
  /** Where that provider sends the browser back to, which is where it must arrive (RFC 9700, section 4.4.2.2). */
  readonly redirectUri: string;
  /** In milliseconds since 1970. */
  readonly begunAt: number;
}

/** A sign-in is kept for so long in the browser. */
const SECONDS_TO_SIGN_IN = 600;

/** Characters of one cookie: a browser keeps 4,096 with its name and attributes (RFC 6265, section 6.1). */
const LONGEST_COOKIE = 3_000;

/** Characters of all such cookies of a browser: a server refuses a request whose headers are longer than 16 KiB. */
const MOST_TOGETHER = 6_000;

export class PendingSignIns {
  readonly #issuer: string;
  readonly #redirectUri: string;
  readonly #isSecure: boolean;
  readonly #prefix: string;

  constructor(issuer: string, redirect: URL) {
    this.#issuer = issuer;
    this.#redirectUri = redirect.href;
    this.#isSecure = redirect.protocol === 'https:';
    this.#prefix = this.#isSecure ? '__Host-oidc-' : 'oidc-';
  }

  /**
   * The cookies to set: that of the sign-in, and the ends of the oldest others, if together they would be too long.
   *
   * @param header the `Cookie` field of the request
   * @param otherwise the path instead of one that is too long for a cookie
   */
  begin(header: string | undefined, begun: PendingSignIn, otherwise: string): Cookie[] {
    const whole = { ...begun, issuer: this.#issuer, redirectUri: this.#redirectUri, begunAt: Date.now() };
    const full = written(whole);
    const text = full.length <= LONGEST_COOKIE ? full : written({ ...whole, returnTo: otherwise });
    const ended = this.#tooMany(header, MOST_TOGETHER - text.length).map((name) => this.#cookie(name, '', 0));
    return [...ended, this.#cookie(this.#nameOf(begun.state), text, SECONDS_TO_SIGN_IN)];
  }

  /** The sign-in of the state that the provider has sent back; undefined if this browser has not begun it here. */
  find(header: string | undefined, state: string | undefined): PendingSignIn | undefined {
    if (state === undefined) return undefined;
    const found = this.#read(onlyCookie(header, this.#nameOf(state)));
    return found?.state === state ? found : undefined;
  }

  /** The cookie that ends it. */
  end({ state }: PendingSignIn): Cookie {
    return this.#cookie(this.#nameOf(state), '', 0);
  }

  /** The names of the cookies that must go, so that the others are not longer than that: the oldest, and unreadable ones. */
  #tooMany(header: string | undefined, most: number): string[] {
    const all = Object.entries(parseCookies(header))
      .filter(([name]) => name.startsWith(this.#prefix) && /^[\w-]+$/.test(name))
      .map(([name, value]) => ({ name, length: value.length, begunAt: parsed(value)?.begunAt ?? 0 }))
      .sort((one, other) => other.begunAt - one.begunAt);
    let together = 0;
    return all
      .filter(({ length, begunAt }) => {
        together += length;
        return begunAt === 0 || together > most;
      })
      .map(({ name }) => name);
  }

  /** Undefined if the cookie is absent, was not written here, or began at another provider. */
  #read(cookie: string | undefined): WrittenSignIn | undefined {
    const found = parsed(cookie);
    const isOwn = found?.issuer === this.#issuer && found.redirectUri === this.#redirectUri;
    return isOwn ? found : undefined;
  }

  /** As much of the state as tells the tabs of a browser apart. */
  #nameOf(state: string): string {
    return this.#prefix + state.slice(0, 12);
  }

  #cookie(name: string, value: string, maxAge: number): Cookie {
    const cookie = new Cookie(name, value).httpOnly(true).sameSite(SameSite.Lax);
    return cookie.secure(this.#isSecure).maxAge(maxAge);
  }
}

/** What any provider of the app has begun; undefined if the cookie is absent, or was not written by `written`. */
function parsed(cookie: string | undefined): WrittenSignIn | undefined {
  if (cookie === undefined || cookie.length > LONGEST_COOKIE || !/^[\w-]+$/.test(cookie)) return undefined;
  try {
    const found = JSON.parse(
      Buffer.from(cookie, 'base64url').toString('utf8'),
    ) as Partial<WrittenSignIn> | null;
    const { state, nonce, verifier, returnTo, begunAt } = found ?? {};
    const isWhole = [state, nonce, verifier].every((one) => typeof one === 'string' && one.length >= 32);
    const path = localPath(returnTo);
    if (!isWhole || path === undefined || !Number.isSafeInteger(begunAt)) return undefined;
    return { ...found, returnTo: path } as WrittenSignIn;
  } catch {
    // Not JSON: the sign-in was not begun here.
    return undefined;
  }
}

function written(pending: WrittenSignIn): string {
  return Buffer.from(JSON.stringify(pending)).toString('base64url');
}
