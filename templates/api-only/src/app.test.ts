// What holds for the whole app: who may call what, the documentation, limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from './test-app.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

test('only these routes are open to everybody', () => {
  expect(api.app.accessList().open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /health',
    'POST /sign-up',
    'POST /sign-in',
    'POST /password-reset',
    'PUT /password-reset',
    'GET /docs',
    'GET /docs/openapi.json',
    'GET /docs/api.json',
    'GET /docs/page.js',
    'GET /docs/page.css',
  ]);
});

test('the app is healthy', async () => {
  (await api.anyone.get('/health')).assertStatus(200).assertJson({ status: 'ok' });
});

test('the documentation has every route', async () => {
  (await api.anyone.get('/docs')).assertStatus(200).assertHeader('content-type', /html/);
  const { paths } = (await api.anyone.get('/docs/openapi.json')).json<{ paths: Record<string, object> }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(.*?)\}/g, ':$1')}`),
  );
  const routes = api.app.accessList().routes.map(({ method, path }) => `${method} ${path}`);
  expect(documented.sort()).toEqual(routes.filter((route) => !route.startsWith('GET /docs')).sort());
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

test('the documentation can be closed', async () => {
  await using closed = await testApp({ DOCS: false });
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
