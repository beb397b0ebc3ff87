// Sign-in with a provider: who gets which account, and what people are told. The provider answers in this process.
import { TestClient, type TestResponse } from 'fw/testing';
import { subscribe } from 'fw/tracing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { password, type TestApp, testApp } from '../test-app.ts';
import { providerAccount } from './oidc.ts';

const issuer = 'https://login.example';
const ada = { iss: issuer, sub: '7', email: 'Ada@example.org', email_verified: true };

let api: TestApp;
/** Who signs in at the provider, with the nonce that it was given; undefined: it is away. */
let person: Record<string, unknown> | undefined = ada;
beforeAll(async () => {
  api = await testApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'lists', OIDC_CLIENT_SECRET: 'secret' });
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (person === undefined) throw new TypeError('fetch failed');
    if (pathname === '/.well-known/openid-configuration') {
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      return Response.json({ issuer, ...endpoints, end_session_endpoint: `${issuer}/end` });
    }
    const now = Math.floor(Date.now() / 1000);
    const claims = { ...person, aud: 'lists', iat: now, exp: now + 60 };
    const parts = [{ alg: 'RS256' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return Response.json({ access_token: 'x', token_type: 'bearer', id_token: `${parts.join('.')}.AAAA` });
  });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await api[Symbol.asyncDispose]();
});

/** Goes to the provider and back, as `who`. */
async function signIn(browser: TestClient, who: Record<string, unknown>): Promise<TestResponse> {
  person = who;
  const there = await browser.get('/auth/sign-in?return_to=/lists/7');
  const { searchParams } = new URL(there.header('location') ?? '');
  person = { ...who, nonce: searchParams.get('nonce') };
  return browser.get(`/auth/callback?code=x&state=${searchParams.get('state')}`);
}

test('a person of the provider gets an account without a password, and a named session', async () => {
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
  const browser = new TestClient(api.app, { headers });
  (await signIn(browser, ada)).assertStatus(303).assertHeader('location', '/lists/7');
  const client = await api.browser(browser);
  expect(await client.accounts.provider()).toBe('Example');
  const user = { email: 'ada@example.org', isConfirmed: true, hasPassword: false };
  expect(await client.accounts.current()).toMatchObject(user);
  expect(await client.sessions.all()).toMatchObject([{ isCurrent: true, browser: 'Firefox on Linux' }]);
  const email = 'ada@example.org';
  for (const secret of ['null', password]) {
    await expect((await api.browser()).accounts.signIn({ email, password: secret })).rejects.toThrow();
  }
  await expect(client.accounts.changeEmail({ email: 'x@example.org', password })).rejects.toThrow();
});

test('an account of a provider gets no link for a password', async () => {
  await providerAccount(api.db, { ...ada, sub: '12', email: 'frank@example.org' });
  await api.user('grace@example.org');
  const { accounts } = await api.browser();
  for (const email of ['frank@example.org', 'grace@example.org']) await accounts.requestReset({ email });
  await api.token('reset-password', 'grace@example.org');
  expect(api.mailbox.mails.flatMap(({ to }) => to)).not.toContain('frank@example.org');
});

test('a sign-out leads to the sign-out of the provider, and a link to that ends nothing', async () => {
  const browser = new TestClient(api.app);
  await signIn(browser, ada);
  (await browser.get('/auth/signed-out')).assertStatus(303).assertHeader('location', '/');
  const client = await api.browser(browser);
  expect(await client.accounts.current()).not.toBeNull();
  await client.accounts.signOut();
  (await browser.get('/auth/signed-out'))
    .assertStatus(303)
    .assertHeader(
      'location',
      /^https:\/\/login\.example\/end\?.*post_logout_redirect_uri=http%3A%2F%2Flocalhost%2Fsign-in/,
    );
});

test('it is deleted by its e-mail address, and made anew by the next sign-in', async () => {
  const browser = new TestClient(api.app);
  await signIn(browser, { ...ada, sub: '13', email: 'heidi@example.org' });
  const client = await api.browser(browser);
  await expect(client.accounts.remove({ confirmation: 'ada@example.org' })).rejects.toThrow();
  await client.accounts.remove({ confirmation: ' Heidi@example.org' });
  expect(await client.accounts.current()).toBeNull();
  const again = await signIn(browser, { ...ada, sub: '13', email: 'heidi@example.org' });
  again.assertHeader('location', '/lists/7');
});

test('an address that is not verified, or that an account with a password has, is refused on a page', async () => {
  await api.user('carol@example.org');
  const browser = new TestClient(api.app);
  const failed = (status: number) => `/sign-in/failed?status=${status}`;
  const carol = { ...ada, sub: '11', email: 'carol@example.org' };
  (await signIn(browser, carol)).assertStatus(303).assertHeader('location', failed(409));
  (await signIn(browser, { ...carol, email_verified: false })).assertHeader('location', failed(403));
  (await browser.get('/auth/callback?code=x&state=y')).assertHeader('location', failed(400));
  expect(await (await api.browser(browser)).accounts.current()).toBeNull();
  person = undefined;
  await using other = await testApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'lists' });
  const levels: string[] = [];
  const end = subscribe(({ level, message }) => void (/sign-in/.test(message) && levels.push(level)));
  (await new TestClient(other.app).get('/auth/sign-in')).assertHeader('location', failed(503));
  end();
  // Somebody has to look at it.
  expect(levels).toContain('error');
});

test('the account is found by issuer and subject, also by two sign-ins at once', async () => {
  const eve = { ...ada, sub: '9', email: 'eve@example.org' };
  const [id, same] = await Promise.all([providerAccount(api.db, eve), providerAccount(api.db, eve)]);
  expect(same).toBe(id);
  expect(await providerAccount(api.db, { ...eve, email: 'eve@new.example' })).toBe(id);
  expect(
    await providerAccount(api.db, { ...eve, iss: 'https://other.example', email: 'ivan@example.org' }),
  ).not.toBe(id);
  for (const email of ['eve\0@example.org', 7, undefined]) {
    await expect(providerAccount(api.db, { ...ada, sub: '10', email })).rejects.toMatchObject({
      status: 403,
    });
  }
});

test('without a provider there are no routes, and no name', async () => {
  await using plain = await testApp();
  (await new TestClient(plain.app).get('/auth/sign-in')).assertStatus(404);
  expect(await (await plain.browser()).accounts.provider()).toBeNull();
});
