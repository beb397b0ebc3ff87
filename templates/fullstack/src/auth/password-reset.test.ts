// The way to a new password for who has forgotten the old one.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isErrorOf } from '../../web/src/client.ts';
import { password, type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ PUBLIC_URL: new URL('http://localhost/') });
});
beforeEach(() => void api.mails.splice(0));
afterAll(() => api[Symbol.asyncDispose]());

const newPassword = 'staple battery horse';

/** Asks for a link, and takes its secret from the mail. */
async function tokenFor(email: string): Promise<string> {
  const before = api.mails.length;
  await (await api.browser()).accounts.requestReset({ email });
  await expect.poll(() => api.mails.length).toBe(before + 1);
  const { to, text = '' } = api.mails.at(-1) ?? {};
  expect(to).toBe(email);
  const [, token = ''] = /http:\/\/localhost\/reset-password#([\w-]{43})\n/.exec(text) ?? [];
  return token;
}

async function refusal(token: string): Promise<string | false> {
  const browser = await api.browser();
  const error = await browser.accounts.resetPassword({ token, newPassword }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isErrorOf(error, 'accounts.resetPassword') && error.error.name;
}

test('a link sets a new password once, and ends all sessions', async () => {
  const email = 'ada@example.org';
  const ada = await api.user(email);
  const [first, second] = [await tokenFor(email), await tokenFor(email)];
  const rows = JSON.stringify(await api.db.selectFrom('passwordResets').selectAll().execute());
  expect(rows).not.toContain(first);

  const browser = await api.browser();
  await browser.accounts.resetPassword({ token: first, newPassword });
  expect(await ada.accounts.current()).toBeNull();
  await browser.accounts.signIn({ email, password: newPassword });
  await expect(browser.accounts.signIn({ email, password })).rejects.toThrow();
  for (const token of [first, second, 'x']) expect(await refusal(token)).toBe('invalidLink');
});

test('of two uses of a link at once, one works', async () => {
  const email = 'bob@example.org';
  await api.user(email);
  const token = await tokenFor(email);
  const answers = await Promise.all([refusal(token), refusal(token)]);
  expect(answers.sort()).toEqual([false, 'invalidLink']);
});

test('a link works for half an hour', async () => {
  const email = 'carol@example.org';
  await api.user(email);
  const token = await tokenFor(email);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 60_000 });
  expect(await refusal(token)).toBe('invalidLink');
  vi.useRealTimers();
});

test('an address without an account gets the same answer, and no mail', async () => {
  await api.user('dave@example.org');
  const browser = await api.browser();
  expect(await browser.accounts.requestReset({ email: 'nobody@example.org' })).toBeUndefined();
  await tokenFor('dave@example.org');
  expect(api.mails.map(({ to }) => to)).toEqual(['dave@example.org']);
});

test('a common password is refused, and leaves the link as it is', async () => {
  const email = 'eve@example.org';
  await api.user(email);
  const token = await tokenFor(email);
  const browser = await api.browser();
  await expect(browser.accounts.resetPassword({ token, newPassword: 'password1234' })).rejects.toMatchObject({
    code: -32602,
  });
  expect(await refusal(token)).toBe(false);
});

test('nobody gets many mails', async () => {
  const email = 'frank@example.org';
  await api.user(email);
  for (let request = 0; request < 5; request++) await tokenFor(email);
  await expect((await api.browser()).accounts.requestReset({ email })).rejects.toMatchObject({
    code: -32029,
  });
});
