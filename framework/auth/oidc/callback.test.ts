import { CompactSign, importJWK } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { TrialBrowser } from '../../conformance/oidc/trial-browser.js';
import { CLIENT, firstKey } from '../../conformance/oidc/trial-provider.js';
import {
  arrival,
  callbackOf,
  changed,
  closeShops,
  isSignedIn,
  listen,
  pendingKeys,
  type Shop,
  shop,
} from '../../conformance/oidc/trial-shop.js';
import type { SignedIn } from './index.js';

afterEach(closeShops);

describe('a callback that does not belong to the sign-in', () => {
  it('is refused in a browser without one, and in one with another: nobody is signed in as the attacker', async () => {
    const one = await shop();
    const [attacker, victim] = [new TrialBrowser(), new TrialBrowser()];
    const callback = await callbackOf(one, attacker);
    expect(await arrival(one, victim, callback)).toMatchObject({
      status: 400,
      isIn: false,
      text: expect.stringContaining('start again'),
    });
    await callbackOf(one, victim);
    expect(await arrival(one, victim, callback)).toMatchObject({ status: 400, isIn: false });
    expect(one.provider.asked).not.toContain('/token');
  });

  it('is refused with the code of another sign-in, by PKCE', async () => {
    const one = await shop();
    const [attacker, victim] = [new TrialBrowser(), new TrialBrowser()];
    const code = new URL(await callbackOf(one, attacker)).searchParams.get('code') ?? '';
    const callback = await callbackOf(one, victim);
    expect(await arrival(one, victim, changed(callback, { code }))).toMatchObject({
      status: 401,
      isIn: false,
    });
  });

  it('is refused the second time', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser);
    const copy = new TrialBrowser();
    for (const [key, value] of browser.cookies) copy.cookies.set(key, value);
    expect((await browser.open(callback)).status).toBe(303);
    expect((await browser.open(callback)).status).toBe(400);
    // Even with a copy of the cookie that was deleted.
    expect(await arrival(one, copy, callback)).toMatchObject({ status: 401, isIn: false });
  });

  it.each<[string, Record<string, string>]>([
    ['of another provider', { iss: 'https://evil.example' }],
    ['with an empty issuer', { iss: '' }],
    ['with an empty code', { code: '' }],
    ['with a made-up code', { code: 'made-up' }],
    ['with an ID token beside the code', { id_token: 'a.b.c' }],
    ['with an answer in another form', { response: 'a.b.c' }],
  ])('is refused %s', async (_, query) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = changed(await callbackOf(one, browser), query);
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 401, isIn: false });
  });

  it.each<[string, (callback: string) => string]>([
    ['without state', (callback) => callback.replace(/state=[^&]*/, '')],
    ['with an empty state', (callback) => changed(callback, { state: '' })],
    ['with another state', (callback) => changed(callback, { state: 'x'.repeat(43) })],
    ['without anything', (callback) => callback.replace(/\?.*/, '')],
  ])('is refused %s', async (_, change) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = change(await callbackOf(one, browser));
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 400, isIn: false });
  });

  it.each<[string, (callback: string) => string]>([
    ['two states', (callback) => `${callback}&state=x`],
    ['two codes', (callback) => `${callback}&code=x`],
    ['two issuers', (callback) => `${callback}&iss=https://evil.example`],
    ['no issuer, though the provider always names itself', (callback) => callback.replace(/iss=[^&]*/, '')],
  ])('is refused with %s', async (_, change) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = change(await callbackOf(one, browser));
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 401, isIn: false });
  });

  it.each(['', 'x', '%00', 'e30', 'bnVsbA', Buffer.from('[]').toString('base64url'), 'A'.repeat(4000)])(
    'is refused with the cookie %j',
    async (value) => {
      const one = await shop();
      const browser = new TrialBrowser();
      const callback = await callbackOf(one, browser);
      browser.cookies.set(pendingKeys(browser)[0] ?? '', value);
      expect(await arrival(one, browser, callback)).toMatchObject({ status: 400, isIn: false });
    },
  );

  it('is refused if the nonce was exchanged on the way to the provider', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const { location = '' } = await browser.open(`${one.url}/auth/sign-in`);
    const back = await browser.walk(changed(location, { nonce: 'n'.repeat(43) }), (next) =>
      next.startsWith(one.url),
    );
    expect(await arrival(one, browser, back.location ?? '')).toMatchObject({ status: 401, isIn: false });
  });
});

