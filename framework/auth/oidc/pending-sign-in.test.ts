import { afterEach, describe, expect, it, vi } from 'vitest';
import { TrialBrowser } from '../../conformance/oidc/trial-browser.js';
import {
  arrival,
  callbackOf,
  closeShops,
  isSignedIn,
  pendingKeys,
  shop,
} from '../../conformance/oidc/trial-shop.js';
import type { Cookie } from '../../http/cookie.js';
import { type PendingSignIn, PendingSignIns } from './pending-sign-in.js';

afterEach(closeShops);

const issuer = 'https://login.example';
const redirect = new URL('https://shop.example/callback');
const pending = new PendingSignIns(issuer, redirect);
const state = 's'.repeat(43);
const begun: PendingSignIn = {
  state,
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  returnTo: '/orders?page=2#last',
};

/** As a browser sends them: by name, without those that have ended. */
class Jar {
  readonly #all = new Map<string, string>();

  keep(cookies: readonly Cookie[]): this {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie.toString()) ?? [];
      if (cookie.toString().includes('Max-Age=0')) this.#all.delete(name);
      else this.#all.set(name, value);
    }
    return this;
  }

  get header(): string {
    return [...this.#all].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get names(): string[] {
    return [...this.#all.keys()];
  }
}

const nameOf = (one: string): string => `__Host-oidc-${one.slice(0, 12)}`;
const inTab = (tab: number): PendingSignIn => ({ ...begun, state: String(tab).padStart(12, '0') + state });

describe('a sign-in that has begun', () => {
  it('is found by its state, and its end removes its cookie alone', () => {
    const jar = new Jar().keep(pending.begin(undefined, begun, '/'));
    expect(pending.find(jar.header, state)).toMatchObject(begun);
    jar.keep(pending.begin(jar.header, inTab(2), '/'));
    jar.keep([pending.end(begun)]);
    expect(pending.find(jar.header, state)).toBeUndefined();
    expect(pending.find(jar.header, inTab(2).state)).toMatchObject(inTab(2));
  });

  it.each([
    undefined,
    '',
    's'.repeat(12),
    's'.repeat(42),
    's'.repeat(44),
    '; __Host-oidc-=x',
    'x'.repeat(43),
  ])('is not found by the state %j', (other) => {
    const jar = new Jar().keep(pending.begin(undefined, begun, '/'));
    expect(pending.find(jar.header, other)).toBeUndefined();
  });

  it('is not found if another cookie of its name was added', () => {
    const { header } = new Jar().keep(pending.begin(undefined, begun, '/'));
    expect(pending.find(`${header}; ${nameOf(state)}=other`, state)).toBeUndefined();
  });

  it('goes to the other path, if its own is too long for a cookie', () => {
    const plain = { ...begun, returnTo: `/${'a'.repeat(999)}` };
    const quoted = { ...begun, returnTo: `/${'"'.repeat(999)}` };
    const found = [plain, quoted].map(
      (one) => pending.find(new Jar().keep(pending.begin(undefined, one, '/home')).header, state)?.returnTo,
    );
    expect(found).toEqual([plain.returnTo, '/home']);
  });

  it('ends the oldest, before together they are too long for a request', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const jar = new Jar();
    for (let tab = 0; tab < 100; tab++) {
      vi.setSystemTime(1_000_000 + tab);
      jar.keep(pending.begin(jar.header, inTab(tab), '/'));
      expect(jar.header.length).toBeLessThan(8_000);
      expect(pending.find(jar.header, inTab(tab).state)).toMatchObject(inTab(tab));
    }
    expect(jar.names.length).toBeGreaterThan(8);
    expect(jar.names).toEqual(
      Array.from({ length: jar.names.length }, (_, index) =>
        nameOf(inTab(100 - jar.names.length + index).state),
      ),
    );
  });

  it('stays when one with another provider of the app begins, which does not finish it', () => {
    const other = new PendingSignIns('https://other.example', redirect);
    const jar = new Jar().keep(pending.begin(undefined, begun, '/'));
    jar.keep(other.begin(jar.header, inTab(2), '/'));
    expect(pending.find(jar.header, state)).toMatchObject(begun);
    expect(other.find(jar.header, state)).toBeUndefined();
  });

  it('ends those that nothing can be read from, and no other cookie', () => {
    const { header } = new Jar().keep(pending.begin(undefined, begun, '/'));
    const sent = `id=1; __Host-oidc-old=x; __Host-oidc-=; ${header}; __Host-oidc-a b=x; __Host-oid-c=x`;
    const ended = pending.begin(sent, inTab(2), '/').map((cookie) => cookie.toString());
    expect(ended).toHaveLength(3);
    expect(ended.slice(0, 2).map((text) => text.split(';')[0])).toEqual([
      '__Host-oidc-old=',
      '__Host-oidc-=',
    ]);
    for (const text of ended.slice(0, 2)) expect(text).toMatch(/Max-Age=0.*Secure/);
  });
});

describe('a cookie with the name of a sign-in', () => {
  const whole = { ...begun, issuer, redirectUri: redirect.href, begunAt: 1_000 };
  const written = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const found = (text: string): PendingSignIn | undefined => pending.find(`${nameOf(state)}=${text}`, state);

  it('is read if it is whole', () => {
    expect(found(written(whole))).toEqual(whole);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [whole]],
    ['a text', 'state'],
    ['without a state', { ...whole, state: undefined }],
    ['of another state', { ...whole, state: `${state}s` }],
    ['with a short nonce', { ...whole, nonce: 's' }],
    ['with a verifier that is not a text', { ...whole, verifier: { length: 43 } }],
    ['with a path of another server', { ...whole, returnTo: '//evil.example' }],
    ['without a path', { ...whole, returnTo: undefined }],
    ['without its time', { ...whole, begunAt: undefined }],
    ['with a time that is a text', { ...whole, begunAt: '1000' }],
    ['of another provider', { ...whole, issuer: 'https://evil.example' }],
    ['for another callback', { ...whole, redirectUri: 'https://shop.example/other/callback' }],
    ['too long', { ...whole, more: 'x'.repeat(3000) }],
  ])('is not one if it is %s', (_, value) => {
    expect(found(written(value))).toBeUndefined();
  });

  it.each(['', '=', 'ab$', 'abc', 'A'.repeat(3001)])('is not one if it is %j', (text) => {
    expect(found(text)).toBeUndefined();
  });
});

describe('a browser with several tabs', () => {
  it('finishes each sign-in, in any order, where each began', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callbacks: string[] = [];
    for (const page of [1, 2, 3]) {
      callbacks.push(
        await callbackOf(one, browser, `?return_to=${encodeURIComponent(`/orders?page=${page}`)}`),
      );
    }
    expect(pendingKeys(browser)).toHaveLength(3);
    const ends = [];
    for (const index of [1, 2, 0]) ends.push((await browser.open(callbacks[index] ?? '')).location);
    expect(ends).toEqual([2, 3, 1].map((page) => `${one.url}/orders?page=${page}`));
    expect(await isSignedIn(one, browser)).toBe(true);
    expect(pendingKeys(browser)).toEqual([]);
    expect(await arrival(one, browser, callbacks[0] ?? '')).toMatchObject({ status: 400 });
  });
});
