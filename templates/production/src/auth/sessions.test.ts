// Sessions: a browser signs in, acts, signs out; other sites cannot act for it.
import { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 30_000 });

const origin = 'http://127.0.0.1:3000';
const credentials = { email: 'ada@example.org', password: 'correct horse battery' };

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
  (await api.anyone.post('/sign-up', { json: credentials })).assertStatus(201);
});
afterAll(() => api[Symbol.asyncDispose]());

const token = (browser: TestClient) => ({ 'x-csrf-token': browser.cookie('csrf') ?? '' });

async function signedIn(): Promise<TestClient> {
  const browser = new TestClient(api.app, { origin });
  await browser.get('/');
  (await browser.post('/session', { json: credentials, headers: token(browser) })).assertStatus(204);
  return browser;
}

test('a browser signs in, uses the API and signs out', async () => {
  const browser = await signedIn();
  expect((await browser.get('/me')).json()).toMatchObject({ email: credentials.email });
  (await browser.post('/tasks', { json: { title: 'Buy milk' }, headers: token(browser) })).assertStatus(201);
  (await browser.delete('/session', { headers: token(browser) }))
    .assertStatus(204)
    .assertHeader('clear-site-data', '"cache", "storage"');
  (await browser.get('/me')).assertStatus(401);
});

test('a request without the token, or from another site, is refused', async () => {
  const browser = await signedIn();
  (await browser.post('/tasks', { json: { title: 'x' } })).assertStatus(403);
  const foreign = { ...token(browser), origin: 'https://evil.example' };
  (await browser.post('/tasks', { json: { title: 'x' }, headers: foreign })).assertStatus(403);
  const fresh = new TestClient(api.app, { origin });
  (await fresh.post('/session', { json: credentials })).assertStatus(403);
});

test.each([
  { authorization: 'Basic x' },
  { authorization: 'Negotiate x' },
  { authorization: '' },
  { authorization: 'Bearer x' },
  { 'x-api-key': 'x' },
])('a request with a session needs the token also with %j', async (headers) => {
  const browser = await signedIn();
  const foreign = { ...headers, origin: 'https://evil.example', 'sec-fetch-site': 'same-site' };
  (await browser.post('/tasks', { json: { title: 'x' }, headers: foreign })).assertStatus(403);
  (await browser.delete('/session', { headers })).assertStatus(403);
  (await browser.get('/me')).assertStatus(200);
});

test('a password behind a proxy signs nobody in without the token', async () => {
  const browser = new TestClient(api.app, { origin });
  const headers = { authorization: 'Basic x' };
  (await browser.post('/session', { json: credentials, headers })).assertStatus(403);
});

test('a change of the password ends all other sessions', async () => {
  const json = { email: 'bob@example.org', password: credentials.password };
  (await api.anyone.post('/sign-up', { json })).assertStatus(201);
  const { token: bearer } = (await api.anyone.post('/sign-in', { json })).json<{ token: string }>();
  const browserOfBob = async (password: string) => {
    const browser = new TestClient(api.app, { origin });
    await browser.get('/');
    const signIn = { json: { ...json, password }, headers: token(browser) };
    (await browser.post('/session', signIn)).assertStatus(204);
    return browser;
  };
  const [here, elsewhere] = [await browserOfBob(json.password), await browserOfBob(json.password)];
  const before = here.cookie('sid');
  const first = { currentPassword: json.password, newPassword: 'staple battery horse' };
  (await here.put('/me/password', { json: first, headers: token(here) })).assertStatus(204);
  (await elsewhere.get('/me')).assertStatus(401);
  (await here.get('/me')).assertStatus(200);
  expect(here.cookie('sid')).not.toBe(before);

  const second = { currentPassword: first.newPassword, newPassword: json.password };
  const headers = { authorization: `Bearer ${bearer}` };
  (await new TestClient(api.app).put('/me/password', { json: second, headers })).assertStatus(204);
  (await here.get('/me')).assertStatus(401);
});

test('a new password by the link of a mail ends all sessions', async () => {
  const json = { email: 'carol@example.org', password: credentials.password };
  (await api.anyone.post('/sign-up', { json })).assertStatus(201);
  const browser = new TestClient(api.app, { origin });
  await browser.get('/');
  (await browser.post('/session', { json, headers: token(browser) })).assertStatus(204);
  (await api.anyone.post('/password-reset', { json: { email: json.email } })).assertStatus(204);
  await expect.poll(() => api.mails.length).toBe(1);
  const link = /http:\/\/127\.0\.0\.1:3000\/#reset=([\w-]{43})\n/.exec(api.mails[0]?.text ?? '');
  const reset = { token: link?.[1], newPassword: 'staple battery horse' };
  (await api.anyone.put('/password-reset', { json: reset })).assertStatus(204);
  (await browser.get('/me')).assertStatus(401);
});

test('the cookie is for this server alone, over HTTPS, and not for scripts', async () => {
  await using secure = await testApp({ PUBLIC_URL: new URL('https://shop.example') });
  const browser = new TestClient(secure.app, { origin: 'https://shop.example' });
  (await browser.post('/sign-up', { json: credentials })).assertStatus(201);
  const headers = { 'x-csrf-token': browser.cookie('__Host-csrf') ?? '' };
  expect(headers['x-csrf-token']).toBe('');
  await browser.get('/');
  const sent = { 'x-csrf-token': browser.cookie('__Host-csrf') ?? '' };
  const answer = await browser.post('/session', { json: credentials, headers: sent });
  const cookies = answer.assertStatus(204).headers.getSetCookie();
  const cookie = cookies.find((text) => text.startsWith('__Host-sid='));
  expect(cookie).toMatch(/; Path=\//);
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax']) expect(cookie).toContain(attribute);
  answer.assertHeader('strict-transport-security', /max-age=/);
});

test('a user can end all other sessions', async () => {
  const [here, elsewhere] = [await signedIn(), await signedIn()];
  const ended = await here.delete('/session/others', { headers: token(here) });
  expect(ended.assertStatus(200).json<{ ended: number }>().ended).toBeGreaterThanOrEqual(1);
  (await elsewhere.get('/me')).assertStatus(401);
  (await here.get('/me')).assertStatus(200);
});

test('attempts count together, however somebody signs in', async () => {
  await using other = await testApp();
  const wrong = { email: 'eve@example.org', password: 'wrong' };
  const browser = new TestClient(other.app, { origin });
  await browser.get('/');
  const headers = token(browser);
  for (let attempt = 0; attempt < 5; attempt++) {
    (await other.anyone.post('/sign-in', { json: wrong })).assertStatus(401);
    (await browser.post('/session', { json: wrong, headers })).assertStatus(401);
  }
  (await other.anyone.post('/sign-in', { json: wrong })).assertStatus(429);
  (await browser.post('/session', { json: wrong, headers })).assertStatus(429);
});
