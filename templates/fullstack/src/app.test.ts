// What holds for the whole app: who may call what, header fields, limits.
import { TestClient } from 'fw/testing';
import { subscribe } from 'fw/tracing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, type TestApp, testApp } from './test-app.ts';

let api: TestApp;
let anyone: TestClient;
beforeAll(async () => {
  api = await testApp();
  anyone = new TestClient(api.app);
});
afterAll(() => api[Symbol.asyncDispose]());

test('only these routes and procedures are open to anyone', () => {
  expect(api.app.accessList().open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /health/live',
    'query /rpc accounts.current',
    'query /rpc accounts.provider',
    'mutation /rpc accounts.signUp',
    'mutation /rpc accounts.signIn',
    'mutation /rpc accounts.requestReset',
    'mutation /rpc accounts.resetPassword',
    'mutation /rpc accounts.confirmEmail',
  ]);
});

test('the app is ready while its database is there', async () => {
  (await anyone.get('/health')).assertStatus(200).assertJson({ status: 'ok' });
  await using other = await testApp();
  await other.db.destroy();
  const client = new TestClient(other.app);
  (await client.get('/health')).assertStatus(503).assertJson({ status: 'unavailable' });
  (await client.get('/health/live')).assertStatus(200);
});

test('every response has an id that no stranger chooses, and header fields for security', async () => {
  (await anyone.get('/nowhere', { headers: { 'x-request-id': 'abc' } }))
    .assertStatus(404)
    .assertHeader('x-request-id', /^[0-9a-f-]{36}$/)
    .assertHeader('x-content-type-options', 'nosniff')
    .assertHeader('content-security-policy', /^default-src 'none'; script-src 'self'; /);
});

test('no response tells what the server is made with', async () => {
  for (const path of ['/health', '/rpc', '/nowhere']) {
    expect((await anyone.get(path)).header('x-powered-by'), path).toBeUndefined();
  }
});

test('what belongs to a user is in no cache, and the log says whose call it was', async () => {
  const users: unknown[] = [];
  const end = subscribe(({ fields, span }) => void ('durationMs' in fields && users.push(span.user_id)));
  const browser = new TestClient(api.app);
  await browser.get('/health');
  const call = (method: string, params?: object) => {
    const headers = { 'x-csrf-token': browser.cookie('csrf') ?? '' };
    return browser.post('/rpc', { headers, json: { jsonrpc: '2.0', method, params, id: 1 } });
  };
  const made = await call('accounts.signUp', { email: 'ada@example.org', password });
  const { id } = made.json<{ result: { id: string } }>().result;
  (await call('lists.all')).assertStatus(200).assertHeader('cache-control', 'private, no-store');
  (await call('accounts.signOut')).assertHeader('clear-site-data', '"cache", "storage"');
  end();
  expect(users).toEqual([undefined, id, id]);
});

test('the cookies of an app with https are sent over HTTPS only', async () => {
  await using secure = await testApp({ PUBLIC_URL: new URL('https://lists.example') });
  const response = await new TestClient(secure.app).get('/health');
  response.assertHeader('set-cookie', /^__Host-csrf=.+; Secure/);
});

test('a body of more than 64 KiB is refused', async () => {
  const headers = { 'x-csrf-token': anyone.cookie('csrf') ?? '' };
  const json = { jsonrpc: '2.0', method: 'accounts.current', params: ['x'.repeat(64 * 1024)], id: 1 };
  (await anyone.post('/rpc', { json, headers })).assertStatus(413);
});

test('a client that calls too often is told when to try again', async () => {
  await using limited = await testApp({ RATE_LIMIT: 2 });
  const client = new TestClient(limited.app);
  await client.get('/health');
  const headers = { 'x-csrf-token': client.cookie('csrf') ?? '' };
  const call = () =>
    client.post('/rpc', { headers, json: { jsonrpc: '2.0', method: 'accounts.current', id: 1 } });
  await call();
  (await call()).assertStatus(200);
  (await call()).assertStatus(429).assertHeader('retry-after', /^\d+$/);
});
