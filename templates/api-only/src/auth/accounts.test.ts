// Accounts: the way of a user from sign-up to the token that has expired, and the attempts of others.
import { Jwt } from 'fw/jwt';
import { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

const password = 'correct horse battery';

test('a user signs up, signs in and is known', async () => {
  const signedUp = await api.anyone.post('/sign-up', { json: { email: 'Ada@Example.org', password } });
  signedUp.assertStatus(201).assertHeader('cache-control', 'no-store');
  const signedIn = await api.anyone.post('/sign-in', { json: { email: 'ada@example.org', password } });
  const { token, expiresInSeconds } = signedIn
    .assertStatus(200)
    .json<{ token: string; expiresInSeconds: number }>();
  expect(expiresInSeconds).toBe(900);
  // No cache may keep a token, nor what belongs to somebody.
  signedIn.assertHeader('cache-control', 'no-store');

  const me = await api.anyone.get('/me', { headers: { authorization: `Bearer ${token}` } });
  me.assertHeader('cache-control', 'private, no-store');
  expect(me.assertStatus(200).json()).toEqual({
    id: expect.any(String),
    email: 'ada@example.org',
    createdAt: expect.any(String),
  });
});

test('an e-mail address has one account', async () => {
  const json = { email: 'bob@example.org', password };
  (await api.anyone.post('/sign-up', { json })).assertStatus(201);
  (await api.anyone.post('/sign-up', { json }))
    .assertStatus(409)
    .assertJson({ error: 'Conflict', message: 'there is an account with this e-mail address' });
});

test.each(['ada\0@example.org', 'ada@example.org\n', 'a\u007fda@example.org'])(
  'the address %j is refused',
  async (email) => {
    (await api.anyone.post('/sign-up', { json: { email, password } })).assertStatus(422);
  },
);

test('every fault of a sign-up is named', async () => {
  const refused = await api.anyone.post('/sign-up', { json: { email: 'ada', password: 'short' } });
  const { error, issues } = refused.assertStatus(422).json<{ error: string; issues: { path: string[] }[] }>();
  expect(error).toBe('ValidationError');
  expect(issues.map(({ path }) => path.join('.'))).toEqual(['email', 'password']);
});

test('a wrong password and an unknown account are refused alike', async () => {
  const carol = { email: 'carol@example.org', password };
  (await api.anyone.post('/sign-up', { json: carol })).assertStatus(201);
  const wrong = await api.anyone.post('/sign-in', { json: { ...carol, password: 'wrong' } });
  const unknown = await api.anyone.post('/sign-in', { json: { email: 'nobody@example.org', password } });
  expect(unknown.assertStatus(401).json()).toEqual(wrong.assertStatus(401).json());
});

test('attempts to sign in are limited', async () => {
  await using other = await testApp();
  const json = { email: 'ada@example.org', password: 'wrong' };
  for (let attempt = 0; attempt < 10; attempt++) {
    (await other.anyone.post('/sign-in', { json })).assertStatus(401);
  }
  (await other.anyone.post('/sign-in', { json })).assertStatus(429).assertHeader('retry-after', /^\d+$/);
});

test.each([
  ['no token', undefined],
  ['a token that another secret signed', Jwt.hs256('y'.repeat(32)).expiresIn(900).sign({ sub: 'x' })],
  ['an expired token', Jwt.hs256('x'.repeat(32)).sign({ sub: 'x', exp: 1 })],
  [
    'a token of an account that is gone',
    Jwt.hs256('x'.repeat(32)).expiresIn(900).sign({ sub: 'x', scope: 'account' }),
  ],
])('%s is answered 401', async (_name, token) => {
  const client = new TestClient(
    api.app,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  (await client.get('/me')).assertStatus(401).assertHeader('www-authenticate', /Bearer/);
});
