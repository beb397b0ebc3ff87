import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TrialBrowser } from '../../conformance/oidc/trial-browser.js';
import { CLIENT, firstKey, signingKey } from '../../conformance/oidc/trial-provider.js';
import {
  arrival,
  callbackOf,
  closeShops,
  isSignedIn,
  listen,
  pendingKeys,
  shop,
} from '../../conformance/oidc/trial-shop.js';
import { FwError } from '../../index.js';
import type { SignedIn } from './index.js';

afterEach(closeShops);

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a sign-in with a provider', () => {
  it('ends up where it began, as the account of the provider', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    expect((await browser.open(`${one.url}/orders`)).status).toBe(401);
    const page = await browser.walk(
      `${one.url}/auth/sign-in?return_to=${encodeURIComponent('/orders?page=2')}`,
    );
    expect([page.status, page.text]).toEqual([200, 'orders of ada, for 2']);
    expect(pendingKeys(browser)).toEqual([]);
  });

  it('asks with a code, PKCE, state and nonce, which are new each time', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const pages = [
      await browser.open(`${one.url}/auth/sign-in`),
      await browser.open(`${one.url}/auth/sign-in`),
    ];
    const [first, second] = pages.map(({ location }) => new URL(location ?? '').searchParams);
    expect(Object.fromEntries(first ?? [])).toMatchObject({
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'openid',
      code_challenge_method: 'S256',
      redirect_uri: `${one.url}/auth/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first?.get(name)?.length).toBeGreaterThanOrEqual(43);
      expect(first?.get(name)).not.toBe(second?.get(name));
    }
    // The verifier is for the server alone.
    expect(pages[0]?.location).not.toContain('verifier');
  });

  it('begins anew each time, whatever caches are in between', async () => {
    const one = await shop();
    const { headers } = await fetch(`${one.url}/auth/sign-in`, { redirect: 'manual' });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('asks for the scopes that are set, and ends at the page that is set', async () => {
    const one = await shop({ scope: 'openid email', defaultReturnTo: '/orders?page=7' });
    const browser = new TrialBrowser();
    const { location } = await browser.open(`${one.url}/auth/sign-in`);
    expect(new URL(location ?? '').searchParams.get('scope')).toBe('openid email');
    expect((await browser.walk(`${one.url}/auth/sign-in`)).text).toBe('orders of ada, for 7');
    const other = await browser.walk(`${one.url}/auth/sign-in?return_to=//evil.example`);
    expect(other.text).toBe('orders of ada, for 7');
  });

  it.each([16_001, 2 ** 31 - 1])(
    'may wait for %i milliseconds, which are not whole seconds',
    async (timeoutMs) => {
      const timeouts = vi.spyOn(AbortSignal, 'timeout');
      onTestFinished(() => timeouts.mockRestore());
      const one = await shop({ timeoutMs });
      expect((await new TrialBrowser().walk(`${one.url}/auth/sign-in`)).text).toBe('home of ada');
      expect(timeouts).toHaveBeenCalledWith(timeoutMs);
    },
  );

  it('works for a public client', async () => {
    const one = await shop({ clientId: 'page', clientSecret: undefined });
    expect((await new TrialBrowser().walk(`${one.url}/auth/sign-in`)).text).toBe('home of ada');
  });

  it('gives the session another id, so that a planted one is worthless, and keeps its values', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.open(`${one.url}/cart`, { method: 'POST' });
    const planted = new TrialBrowser();
    for (const [key, value] of browser.cookies) planted.cookies.set(key, value);
    expect((await planted.open(`${one.url}/cart`)).text).toBe('cart: book');
    await browser.walk(`${one.url}/auth/sign-in`);
    expect((await browser.open(`${one.url}/cart`)).text).toBe('cart: book');
    expect(await isSignedIn(one, browser)).toBe(true);
    expect(await isSignedIn(one, planted)).toBe(false);
    expect((await planted.open(`${one.url}/cart`)).text).toBe('cart: undefined');
  });

  it('signs out here and at the provider', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.walk(`${one.url}/auth/sign-in`);
    const page = await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' });
    expect(page.status).toBe(303);
    expect(page.location).toContain(`${one.provider.issuer}/session/end?`);
    expect(await isSignedIn(one, browser)).toBe(false);
  });
});

