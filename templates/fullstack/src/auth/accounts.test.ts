// Accounts: the way of a user from sign-up to sign-out, and the attempts of others.
import { randomUUID } from 'node:crypto';
import { signInLimit } from 'fw/password';
import { RpcErrorCode } from 'fw/rpc';
import { TestClient } from 'fw/testing';
import { subscribe, type TracingEvent } from 'fw/tracing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isErrorOf, JsonRpcClientError } from '../../web/src/client.ts';
import { messageOf } from '../../web/src/errors.ts';
import { password, type TestApp, testApp } from '../test-app.ts';

// Hashing a password takes its time, on purpose.
vi.setConfig({ testTimeout: 60_000 });

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api[Symbol.asyncDispose]());

test('a user signs up, signs out and signs in', async () => {
  const browser = await api.browser();
  expect(await browser.accounts.current()).toBeNull();
  const ada = await browser.accounts.signUp({ email: 'Ada@Example.org', password });
  expect(ada).toEqual({
    id: expect.any(String),
    email: 'ada@example.org',
    isConfirmed: false,
    hasPassword: true,
  });
  expect(await browser.accounts.current()).toEqual(ada);

  await browser.accounts.signOut();
  expect(await browser.accounts.current()).toBeNull();
  expect(await browser.accounts.signIn({ email: 'ada@example.org', password })).toEqual(ada);
});

test('an e-mail address has one account', async () => {
  await api.user('bob@example.org');
  const error = await failure(api.user('bob@example.org'));
  expect(isErrorOf(error, 'accounts.signUp') && error.error.name).toBe('emailTaken');
});

test('every fault of a sign-up is named', async () => {
  const browser = await api.browser();
  const error = await failure(browser.accounts.signUp({ email: 'ada', password: 'short' }));
  expect(error).toBeInstanceOf(JsonRpcClientError);
  const { code, data } = error as JsonRpcClientError;
  expect(code).toBe(RpcErrorCode.InvalidParams);
  expect(data).toEqual({
    issues: [
      { path: ['email'], message: 'is not an e-mail address' },
      { path: ['password'], message: 'needs at least 12 characters' },
    ],
  });
});

test('a wrong password and an unknown account are refused alike', async () => {
  await api.user('carol@example.org');
  const browser = await api.browser();
  for (const email of ['carol@example.org', 'nobody@example.org']) {
    const error = await failure(browser.accounts.signIn({ email, password: 'wrong' }));
    expect(isErrorOf(error, 'accounts.signIn') && error.error.name).toBe('wrongCredentials');
  }
});

test.each(['password1234', 'qwertyuiop123', '123456789012'])(
  '%s is refused as a password',
  async (common) => {
    const expected = [{ path: [expect.any(String)], message: 'is one of those that are tried first' }];
    const signUp = (await api.browser()).accounts.signUp({ email: 'x@example.org', password: common });
    expect(await failure(signUp)).toMatchObject({
      code: RpcErrorCode.InvalidParams,
      data: { issues: expected },
    });
    const ada = await api.user();
    const change = ada.accounts.changePassword({ currentPassword: password, newPassword: common });
    expect(await failure(change)).toMatchObject({
      code: RpcErrorCode.InvalidParams,
      data: { issues: expected },
    });
  },
);

test('who knows the password changes it, which ends all other sessions', async () => {
  const email = 'grace@example.org';
  const newPassword = 'staple battery horse';
  const here = await api.user(email);
  const elsewhere = await api.browser();
  await elsewhere.accounts.signIn({ email, password });
  const wrong = await failure(here.accounts.changePassword({ currentPassword: 'wrong', newPassword }));
  expect(isErrorOf(wrong, 'accounts.changePassword') && wrong.error.name).toBe('wrongPassword');
  expect(await elsewhere.accounts.current()).not.toBeNull();

  const stream = elsewhere.changes.follow({ reconnect: false });
  const ended = failure(stream.next());
  await here.accounts.changePassword({ currentPassword: password, newPassword });
  expect(await here.accounts.current()).toMatchObject({ email });
  expect(await elsewhere.accounts.current()).toBeNull();
  expect(codeOf(await ended)).toBe(RpcErrorCode.Unauthorized);
  const refused = await failure(elsewhere.accounts.signIn({ email, password }));
  expect(isErrorOf(refused, 'accounts.signIn') && refused.error.name).toBe('wrongCredentials');
  await elsewhere.accounts.signIn({ email, password: newPassword });
});