describe('an answer of the provider', () => {
  it('may be a refusal, whose code is told', async () => {
    const one = await shop();
    one.provider.account = undefined;
    const browser = new TrialBrowser();
    const { status, isIn, text } = await arrival(one, browser, await callbackOf(one, browser));
    expect([status, isIn]).toEqual([401, false]);
    expect(text).toContain('did not sign you in: access_denied');
    expect(text).not.toContain('declined');
    one.provider.account = 'ada';
    expect((await browser.walk(`${one.url}/auth/sign-in`)).text).toBe('home of ada');
  });

  it.each(['<script>alert(1)</script>', 'pay_at https://evil', 'x'.repeat(65), 'line\nline', '', 'Übel'])(
    'is not repeated if its code is %j',
    async (error) => {
      const one = await shop();
      one.provider.account = undefined;
      const browser = new TrialBrowser();
      const callback = changed(await callbackOf(one, browser), { error, error_description: 'call 555-0100' });
      const { status, isIn, text } = await arrival(one, browser, callback);
      expect([status, isIn]).toEqual([401, false]);
      expect(JSON.parse(text).message).toBe('the identity provider did not sign you in');
    },
  );

  /** The token endpoint answers an ID token of these claims, signed by the provider. */
  async function withIdToken(one: Shop, browser: TrialBrowser, claims: object): Promise<number> {
    const callback = await callbackOf(one, browser);
    const cookie = browser.cookies.get(pendingKeys(browser)[0] ?? '') ?? '';
    const { nonce } = JSON.parse(Buffer.from(cookie, 'base64url').toString());
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: one.provider.issuer,
      aud: CLIENT.id,
      sub: 'ada',
      exp: now + 60,
      iat: now,
      nonce,
      ...claims,
    };
    const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(all)))
      .setProtectedHeader({ alg: 'RS256', kid: 'first' })
      .sign(await importJWK(firstKey));
    one.provider.answers.set('/token', (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: token, refresh_token: 'r' }),
      );
    });
    return (await browser.open(callback)).status;
  }

  it.each<[string, number, object]>([
    ['as it should be', 303, {}],
    ['for another client', 401, { aud: 'another' }],
    ['for two clients, authorized for the other', 401, { aud: [CLIENT.id, 'another'], azp: 'another' }],
    ['of another provider', 401, { iss: 'https://evil.example' }],
    ['that has expired', 401, { exp: 1 }],
    ['without an expiry', 401, { exp: undefined }],
    ['with another nonce', 401, { nonce: 'n'.repeat(43) }],
    ['without a nonce', 401, { nonce: undefined }],
    ['of nobody', 401, { sub: undefined }],
    ['of an account that is not text', 401, { sub: { a: 1 } }],
    ['of an account without a name', 401, { sub: '' }],
  ])('may be an ID token %s: %i', async (_, status, claims) => {
    const one = await shop();
    const browser = new TrialBrowser();
    expect(await withIdToken(one, browser, claims)).toBe(status);
    expect(await isSignedIn(one, browser)).toBe(status === 303);
  });

  it('gives its tokens to onSignIn', async () => {
    let seen: SignedIn | undefined;
    const one = await shop({
      onSignIn: (signedIn) => {
        seen = signedIn;
        return { userId: signedIn.claims.sub };
      },
    });
    expect(await withIdToken(one, new TrialBrowser(), { email: 'ada@example.com' })).toBe(303);
    expect(seen).toEqual({
      claims: expect.objectContaining({ sub: 'ada', email: 'ada@example.com' }),
      accessToken: 'a',
      idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: 'r',
    });
  });

  it.each([
    [499, 401],
    [500, 503],
  ])('may have the status %i, and is answered %i', async (status, answered) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser);
    one.provider.answers.set('/token', (_, response) => void response.writeHead(status).end());
    const stop = listen();
    expect(await arrival(one, browser, callback)).toMatchObject({ status: answered, isIn: false });
    stop();
  });

  it('is refused without an ID token', async () => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser);
    one.provider.answers.set('/token', (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ access_token: 'a', token_type: 'Bearer' }));
    });
    expect(await arrival(one, browser, callback)).toMatchObject({ status: 401, isIn: false });
  });
});

it('does not take a refused client in the query for a fault of this server', async () => {
  const one = await shop();
  one.provider.account = undefined;
  const browser = new TrialBrowser();
  const callback = changed(await callbackOf(one, browser), { error: 'invalid_client' });
  expect(await arrival(one, browser, callback)).toMatchObject({ status: 401, isIn: false });
});

it.each(['invalid_client', 'unauthorized_client'])('reports the answer %s of the provider', async (error) => {
  const one = await shop();
  const browser = new TrialBrowser();
  const callback = await callbackOf(one, browser);
  one.provider.answers.set('/token', (_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  const reported: unknown[] = [];
  const stop = listen(reported);
  expect(await arrival(one, browser, callback)).toMatchObject({ status: 500, isIn: false });
  stop();
  expect(String(reported[0])).toContain('does not accept this client');
});

it('reports a client that the provider does not accept, which is not a fault of the browser', async () => {
  const one = await shop({ clientSecret: 'wrong' });
  const browser = new TrialBrowser();
  const callback = await callbackOf(one, browser);
  const reported: unknown[] = [];
  const stop = listen(reported);
  const { status, text } = await arrival(one, browser, callback);
  stop();
  expect(status).toBe(500);
  expect(text).not.toContain('client');
  expect(String(reported[0])).toContain('check clientId, clientSecret');
});

describe('return_to', () => {
  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\\/evil.example',
    ' //evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'orders',
    '',
    `/${'a'.repeat(10_240)}`,
    '/\r\nset-cookie: a=b',
    '/ü',
    '/a b',
    '/\u0000',
    '@evil.example',
    '.evil.example',
  ])('does not lead to %j', async (path) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser, `?return_to=${encodeURIComponent(path)}`);
    expect((await browser.open(callback)).location).toBe(`${one.url}/`);
  });

  it.each([
    '/%09/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/@evil.example',
    '/?to=//evil.example#x',
  ])('leads to %j of this server', async (path) => {
    const one = await shop();
    const browser = new TrialBrowser();
    const callback = await callbackOf(one, browser, `?return_to=${encodeURIComponent(path)}`);
    expect(new URL((await browser.open(callback)).location ?? '').origin).toBe(one.url);
  });
});
