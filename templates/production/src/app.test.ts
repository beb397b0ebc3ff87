// What holds for the whole app: who may call what, what answers carry, the documentation, limits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from './test-app.ts';

const origin = 'https://app.example.com';

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ CORS_ORIGINS: [origin] });
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

test('every response has an id that no stranger chooses, and header fields for security', async () => {
  const response = await api.anyone.get('/nowhere', { headers: { 'x-request-id': 'abc' } });
  response
    .assertStatus(404)
    .assertHeader('x-request-id', /^[0-9a-f-]{36}$/)
    .assertHeader('x-content-type-options', 'nosniff')
    .assertHeader('content-security-policy', /frame-ancestors 'none'/);
});

test('pages of the configured origins may call, without cookies', async () => {
  const preflight = { origin, 'access-control-request-method': 'PATCH' };
  const asked = await api.anyone.options('/tasks', { headers: preflight });
  asked.assertStatus(204).assertHeader('access-control-allow-origin', origin);
  expect(asked.header('access-control-allow-credentials')).toBeUndefined();
  const foreign = await api.anyone.get('/health/live', { headers: { origin: 'https://evil.example' } });
  expect(foreign.header('access-control-allow-origin')).toBeUndefined();
});

test('large answers are compressed', async () => {
  const answer = await api.anyone.get('/docs/page.js', { headers: { 'accept-encoding': 'gzip' } });
  answer.assertHeader('content-encoding', 'gzip');
});

test('the documentation, to which / leads, has every route', async () => {
  (await api.anyone.get('/')).assertStatus(302).assertHeader('location', '/docs');
  (await api.anyone.get('/docs')).assertStatus(200).assertHeader('content-type', /html/);
  const { paths } = (await api.anyone.get('/docs/openapi.json')).json<{ paths: Record<string, object> }>();
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(.*?)\}/g, ':$1')}`),
  );
  const routes = api.app.accessList().routes.map(({ method, path }) => `${method} ${path}`);
  const own = routes.filter((route) => !/^GET \/(docs|health)|^WEBSOCKET/.test(route));
  expect(documented.sort()).toEqual(own.sort());
});

test('without the documentation, there is none, and / says what the app is', async () => {
  await using closed = await testApp({ DOCS: false });
  (await closed.anyone.get('/docs')).assertStatus(404);
  const expected = { name: 'Tasks', version: '0.1.0', health: '/health' };
  (await closed.anyone.get('/')).assertStatus(200).assertJson(expected);
});

test('no response tells what the server is made with', async () => {
  for (const path of ['/', '/health/live', '/me', '/tasks', '/docs', '/docs/page.js', '/nowhere']) {
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
