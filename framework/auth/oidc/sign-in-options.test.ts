import { describe, expect, it } from 'vitest';
import { TrialProvider } from '../../conformance/oidc/trial-provider.js';
import { localPath } from '../../http/request-target.js';
import { App, ConfigError } from '../../index.js';
import { type OidcSignInOptions, oidcSignIn } from './index.js';
import { loadClient } from './sign-in.js';

describe('the cookie of a sign-in that has begun', () => {
  async function cookieOf(redirectUri: string): Promise<string> {
    const provider = await new TrialProvider().start();
    const oidc = await oidcSignIn({ issuer: provider.issuer, clientId: 'shop', redirectUri });
    const app = new App().get('/', oidc.signIn);
    const response = await app.fetch(new Request('http://x/'));
    await provider.kill();
    expect(response.headers.get('cache-control')).toBe('no-store');
    return response.headers
      .getSetCookie()
      .join('\n')
      .replace(/-[\w-]{12}=[\w-]+/, '-…=…');
  }

  it('is for this host alone, over https, and not for scripts', async () => {
    const cookie = await cookieOf('https://shop.example/auth/callback');
    expect(cookie.split('; ').sort()).toEqual(
      ['__Host-oidc-…=…', 'HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'Secure'].sort(),
    );
  });

  it('has no prefix over http, which is for this machine alone', async () => {
    const cookie = await cookieOf('http://127.0.0.1:3000/auth/callback');
    expect(cookie.split('; ').sort()).toEqual(
      ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Lax', 'oidc-…=…'].sort(),
    );
  });
});

describe('oidcSignIn', () => {
  const good = {
    issuer: 'https://login.example',
    clientId: 'shop',
    redirectUri: 'https://shop.example/callback',
  };
  it.each<[string, object, RegExp]>([
    ['an issuer over http', { issuer: 'http://login.example' }, /issuer.*takes an https address/],
    ['an issuer that is not an address', { issuer: 'login' }, /issuer.*takes an https address, got 'login'/],
    ['no issuer', { issuer: undefined }, /issuer/],
    ['no client', { clientId: '' }, /clientId is ''; give the id that the provider has registered/],
    ['an empty secret', { clientSecret: '' }, /clientSecret/],
    ['a secret that is not a text', { clientSecret: 7 }, /clientSecret/],
    ['a callback over http', { redirectUri: 'http://shop.example/' }, /redirectUri.*takes an https address/],
    ['a callback with a query', { redirectUri: 'https://shop.example/?a=b' }, /redirectUri.*without a query/],
    [
      'a callback with a fragment',
      { redirectUri: 'https://shop.example/#a' },
      /redirectUri.*without a query/,
    ],
    [
      'a page after the sign-out over http',
      { postLogoutRedirectUri: 'http://shop.example/' },
      /postLogoutRedirectUri/,
    ],
    [
      'a page of another server',
      { defaultReturnTo: '//evil.example' },
      /defaultReturnTo is '\/\/evil.example'; give a path of this server/,
    ],
    ['a whole address as page', { defaultReturnTo: 'https://shop.example/' }, /defaultReturnTo/],
    ['a scope without openid', { scope: 'email' }, /lacks 'openid'/],
    ['a list of scopes', { scope: ['openid'] }, /scope/],
    ['no time', { timeoutMs: 0 }, /timeoutMs is 0; give/],
    ['a part of a millisecond', { timeoutMs: 1000.5 }, /timeoutMs is 1000.5; give a whole number/],
    ['a time that no timer takes', { timeoutMs: 2 ** 31 }, /timeoutMs is 2147483648; give/],
    ['a time that is not a number', { timeoutMs: Number.NaN }, /timeoutMs is NaN; give/],
    ['an onSignIn that is not a function', { onSignIn: 'x' }, /onSignIn/],
    ['an option that there is not', { scopes: 'openid' }, /scopes/],
  ])('refuses %s', async (_, options, message) => {
    const made = oidcSignIn({ ...good, ...options } as OidcSignInOptions);
    await expect(made).rejects.toThrow(message);
    await expect(made).rejects.toThrow(ConfigError);
  });

  it('never shows the secret', async () => {
    const made = oidcSignIn({ ...good, clientSecret: 'hunter2', timeoutMs: -1 });
    await expect(made).rejects.toThrow(expect.not.stringContaining('hunter2'));
  });

  it('says what to install if openid-client is missing', async () => {
    const missing = 'fw-no-such-package';
    await expect(loadClient(() => import(missing))).rejects.toThrow(/npm install openid-client/);
    await expect(loadClient(() => Promise.reject(new TypeError('broken')))).rejects.toThrow(TypeError);
  });
});

describe('the path after a sign-in', () => {
  it('is one of this server: what browsers read as another is none', () => {
    for (const path of ['/', '/a', '/a?b=//c#d', '/%2F/a', '/..//a', '/~!@:;,*()[]{}|^`\'"<>']) {
      expect([path, localPath(path)]).toEqual([path, path]);
      expect(new URL(path, 'https://shop.example').host).toBe('shop.example');
    }
    const others = [
      '',
      'a',
      '//a',
      '/\\a',
      '\\',
      '/\t/a',
      '/\n/a',
      '/\r/a',
      '/ /a',
      '/é',
      '/a\\b',
      '/\u007f',
      ' /',
      '/\u2028',
    ];
    for (const path of [...others, `/${'a'.repeat(1000)}`, undefined, null, 7, ['/'], { length: 1 }]) {
      expect([path, localPath(path)]).toEqual([path, undefined]);
    }
  });
});
