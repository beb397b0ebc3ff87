// Passwords: a signed cookie of a browser that has signed in to an account before.
//
// OWASP, "Slow down online guessing attacks with device cookies": attempts of such a browser are counted apart, so that
// those of strangers do not lock it out.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context/context.js';
import { Cookie, onlyCookie, SameSite } from '../../http/cookie.js';

/** In seconds. */
const LIFETIME = 365 * 24 * 3600;
/** A nonce of 16 bytes and an HMAC-SHA-256, in base64url. */
const VALUE = /^([\w-]{22})\.([\w-]{43})$/;

export class DeviceCookies {
  readonly #secret: string | Buffer;
  readonly #isSecure: boolean;

  /** @param secret the same in all processes; one of this process if it is undefined */
  constructor(secret: string | undefined, isSecure: boolean) {
    this.#secret = secret ?? randomBytes(32);
    this.#isSecure = isSecure;
  }

  /** Names the device of the request, if it has signed in to this account before. */
  deviceOf(ctx: Context, account: string): string | undefined {
    const value = onlyCookie(ctx.req.header('cookie'), this.#name);
    const [, nonce, mac] = VALUE.exec(value ?? '') ?? [];
    if (nonce === undefined || mac === undefined) return undefined;
    const expected = this.#mac(account, nonce);
    const presented = Buffer.from(mac, 'base64url');
    return presented.length === expected.length && timingSafeEqual(presented, expected) ? nonce : undefined;
  }

  /** Lets the browser be known from now on, with a new name at each sign-in. */
  remember(ctx: Context, account: string): void {
    const nonce = randomBytes(16).toString('base64url');
    const value = `${nonce}.${this.#mac(account, nonce).toString('base64url')}`;
    const cookie = new Cookie(this.#name, value).httpOnly(true).secure(this.#isSecure);
    ctx.setCookie(cookie.sameSite(SameSite.Lax).maxAge(LIFETIME));
  }

  get #name(): string {
    return this.#isSecure ? '__Host-device' : 'device';
  }

  /** The label keeps a secret that signs other things too from giving such cookies. */
  #mac(account: string, nonce: string): Buffer {
    return createHmac('sha256', this.#secret).update(`fw device\n${account}\n${nonce}`).digest();
  }
}
