// Accounts of an identity provider: who gets which one.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp, testEnv } from '../test-app.ts';
import { accountOf, oidcRoutes } from './oidc.ts';

vi.setConfig({ testTimeout: 30_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

const ada = { iss: 'https://login.example', sub: '7', email: 'Ada@example.org', email_verified: true };

test('the first sign-in makes an account, and later ones find it, also with another address', async () => {
  const id = await accountOf(api.db, ada);
  expect(await accountOf(api.db, { ...ada, email: 'ada@new.example' })).toBe(id);
  expect(await accountOf(api.db, { ...ada, sub: '8', email: 'bob@example.org' })).not.toBe(id);
  const rows = await api.db.selectFrom('users').select(['id', 'email']).where('id', '=', id).execute();
  expect(rows).toEqual([{ id, email: 'ada@example.org' }]);
});

test('an account of a provider gets no link for a password', async () => {
  await accountOf(api.db, { ...ada, sub: '12', email: 'frank@example.org' });
  await api.user('grace@example.org');
  for (const email of ['frank@example.org', 'grace@example.org']) {
    (await api.anyone.post('/password-reset', { json: { email } })).assertStatus(204);
  }
  await expect.poll(() => api.mails.map(({ to }) => to)).toEqual(['grace@example.org']);
});

test('two sign-ins at once make one account', async () => {
  const eve = { ...ada, sub: '9', email: 'eve@example.org' };
  const ids = await Promise.all([accountOf(api.db, eve), accountOf(api.db, eve)]);
  expect(ids[0]).toBe(ids[1]);
});

test('an address that is not verified, or that an account with a password has, is refused', async () => {
  for (const claims of [{ email_verified: false }, { email: 'ada\0@example.org' }, { email: 7 }]) {
    await expect(accountOf(api.db, { ...ada, sub: '10', ...claims })).rejects.toMatchObject({ status: 403 });
  }
  await api.user('carol@example.org');
  const carol = { ...ada, sub: '11', email: 'carol@example.org' };
  await expect(accountOf(api.db, carol)).rejects.toMatchObject({ status: 409 });
});

test('the routes exist with a provider only', async () => {
  expect(await oidcRoutes(testEnv())).toBeUndefined();
  (await api.anyone.get('/auth/sign-in')).assertStatus(404);
  await using single = await testApp({ OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'tasks' });
  // Nobody is there: the sign-in fails, and the app starts all the same.
  (await single.anyone.get('/auth/sign-in')).assertStatus(503);
  (await single.anyone.get('/health/ready')).assertStatus(200);
});
