// The way to a new password for who has forgotten the old one.
import { TestClient } from 'fw/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

const newPassword = 'staple battery horse';

/** A client without cookies, as of somebody who is not signed in. */
const anyone = () => new TestClient(api.app);

/** Asks for a link, and takes its secret from the mail. */
async function tokenFor(email: string): Promise<string> {
  (await anyone().post('/password-reset', { json: { email } })).assertStatus(204);
  const { links } = await api.mailbox.waitFor({ to: email }, { timeout: 20_000 });
  return new URL(links[0] ?? '').hash.slice('#reset='.length);
}

async function reset(token: string, password = newPassword): Promise<number> {
  const json = { token, newPassword: password };
  return (await anyone().put('/password-reset', { json })).status;
}

test('a link sets a new password once', async () => {
  const email = 'ada@example.org';
  await api.user(email);
  const [first, second] = [await tokenFor(email), await tokenFor(email)];
  expect(JSON.stringify(await sql`select * from tokens`.execute(api.db))).not.toContain(first);
  expect(await reset(first, 'password1234')).toBe(422);
  expect(await reset(first)).toBe(204);
  (await anyone().post('/sign-in', { json: { email, password: newPassword } })).assertStatus(200);
  for (const token of [first, second, 'x']) expect(await reset(token)).toBe(400);
});

test('of two uses of a link at once, one works', async () => {
  await api.user('bob@example.org');
  const token = await tokenFor('bob@example.org');
  expect((await Promise.all([reset(token), reset(token)])).sort()).toEqual([204, 400]);
});

test('a link works for half an hour', async () => {
  await api.user('carol@example.org');
  const token = await tokenFor('carol@example.org');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 60_000 });
  expect(await reset(token)).toBe(400);
  vi.useRealTimers();
});

test('an address without an account gets the same answer, and no mail', async () => {
  await api.user('dave@example.org');
  const json = { email: 'nobody@example.org' };
  (await anyone().post('/password-reset', { json })).assertStatus(204);
  await tokenFor('dave@example.org');
  expect(api.mailbox.mails.flatMap(({ to }) => to)).not.toContain('nobody@example.org');
});

test('nobody gets many mails', async () => {
  const email = 'frank@example.org';
  await api.user(email);
  for (let request = 0; request < 5; request++) await tokenFor(email);
  (await anyone().post('/password-reset', { json: { email } })).assertStatus(429);
});
