// Accounts: the way of a user from sign-up to sign-out, and the attempts of others.
import { TestClient } from 'fw/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FwRpcClient, isErrorOf, JsonRpcClientError } from '../../web/src/client.ts';
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
  expect(ada).toEqual({ id: expect.any(String), email: 'ada@example.org' });
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
  expect(code).toBe(-32602);
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

test('attempts to sign in are limited', async () => {
  const browser = await api.browser();
  const attempt = () => failure(browser.accounts.signIn({ email: 'dave@example.org', password: 'wrong' }));
  const codes = (await Promise.all(Array.from({ length: 11 }, attempt))).map(codeOf);
  expect(codes.filter((code) => code === -32029)).toHaveLength(1);
});

test('nobody else can use the procedures of users', async () => {
  const browser = await api.browser();
  expect(codeOf(await failure(browser.lists.all()))).toBe(-32001);
  expect(codeOf(await failure(browser.changes.follow().next()))).toBe(-32001);
});

test('a request without the token of the page is refused', async () => {
  const call = { jsonrpc: '2.0', method: 'accounts.current', id: 1 };
  (await new TestClient(api.app).post('/rpc', { json: call })).assertStatus(403);
});

test('a user whose account is gone is signed out', async () => {
  const browser = await api.user('eve@example.org');
  await api.db.deleteFrom('users').where('email', '=', 'eve@example.org').execute();
  expect(codeOf(await failure(browser.lists.all()))).toBe(-32001);
});

async function failure(call: Promise<FwRpcClient | object>): Promise<unknown> {
  return call.then(
    (result) => expect.fail(`it did not fail, but gave ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
}

function codeOf(error: unknown): number | undefined {
  return error instanceof JsonRpcClientError ? error.code : undefined;
}
