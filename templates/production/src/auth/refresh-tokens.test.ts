// How a client stays signed in, and how that ends.
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => api[Symbol.asyncDispose]());

const password = 'correct horse battery';

interface Tokens {
  token: string;
  refreshToken: string;
}

async function signUp(email: string): Promise<Tokens> {
  return (await api.anyone.post('/sign-up', { json: { email, password } })).assertStatus(201).json<Tokens>();
}

const signIn = async (email: string): Promise<Tokens> =>
  (await api.anyone.post('/sign-in', { json: { email, password } })).assertStatus(200).json<Tokens>();
const refresh = (refreshToken: string) => api.anyone.post('/token', { json: { refreshToken } });
const authorized = ({ token }: Tokens) => ({ headers: { authorization: `Bearer ${token}` } });
const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

test('a client gets the next tokens by each refresh token, once', async () => {
  const first = await signUp('ada@example.org');
  const rows = JSON.stringify(await sql`select * from tokens`.execute(api.db));
  expect(rows).not.toContain(first.refreshToken);
  const second = (await refresh(first.refreshToken))
    .assertStatus(200)
    .assertHeader('cache-control', 'no-store');
  const tokens = second.json<Tokens>();
  (await api.anyone.get('/me', authorized(tokens))).assertStatus(200);
  // Two windows at once: the later one is refused, and the sign-in goes on.
  (await refresh(first.refreshToken)).assertStatus(401);
  (await refresh(tokens.refreshToken)).assertStatus(200);
});

test('of two uses at once, one works', async () => {
  const { refreshToken } = await signUp('bob@example.org');
  const statuses = await Promise.all([refresh(refreshToken), refresh(refreshToken)]);
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('a refresh token that is used again later ends the whole sign-in', async () => {
  const stolen = await signUp('carol@example.org');
  const other = await signIn('carol@example.org');
  const next = (await refresh(stolen.refreshToken)).json<Tokens>();
  later(11_000);
  (await refresh(stolen.refreshToken)).assertStatus(401);
  (await refresh(next.refreshToken)).assertStatus(401);
  (await refresh(other.refreshToken)).assertStatus(200);
});

test('a sign-in lasts for a month without a use', async () => {
  const { refreshToken } = await signUp('dave@example.org');
  later(30 * 86_400_000);
  (await refresh(refreshToken)).assertStatus(401);
  (await refresh('x')).assertStatus(401);
});

test('a user sees where they are signed in, and ends that', async () => {
  const here = await signUp('eve@example.org');
  const there = await signIn('eve@example.org');
  const mallory = await signUp('mallory@example.org');
  const list = async (who = here) =>
    (await api.anyone.get('/sign-ins', authorized(who))).assertStatus(200).json<{ items: { id: string }[] }>()
      .items;
  expect(await list()).toHaveLength(2);
  const [newest] = await list();
  (await api.anyone.delete(`/sign-ins/${newest?.id}`, authorized(mallory))).assertStatus(404);
  (await api.anyone.delete(`/sign-ins/${newest?.id}`, authorized(here))).assertStatus(204);
  expect(await list()).toHaveLength(1);
  (await refresh(there.refreshToken)).assertStatus(401);
  const again = await signIn('eve@example.org');
  (await api.anyone.delete('/sign-ins', authorized(here))).assertStatus(204);
  for (const { refreshToken } of [here, again]) (await refresh(refreshToken)).assertStatus(401);
  (await refresh(mallory.refreshToken)).assertStatus(200);
  expect(await list(mallory)).toHaveLength(1);
  // One that has expired is none.
  await sql`update tokens set expires_at_ms = ${Date.now()}`.execute(api.db);
  expect(await list(mallory)).toEqual([]);
});

test('signing out ends one sign-in', async () => {
  const here = await signUp('frank@example.org');
  const there = await signIn('frank@example.org');
  const { refreshToken } = here;
  (await api.anyone.delete('/token', { json: { refreshToken } })).assertStatus(204);
  (await api.anyone.delete('/token', { json: { refreshToken } })).assertStatus(204);
  (await refresh(refreshToken)).assertStatus(401);
  (await refresh(there.refreshToken)).assertStatus(200);
});

test('a change of the password ends all sign-ins', async () => {
  const here = await signUp('grace@example.org');
  const json = { currentPassword: password, newPassword: 'staple battery horse' };
  (await api.anyone.put('/me/password', { json, ...authorized(here) })).assertStatus(204);
  (await refresh(here.refreshToken)).assertStatus(401);
});

test('an account is deleted by who knows its password, with all that belongs to it', async () => {
  const heidi = await signUp('heidi@example.org');
  (await api.anyone.post('/tasks', { json: { title: 'Buy milk' }, ...authorized(heidi) })).assertStatus(201);
  const remove = (current: string) =>
    api.anyone.delete('/me', { json: { currentPassword: current }, ...authorized(heidi) });
  (await remove('wrong')).assertStatus(403);
  (await remove(password)).assertStatus(204);
  (await api.anyone.get('/me', authorized(heidi))).assertStatus(401);
  (await refresh(heidi.refreshToken)).assertStatus(401);
  expect(await api.db.selectFrom('tasks').select('id').execute()).toEqual([]);
  // The address is free.
  await signUp('heidi@example.org');
});
