// Requests of all kinds, which are made of the types of the app: valid, nearly valid and hostile ones. What breaks is
// shown as a command of curl and as a test. See `npx fw docs fuzzing`.
import { signInLimit } from 'fw/password';
import { fuzz, type TestClient } from 'fw/testing';
import { test } from 'vitest';
import { testApp } from './test-app.ts';

// Everything else is only for users who are signed in, and what belongs to one of them is not for the other.
const open = [
  'accounts.signUp',
  'accounts.signIn',
  'accounts.current',
  'accounts.provider',
  'accounts.requestReset',
  'accounts.resetPassword',
  'accounts.confirmEmail',
];

test('no request breaks the app, or gets what it must not have', async () => {
  await using api = await testApp();
  // Whoever has removed their account makes another one.
  api.services.signUps = signInLimit({ name: 'sign-up', perClient: 100_000 });
  const signUp = async (client: TestClient) => {
    await api.user(undefined, client);
    return undefined;
  };
  await fuzz(api.app, { identities: { ada: signUp, bob: signUp }, open });
}, 300_000);