it('signs out at the provider too, which sends the browser back', async () => {
  const one = await shop({ postLogoutRedirectUri: 'to be set' });
  const browser = new TrialBrowser();
  await browser.walk(`${one.url}/auth/sign-in`);
  const { location = '' } = await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' });
  expect(new URL(location).searchParams.get('client_id')).toBe(CLIENT.id);
  const asked = await browser.open(location);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
  const body = new URLSearchParams({ xsrf, logout: 'yes' });
  const back = await browser.open(`${one.provider.issuer}/session/end/confirm`, { method: 'POST', body });
  expect(back.location).toBe(`${one.url}/bye`);
  one.provider.account = 'grace';
  // The provider asks anew, and does not remember who it was.
  expect((await browser.walk(`${one.url}/auth/sign-in`)).text).toBe('home of grace');
});

describe('onSignIn', () => {
  it('tells whose session it becomes, and what they may do', async () => {
    let seen: SignedIn | undefined;
    const one = await shop({
      onSignIn: async (signedIn) => {
        seen = signedIn;
        return { userId: 'user-7', scopes: ['admin'] };
      },
    });
    const browser = new TrialBrowser();
    expect((await browser.walk(`${one.url}/auth/sign-in?return_to=/admin`)).text).toBe('user-7');
    expect((await browser.open(`${one.url}/`)).text).toBe('home of user-7');
    expect(seen).toMatchObject({ claims: { sub: 'ada', iss: one.provider.issuer }, refreshToken: undefined });
    expect([seen?.accessToken, seen?.idToken].every((token) => typeof token === 'string')).toBe(true);
  });

  it('names the session in the list of the user', async () => {
    const one = await shop({ onSignIn: () => ({ userId: 'ada', label: 'Firefox on Linux' }) });
    const browser = new TrialBrowser();
    const { text } = await browser.walk(`${one.url}/auth/sign-in?return_to=/sessions`);
    expect(JSON.parse(text)).toMatchObject([{ label: 'Firefox on Linux', isCurrent: true }]);
  });

  it('gives no scopes by default', async () => {
    const one = await shop();
    expect((await new TrialBrowser().walk(`${one.url}/auth/sign-in?return_to=/admin`)).status).toBe(403);
  });

  it('refuses by an FwError, and hides other errors', async () => {
    let error: Error = FwError.forbidden('your account is closed');
    const one = await shop({ onSignIn: () => Promise.reject(error) });
    const browser = new TrialBrowser();
    const refused = await arrival(one, browser, await callbackOf(one, browser));
    expect(refused).toMatchObject({ status: 403, isIn: false });
    expect(refused.text).toContain('your account is closed');
    error = new Error('the database at 10.0.0.7 is away');
    const stop = listen();
    const failed = await arrival(one, browser, await callbackOf(one, browser));
    stop();
    expect(failed).toMatchObject({ status: 500, isIn: false });
    expect(failed.text).not.toContain('10.0.0.7');
  });
});

describe('an onSignIn that returns nothing', () => {
  it('signs nobody in, and the log says what to return', async () => {
    const reported: unknown[] = [];
    const one = await shop({ onSignIn: (() => null) as never });
    const browser = new TrialBrowser();
    const stop = listen(reported);
    const failed = await arrival(one, browser, await callbackOf(one, browser));
    stop();
    expect(failed).toMatchObject({ status: 500, isIn: false });
    expect(String(reported[0])).toContain(
      'onSignIn of oidcSignIn returned null; return { userId }, or throw',
    );
  });
});