test('a change of the password gives the own session another cookie, as somebody may have copied it', async () => {
  const cookies = new TestClient(api.app);
  const browser = await api.user('judy@example.org', cookies);
  const before = cookies.cookie('sid');
  await browser.accounts.changePassword({ currentPassword: password, newPassword: 'staple battery horse' });
  expect(cookies.cookie('sid')).not.toBe(before);
  expect(await browser.sessions.all()).toMatchObject([{ isCurrent: true }]);
  expect(await browser.accounts.current()).toMatchObject({ email: 'judy@example.org' });
});

test('a hash that is weaker than those of today is made anew when its user signs in', async () => {
  const email = 'mallory@example.org';
  await api.user(email);
  const row = () =>
    api.db.selectFrom('users').select('passwordHash').where('email', '=', email).executeTakeFirstOrThrow();
  const { passwordHash: weak } = await row();
  vi.stubEnv('FW_PASSWORD_COST', '11');
  const browser = await api.browser();
  await browser.accounts.signIn({ email, password });
  const { passwordHash: strong } = await row();
  expect(strong).not.toBe(weak);
  await browser.accounts.signIn({ email, password });
  expect((await row()).passwordHash).toBe(strong);
  vi.unstubAllEnvs();
});

test('a user sees where they are signed in, and ends that', async () => {
  const email = 'heidi@example.org';
  const here = await api.user(email);
  const [second, third] = [await api.browser(), await api.browser()];
  for (const browser of [second, third]) await browser.accounts.signIn({ email, password });
  const all = await here.sessions.all();
  expect(all).toHaveLength(3);
  expect(all.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  const other = (await second.sessions.all()).find(({ isCurrent }) => isCurrent)?.id ?? '';

  const eve = await api.user();
  expect(await eve.sessions.all()).toHaveLength(1);
  await eve.sessions.end({ id: other });
  expect(await second.accounts.current()).not.toBeNull();

  await here.sessions.end({ id: other });
  expect(await second.accounts.current()).toBeNull();
  await here.sessions.endOthers();
  expect(await third.accounts.current()).toBeNull();
  expect(await here.sessions.all()).toMatchObject([{ isCurrent: true, browser: 'Unknown browser' }]);
});

// By itself, a stream would notice only after 30 seconds.
test('an account is deleted with everything of it, and signed out at once', { timeout: 20_000 }, async () => {
  await using api = await testApp();
  const email = 'ada@example.org';
  const [here, bob] = [await api.user(email), await api.user('bob@example.org')];
  for (const to of [email, 'bob@example.org']) await api.token('confirm-email', to);
  const elsewhere = await api.browser();
  await elsewhere.accounts.signIn({ email, password });
  for (const client of [here, bob]) {
    const listId = randomUUID();
    await client.lists.add({ id: listId, name: 'Groceries' });
    await client.tasks.add({ id: randomUUID(), listId, title: 'Milk' });
  }
  const tables = ['users', 'sessions', 'lists', 'tasks', 'tokens'];
  const rows = () =>
    Promise.all(
      tables.map(async (name) => (await sql`select * from ${sql.table(name)}`.execute(api.db)).rows),
    );
  const before = await rows();

  const wrong = here.accounts.remove({ confirmation: 'wrong' });
  await expect(wrong).rejects.toMatchObject({ error: { name: 'wrongConfirmation' } });
  // The address is for accounts of a provider.
  await expect(here.accounts.remove({ confirmation: email })).rejects.toThrow();
  expect((await rows()).map(({ length }) => length)).toEqual(before.map(({ length }) => length));

  const states: string[] = [];
  const stream = elsewhere.changes.follow({ reconnect: false, onState: (state) => states.push(state) });
  const ended = expect(stream.next()).rejects.toMatchObject({ code: RpcErrorCode.Unauthorized });
  await expect.poll(() => states).toEqual(['open']);
  const events: unknown[] = [];
  const end = subscribe(({ fields }) => void ('event' in fields && events.push(fields.event)));
  await here.accounts.remove({ confirmation: password });
  end();
  await ended;
  expect(events).toEqual(['account-deletion']);
  for (const client of [here, elsewhere]) expect(await client.accounts.current()).toBeNull();
  // What is left is that of Bob.
  const bobs = await bob.accounts.current();
  const [users, sessions, lists, tasks, links] = await rows();
  expect(users).toMatchObject([{ id: bobs?.id }]);
  expect(sessions).toMatchObject([{ userId: bobs?.id }]);
  expect(lists).toMatchObject([{ ownerId: bobs?.id }]);
  expect(tasks).toHaveLength(1);
  expect(links).toMatchObject([{ userId: bobs?.id }]);
  await here.accounts.signUp({ email, password });
});

test('the log tells who has signed up, in and out, and who has failed', async () => {
  const events: TracingEvent[] = [];
  const end = subscribe((event) => void ('event' in event.fields && events.push(event)));
  const browser = await api.user('ivan@example.org');
  const user = await browser.accounts.current();
  await browser.accounts.signOut();
  await failure(browser.accounts.signIn({ email: 'ivan@example.org', password: 'wrong' }));
  await failure(browser.accounts.signIn({ email: 'nobody@example.org', password: 'wrong' }));
  end();
  expect(events.map(({ fields: { event, outcome, user_id } }) => [event, outcome, user_id])).toEqual([
    ['sign-up', 'success', user?.id],
    ['sign-out', 'success', user?.id],
    ['sign-in', 'failure', user?.id],
    ['sign-in', 'failure', undefined],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/ivan|nobody|correct horse/);
});

test('the log tells who has ended other sessions, if there was one', async () => {
  const email = 'niaj@example.org';
  const here = await api.user(email);
  for (const browser of [await api.browser(), await api.browser()]) {
    await browser.accounts.signIn({ email, password });
  }
  const [other] = (await here.sessions.all()).filter(({ isCurrent }) => !isCurrent);
  const events: unknown[] = [];
  const end = subscribe(({ fields }) => void ('event' in fields && events.push(fields.event)));
  for (let times = 0; times < 2; times += 1) {
    await here.sessions.end({ id: other?.id ?? '' });
    await here.sessions.endOthers();
  }
  end();
  expect(events).toEqual(['sign-out', 'sign-out']);
});

test('attempts to sign in are limited', async () => {
  const browser = await api.browser();
  const attempt = () => failure(browser.accounts.signIn({ email: 'dave@example.org', password: 'wrong' }));
  const codes = (await Promise.all(Array.from({ length: 11 }, attempt))).map(codeOf);
  expect(codes.filter((code) => code === -32029)).toHaveLength(1);
});

test('the page says that the server is not ready while sign-ups cannot be counted', async () => {
  await using own = await testApp();
  own.services.signUps = signInLimit({ store: { take: () => Promise.reject(new Error('away')) } });
  const browser = await own.browser();
  const error = await failure(browser.accounts.signUp({ email: 'kim@example.org', password }));
  expect(codeOf(error)).toBe(RpcErrorCode.ServiceUnavailable);
  expect(messageOf(error)).toBe('The server is not ready. Try again later.');
});

test('nobody else can use the procedures of users', async () => {
  const browser = await api.browser();
  expect(codeOf(await failure(browser.lists.all()))).toBe(RpcErrorCode.Unauthorized);
  expect(codeOf(await failure(browser.sessions.all()))).toBe(RpcErrorCode.Unauthorized);
  const confirmation = password;
  expect(codeOf(await failure(browser.accounts.remove({ confirmation })))).toBe(RpcErrorCode.Unauthorized);
  const change = { currentPassword: password, newPassword: 'staple battery horse' };
  expect(codeOf(await failure(browser.accounts.changePassword(change)))).toBe(RpcErrorCode.Unauthorized);
  expect(codeOf(await failure(browser.changes.follow().next()))).toBe(RpcErrorCode.Unauthorized);
});

test('a request without the token of the page is refused', async () => {
  const call = { jsonrpc: '2.0', method: 'accounts.current', id: 1 };
  (await new TestClient(api.app).post('/rpc', { json: call })).assertStatus(403);
});

test('a user whose account is gone is signed out', async () => {
  const browser = await api.user('eve@example.org');
  await api.db.deleteFrom('users').where('email', '=', 'eve@example.org').execute();
  expect(codeOf(await failure(browser.lists.all()))).toBe(RpcErrorCode.Unauthorized);
});

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (result) => expect.fail(`it did not fail, but gave ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
}

function codeOf(error: unknown): number | undefined {
  return error instanceof JsonRpcClientError ? error.code : undefined;
}
