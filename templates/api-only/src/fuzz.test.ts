// Requests of all kinds, which are made of the types of the app: valid, nearly valid and hostile ones. What breaks is
// shown as a command of curl and as a test. See `npx fw docs fuzzing`.
import { fuzz } from 'fw/testing';
import { test } from 'vitest';
import { testApp } from './test-app.ts';

// Everything else is only for users who are signed in, and what belongs to one of them is not for the other.
const open = ['GET /', '* /sign-up', '* /sign-in', '* /password-reset', '* /token'];

test('no request breaks the app, or gets what it must not have', async () => {
  await using api = await testApp();
  const identities = { ada: () => api.bearer(), bob: () => api.bearer() };
  await fuzz(api.app, { identities, open });
}, 300_000);
