// What holds for the whole app: who may call what, what answers carry, the page, the documentation, limits.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from './test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 30_000 });

const origin = 'https://app.example.com';

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ CORS_ORIGINS: [origin] });
});
afterAll(() => api[Symbol.asyncDispose]());

test('only these routes are open to everybody', () => {
  expect(api.app.accessList().open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health/live',
    'GET /health/ready',
    'POST /sign-up',
    'POST /sign-in',
    'POST /session',
    'POST /password-reset',
    'PUT /password-reset',
    'GET /',
    'GET /assets/*$file',
  ]);
});

test('every response has an id that no stranger chooses, and header fields for security', async () => {
  const response = await api.anyone.get('/nowhere', { headers: { 'x-request-id': 'abc' } });
  response
    .assertStatus(404)
    .assertHeader('x-request-id', /^[0-9a-f-]{36}$/)
    .assertHeader('x-content-type-options', 'nosniff')
    .assertHeader('content-security-policy', /^default-src 'none'; script-src 'self'; style-src 'self';/);
});

test('the page has nothing inline, which its policy would refuse', async () => {
  const html = (await api.anyone.get('/')).assertStatus(200).text();
  expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+=|\sstyle=|javascript:/);
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(files).toEqual(['/assets/icon.svg', '/assets/app.css', '/assets/app.js']);
  for (const path of files) (await api.anyone.get(path)).assertStatus(200);
  expect(readFileSync(new URL('../public/app.js', import.meta.url), 'utf8')).not.toMatch(/innerHTML|eval\(/);
});

test('large answers are compressed', async () => {
  const answer = await api.anyone.get('/assets/app.css', { headers: { 'accept-encoding': 'gzip' } });
  answer.assertHeader('content-encoding', 'gzip');
  expect(gunzipSync(answer.bytes).toString()).toContain('color-scheme: light dark');
});

test('pages of the configured origins may call, without cookies', async () => {
  const preflight = { origin, 'access-control-request-method': 'PATCH' };
  const asked = await api.anyone.options('/tasks', { headers: preflight });
  asked.assertStatus(204).assertHeader('access-control-allow-origin', origin);
  expect(asked.header('access-control-allow-credentials')).toBeUndefined();
  const foreign = await api.anyone.get('/health/live', { headers: { origin: 'https://evil.example' } });
  expect(foreign.header('access-control-allow-origin')).toBeUndefined();
});

test('the documentation is for admins', async () => {
  (await api.anyone.get('/docs')).assertStatus(401);
  const ada = new TestClient(api.app, { origin: 'http://127.0.0.1:3000' });
  const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
  (await ada.post('/sign-up', { json: credentials })).assertStatus(201);
  await ada.get('/');
  const token = () => ({ 'x-csrf-token': ada.cookie('csrf') ?? '' });
  (await ada.post('/session', { json: credentials, headers: token() })).assertStatus(204);
  (await ada.get('/docs')).assertStatus(403);

  const { id } = (await ada.get('/me')).json<{ id: string }>();
  const env = { ADMINS: [id] };
  await using admins = await testApp(env);
  await admins.db
    .insertInto('users')
    .values(await api.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
    .execute();
  const admin = new TestClient(admins.app, { origin: 'http://127.0.0.1:3000' });
  await admin.get('/');
  const headers = { 'x-csrf-token': admin.cookie('csrf') ?? '' };
  (await admin.post('/session', { json: credentials, headers })).assertStatus(204);
  (await admin.get('/docs')).assertStatus(200).assertHeader('content-type', /html/);
  (await admin.get('/docs/page.js')).assertStatus(200);
  // Who is taken from the list loses the right at once.
  env.ADMINS.pop();
  (await admin.get('/docs')).assertStatus(403);
  env.ADMINS.push(id);
  const { paths } = (await admin.get('/docs/openapi.json')).json<{ paths: Record<string, object> }>();
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/tasks/{id}', '/session', '/health/ready']));
});

test('no response tells what the server is made with', async () => {
  for (const path of ['/', '/health/live', '/me', '/tasks', '/docs', '/assets/app.js', '/nowhere']) {
    expect((await api.anyone.get(path)).header('x-powered-by'), path).toBeUndefined();
  }
});

test('a body of more than 64 KiB is refused', async () => {
  const json = { email: 'ada@example.org', password: 'x'.repeat(64 * 1024) };
  (await api.anyone.post('/sign-up', { json })).assertStatus(413);
});

test('a client that calls too often is told when to try again', async () => {
  await using limited = await testApp({ RATE_LIMIT: 2 });
  await limited.anyone.get('/health/live');
  (await limited.anyone.get('/health/live')).assertStatus(200);
  (await limited.anyone.get('/health/live')).assertStatus(429).assertHeader('retry-after', /^\d+$/);
});
