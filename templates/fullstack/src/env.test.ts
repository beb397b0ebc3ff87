// The configuration: what is read, and what is said when something is missing.
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const CSRF_SECRET = 'x'.repeat(32);
const PUBLIC_URL = 'https://lists.example';

test('the secret and the address are enough', () => {
  expect(readEnv({ CSRF_SECRET, PUBLIC_URL })).toEqual({
    CSRF_SECRET,
    PUBLIC_URL: new URL(PUBLIC_URL),
    DATABASE_URL: 'file:app.db',
    HOST: '127.0.0.1',
    PORT: 3000,
    RATE_LIMIT: 300,
    TRUSTED_PROXIES: [],
  });
});

test('an empty variable is as good as none, and lists have commas', () => {
  const env = readEnv({ CSRF_SECRET, PUBLIC_URL, PORT: '', TRUSTED_PROXIES: '10.0.0.0/8, ::1' });
  expect(env).toMatchObject({ PORT: 3000, TRUSTED_PROXIES: ['10.0.0.0/8', '::1'] });
});

test('every fault is named with its remedy, and without the value', () => {
  const faulty = {
    CSRF_SECRET: 'hunter2',
    PUBLIC_URL: 'javascript:alert(1)',
    DATABASE_URL: 'oracle://scott:tiger@db',
    PORT: 'http',
  };
  const message = messageOf(() => readEnv(faulty));
  expect(message).toMatch(/CSRF_SECRET is shorter than 32 bytes; make one: node -p /);
  expect(message).toMatch(/DATABASE_URL must begin with file: or postgres:/);
  expect(message).toMatch(/PUBLIC_URL must be the address that browsers use/);
  expect(message).toMatch(/PORT must be a number/);
  expect(message).not.toMatch(/hunter2|tiger|alert/);
  expect(messageOf(() => readEnv({}))).toMatch(/CSRF_SECRET is missing; make one: /);
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
}