describe('a provider that is away', () => {
  it('is 503 with Retry-After until it is back; signed-in people notice nothing', async () => {
    const reported: unknown[] = [];
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.walk(`${one.url}/auth/sign-in`);
    const fresh = await shop({ issuer: one.provider.issuer });
    await one.provider.kill();
    const stop = listen(reported);
    const response = await fetch(`${fresh.url}/auth/sign-in`, { redirect: 'manual' });
    stop();
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.text()).not.toContain(one.provider.issuer);
    expect(reported).toHaveLength(1);
    expect(await isSignedIn(one, browser)).toBe(true);
    await one.provider.revive();
    one.provider.register(`${fresh.url}/auth/callback`);
    expect((await new TrialBrowser().walk(`${fresh.url}/auth/sign-in`)).text).toBe('home of ada');
  });

  it('is 503 at the callback, and the sign-in goes on when it is back', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser);
    await one.provider.kill();
    const stop = listen();
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 503, isIn: false });
    stop();
    await one.provider.revive();
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 303, isIn: true });
  });

  it('does not keep anybody from signing out here', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    await browser.walk(`${one.url}/auth/sign-in`);
    const secrets = new Map(browser.cookies);
    await one.provider.kill();
    expect((await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' })).status).toBe(303);
    const thief = new TrialBrowser();
    for (const [key, value] of secrets) thief.cookies.set(key, value);
    expect(await isSignedIn(one, thief)).toBe(false);
  });

  it('need not have been there when the server started, to sign out', async () => {
    const one = await shop({ issuer: 'http://127.0.0.1:1' });
    const browser = new TrialBrowser();
    await browser.open(`${one.url}/stay`, { method: 'POST' });
    expect(await isSignedIn(one, browser)).toBe(true);
    const page = await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' });
    expect(page.location).toBe(`${one.url}/`);
    expect(await isSignedIn(one, browser)).toBe(false);
  });

  it.each<[string, object, string]>([
    ['the page that is set for it', { postLogoutRedirectUri: 'to be set' }, '/bye'],
    ['the page after a sign-in', { defaultReturnTo: '/cart' }, '/cart'],
  ])('leaves whoever signs out at %s, as does one that has no sign-out', async (_, options, page) => {
    const away = await shop({ issuer: 'http://127.0.0.1:1', ...options });
    const without = await shop(options);
    const path = '/.well-known/openid-configuration';
    const metadata = await (await fetch(`${without.provider.issuer}${path}`)).json();
    const { end_session_endpoint: _end, ...rest } = metadata as Record<string, unknown>;
    without.provider.answers.set(path, (_, response) => {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(rest));
    });
    for (const one of [away, without]) {
      const browser = new TrialBrowser();
      await browser.open(`${one.url}/stay`, { method: 'POST' });
      const { location } = await browser.open(`${one.url}/auth/sign-out`, { method: 'POST' });
      expect(location).toBe(`${one.url}${page}`);
      expect(await isSignedIn(one, browser)).toBe(false);
    }
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['never answers', () => {}],
    ['never ends its answer', (response) => void response.writeHead(200, JSON_TYPE).write('{"a":')],
    [
      'breaks off its answer',
      (response) => {
        response
          .writeHead(200, { ...JSON_TYPE, 'content-length': '99' })
          .write('{"a":', () => response.destroy());
      },
    ],
    ['hangs up', (response) => void response.destroy()],
    ['fails', (response) => void response.writeHead(500).end('<h1>oops</h1>')],
    ['is behind a gateway that is not', (response) => void response.writeHead(502, JSON_TYPE).end('{}')],
    ['is too busy', (response) => void response.writeHead(429).end()],
  ])('is 503 if it %s, at the sign-in and at the callback', async (_, answer) => {
    const one = await shop({ timeoutMs: 300 });
    const browser = new TrialBrowser();
    const stop = listen();
    one.provider.answers.set('/.well-known/openid-configuration', (_, response) => answer(response));
    expect((await browser.open(`${one.url}/auth/sign-in`)).status).toBe(503);
    one.provider.answers.clear();
    const callback = await callbackOf(one, browser);
    one.provider.answers.set('/token', (_, response) => answer(response));
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 503, isIn: false });
    stop();
  });

  it('is asked for its metadata once by many sign-ins, and never again', async () => {
    const one = await shop();
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => new TrialBrowser().open(`${one.url}/auth/sign-in`)),
    );
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303]));
    expect(one.provider.asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('may change its keys during sign-ins', async () => {
    const one = await shop();
    const browsers = Array.from({ length: 8 }, () => new TrialBrowser());
    const [, ...rest] = await Promise.all(browsers.map((browser) => callbackOf(one, browser)));
    one.provider.useKeys([signingKey('second'), firstKey]);
    const all = await Promise.all(
      rest.map((callback, at) => arrival(one, browsers[at + 1] as TrialBrowser, callback)),
    );
    expect(all.map(({ status, isIn }) => [status, isIn])).toEqual(rest.map(() => [303, true]));
  });
});
