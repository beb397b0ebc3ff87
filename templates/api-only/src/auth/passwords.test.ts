// Passwords: which ones are accepted, how one is changed, and what the log tells of it.
import { type Subscriber, subscribe } from 'fw/tracing';
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

async function signUp(email: string): Promise<{ authorization: string }> {
  const made = await api.anyone.post('/sign-up', { json: { email, password } });
  return { authorization: `Bearer ${made.assertStatus(201).json<{ token: string }>().token}` };
}

test.each(['password1234', 'qwertyuiop123', '123456789012'])('%s is refused', async (common) => {
  const json = { email: 'common@example.org', password: common };
  const { issues } = (await api.anyone.post('/sign-up', { json })).assertStatus(422).json<{
    issues: object[];
  }>();
  expect(issues).toEqual([{ path: ['password'], message: 'is one of those that are tried first' }]);
  const headers = await signUp(`${common}@example.org`);
  const change = { currentPassword: password, newPassword: common };
  (await api.anyone.put('/me/password', { json: change, headers })).assertStatus(422);
});

test('a password is changed by who knows it', async () => {
  const email = 'ada@example.org';
  const headers = await signUp(email);
  const newPassword = 'staple battery horse';
  const change = (currentPassword: string) =>
    api.anyone.put('/me/password', { json: { currentPassword, newPassword }, headers });
  (await change('wrong'))
    .assertStatus(403)
    .assertJson({ error: 'Forbidden', message: 'the current password is wrong' });
  (await change(password)).assertStatus(204);
  (await api.anyone.post('/sign-in', { json: { email, password } })).assertStatus(401);
  (await api.anyone.post('/sign-in', { json: { email, password: newPassword } })).assertStatus(200);
});

test('a hash that is weaker than those of today is made anew when its user signs in', async () => {
  await using own = await testApp();
  const json = { email: 'ada@example.org', password };
  const hash = async () =>
    (await own.db.selectFrom('users').select('passwordHash').executeTakeFirstOrThrow()).passwordHash;
  (await own.anyone.post('/sign-up', { json })).assertStatus(201);
  const weak = await hash();
  vi.stubEnv('FW_PASSWORD_COST', '11');
  (await own.anyone.post('/sign-in', { json })).assertStatus(200);
  const strong = await hash();
  expect(strong).not.toBe(weak);
  (await own.anyone.post('/sign-in', { json })).assertStatus(200);
  expect(await hash()).toBe(strong);
  vi.unstubAllEnvs();
});

test('failures to change a password count with those to sign in', async () => {
  const email = 'bob@example.org';
  const headers = await signUp(email);
  const wrong = { currentPassword: 'wrong', newPassword: 'staple battery horse' };
  for (let attempt = 0; attempt < 5; attempt++) {
    (await api.anyone.put('/me/password', { json: wrong, headers })).assertStatus(403);
    (await api.anyone.post('/sign-in', { json: { email, password: 'wrong' } })).assertStatus(401);
  }
  (await api.anyone.put('/me/password', { json: wrong, headers })).assertStatus(429);
});

test('nobody else changes a password', async () => {
  const json = { currentPassword: password, newPassword: 'staple battery horse' };
  const headers = { authorization: 'Bearer x' };
  (await api.anyone.put('/me/password', { json, headers })).assertStatus(401);
});

test('the log tells who has signed up and in, and who has failed', async () => {
  const events: Parameters<Subscriber>[0][] = [];
  const end = subscribe((event) => void ('event' in event.fields && events.push(event)));
  const json = { email: 'carol@example.org', password };
  await signUp(json.email);
  (await api.anyone.post('/sign-up', { json })).assertStatus(409);
  (await api.anyone.post('/sign-in', { json })).assertStatus(200);
  (await api.anyone.post('/sign-in', { json: { ...json, password: 'wrong' } })).assertStatus(401);
  (await api.anyone.post('/sign-in', { json: { ...json, email: 'nobody@example.org' } })).assertStatus(401);
  end();
  const { id } = await api.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', json.email)
    .executeTakeFirstOrThrow();
  expect(events.map(({ fields: { event, outcome, user_id } }) => [event, outcome, user_id])).toEqual([
    ['sign-up', 'success', id],
    ['sign-up', 'failure', undefined],
    ['sign-in', 'success', id],
    ['sign-in', 'failure', id],
    ['sign-in', 'failure', undefined],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/carol|nobody|correct horse/);
  expect(events[0]?.span).toHaveProperty('request_id');
});
