// What people do by links in mails: confirm an e-mail address, change it, and set a new password.
import { RpcErrorCode } from 'fw/rpc';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FwRpcClient, isErrorOf } from '../../web/src/client.ts';
import { password, type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

const newPassword = 'staple battery horse';

const mailsTo = (email: string) => api.mailbox.mails.filter(({ to }) => to.includes(email));

/** Asks for a link, and takes its secret from the mail. */
async function tokenFor(email: string): Promise<string> {
  await (await api.browser()).accounts.requestReset({ email });
  return api.token('reset-password', email);
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
  const rows = JSON.stringify(await sql`select * from tokens`.execute(api.db));
  expect(rows).not.toContain(first);

  const browser = await api.browser();
  await browser.accounts.resetPassword({ token: first, newPassword });
  expect(await ada.accounts.current()).toBeNull();
  const signedIn = await browser.accounts.signIn({ email, password: newPassword });
  // Who gets the mails of an address has it.
  expect(signedIn.isConfirmed).toBe(true);
  await expect(browser.accounts.signIn({ email, password })).rejects.toThrow();
  for (const token of [first, second, 'x']) expect(await refusal(token)).toBe('invalidLink');
});

test('nobody waits for the mail, whose time would tell whether there is an account', async () => {
  await using own = await testApp();
  const user = await own.user('judy@example.org');
  const sent: string[] = [];
  own.services.mail = {
    ...own.services.mail,
    send({ to }) {
      sent.push(String(to));
      return new Promise(() => {});
    },
  };
  await user.accounts.requestReset({ email: 'judy@example.org' });
  await expect.poll(() => sent).toEqual(['judy@example.org']);
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
  expect(mailsTo('nobody@example.org')).toEqual([]);
});

test('a common password is refused, and leaves the link as it is', async () => {
  const email = 'eve@example.org';
  await api.user(email);
  const token = await tokenFor(email);
  const browser = await api.browser();
  await expect(browser.accounts.resetPassword({ token, newPassword: 'password1234' })).rejects.toMatchObject({
    code: RpcErrorCode.InvalidParams,
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

/** The error that the procedure declares, or the address that was confirmed. */
async function confirm(token: string): Promise<string> {
  const { accounts } = await api.browser();
  return accounts.confirmEmail({ token }).catch((error: unknown) => {
    if (!isErrorOf(error, 'accounts.confirmEmail')) throw error;
    return error.error.name;
  });
}

async function change(user: FwRpcClient, email: string, currentPassword = password): Promise<string> {
  const input = { email, password: currentPassword };
  return user.accounts.changeEmail(input).then(
    () => 'sent',
    (error: unknown) => {
      if (!isErrorOf(error, 'accounts.changeEmail')) throw error;
      return error.error.name;
    },
  );
}

test('a new account is used at once, and its address is confirmed by a link that works once', async () => {
  const email = 'ada@example.net';
  const ada = await api.user(email);
  expect(await ada.lists.all()).toEqual([]);
  expect(await ada.accounts.current()).toMatchObject({ isConfirmed: false });
  const token = await api.token('confirm-email', email);
  expect(JSON.stringify(await sql`select * from tokens`.execute(api.db))).not.toContain(token);
  // On a telephone, where nobody is signed in.
  expect(await confirm(token)).toBe(email);
  expect(await ada.accounts.current()).toMatchObject({ isConfirmed: true });
  for (const used of [token, 'x']) expect(await confirm(used)).toBe('invalidLink');
  await ada.accounts.requestConfirmation();
  expect(mailsTo(email)).toHaveLength(1);
});

test('a link works for a day, and for its own purpose', async () => {
  const email = 'bob@example.net';
  await api.user(email);
  const token = await api.token('confirm-email', email);
  const reset = (await api.browser()).accounts.resetPassword({ token, newPassword: 'staple battery horse' });
  await expect(reset).rejects.toMatchObject({ error: { name: 'invalidLink' } });
  expect(await confirm(await tokenFor(email))).toBe('invalidLink');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * 60_000 });
  expect(await confirm(token)).toBe('invalidLink');
  vi.useRealTimers();
});

test('the link is sent again, five times in an hour', async () => {
  const email = 'carol@example.net';
  const carol = await api.user(email);
  for (let time = 0; time < 5; time++) await carol.accounts.requestConfirmation();
  await expect(carol.accounts.requestConfirmation()).rejects.toMatchObject({ code: -32029 });
  expect(mailsTo(email).length).toBeGreaterThanOrEqual(5);
});

test('who cannot be sent a mail has an account all the same, and hears of it when the link is sent again', async () => {
  const failing = vi.spyOn(api.mailbox.transport, 'sendMail').mockRejectedValue(new Error('no provider'));
  const dave = await api.user('dave@example.net');
  await expect(dave.accounts.requestConfirmation()).rejects.toThrow();
  failing.mockRestore();
  await dave.accounts.requestConfirmation();
  expect(await confirm(await api.token('confirm-email', 'dave@example.net'))).toBe('dave@example.net');
});

test('an address changes when the new one is confirmed, and the old one is told', async () => {
  const [before, after] = ['eve@example.net', 'eve@new.example'];
  const eve = await api.user(before);
  await api.user('taken@example.net');
  expect(await change(eve, after, 'wrong')).toBe('wrongPassword');
  expect(await change(eve, 'Taken@example.net')).toBe('emailTaken');
  expect(await change(eve, after)).toBe('sent');
  expect(await eve.accounts.current()).toMatchObject({ email: before });
  // A link that has gone to the old address works no longer than that is the address.
  await (await api.browser()).accounts.requestReset({ email: before });
  const old = await api.token('reset-password', before);
  expect(await confirm(await api.token('confirm-email', after))).toBe(after);
  expect(await eve.accounts.current()).toMatchObject({ email: after, isConfirmed: true });
  await api.mailbox.waitFor({ to: before, subject: 'Your e-mail address was changed' }, { timeout: 20_000 });
  const browser = await api.browser();
  const reset = browser.accounts.resetPassword({ token: old, newPassword: 'staple battery horse' });
  await expect(reset).rejects.toMatchObject({ error: { name: 'invalidLink' } });
  await expect(browser.accounts.signIn({ email: before, password })).rejects.toThrow();
  await browser.accounts.signIn({ email: after, password });
});

test('an address that somebody else has meanwhile is refused, and nothing changes', async () => {
  const frank = await api.user('frank@example.net');
  expect(await change(frank, 'free@example.net')).toBe('sent');
  await api.user('free@example.net');
  expect(await confirm(await api.token('confirm-email', 'free@example.net'))).toBe('emailTaken');
  expect(await frank.accounts.current()).toMatchObject({ email: 'frank@example.net' });
});
