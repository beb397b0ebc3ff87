// What holds for the whole app: who may call what, the documentation, limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from './test-app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

test('only these routes are open to anyone', () => {
  expect(api.app.accessList().open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'GET /health/live',
    'GET /',
    'POST /sign-up',
    'POST /sign-in',
    'POST /password-reset',
    'PUT /password-reset',
    'POST /token',
    'DELETE /token',
    'GET /docs',
    'GET /docs/openapi.json',
    'GET /docs/api.json',
    'GET /docs/page.js',
    'GET /docs/page.css',
  ]);
});

test('the app is ready while its database is there', async () => {
  (await api.anyone.get('/health')).assertStatus(200).assertJson({ status: 'ok' });
  await using other = await testApp();
  await other.db.destroy();
  (await other.anyone.get('/health')).assertStatus(503).assertJson({ status: 'unavailable' });
  (await other.anyone.get('/health/live')).assertStatus(200);
});

test('the documentation, to which / leads, has every route', async () => {
  (await api.anyone.get('/')).assertStatus(302).assertHeader('location', '/docs');
  (await api.anyone.get('/docs')).assertStatus(200).assertHeader('content-type', /html/);
  const { paths } = (await api.anyone.get('/docs/openapi.json')).json<{ paths: Record<string, object> }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(.*?)\}/g, ':$1')}`),
  );
  const routes = api.app.accessList().routes.map(({ method, path }) => `${method} ${path}`);
  expect(documented.sort()).toEqual(routes.filter((route) => !/^GET \/(docs|health)/.test(route)).sort());
});

test('every response has an id that no stranger chooses, and header fields for security', async () => {
  const response = await api.anyone.get('/nowhere', { headers: { 'x-request-id': 'abc' } });
  response
    .assertStatus(404)
    .assertHeader('x-request-id', /^[0-9a-f-]{36}$/)
    .assertHeader('x-content-type-options', 'nosniff')
    .assertHeader('content-security-policy', /frame-ancestors 'none'/);
});

test('no response tells what the server is made with', async () => {
  for (const path of ['/health', '/me', '/tasks', '/docs', '/nowhere']) {
    expect((await api.anyone.get(path)).header('x-powered-by'), path).toBeUndefined();
  }
});

test('without the documentation, there is none, and / says what the app is', async () => {
  await using closed = await testApp({ DOCS: false });
  const expected = { name: 'Tasks', version: '0.1.0', health: '/health' };
  (await closed.anyone.get('/')).assertStatus(200).assertJson(expected);
  for (const path of ['/docs', '/docs/openapi.json']) (await closed.anyone.get(path)).assertStatus(404);
});

test('a body of more than 64 KiB is refused', async () => {
  const json = { email: 'ada@example.org', password: 'x'.repeat(64 * 1024) };
  (await api.anyone.post('/sign-up', { json })).assertStatus(413);
});

test('a client that calls too often is told when to try again', async () => {
  await using limited = await testApp({ RATE_LIMIT: 2 });
  await limited.anyone.get('/health');
  (await limited.anyone.get('/health')).assertStatus(200);
  (await limited.anyone.get('/health')).assertStatus(429).assertHeader('retry-after', /^\d+$/);
});
