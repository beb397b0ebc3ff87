// The configuration: what is read, and what is said when something is missing.
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const JWT_SECRET = 'x'.repeat(32);

test('the secret is enough', () => {
  expect(readEnv({ JWT_SECRET })).toEqual({
    JWT_SECRET,
    DOCS: false,
    DATABASE_URL: 'file:app.db',
    HOST: '127.0.0.1',
    MAIL_FROM: 'app@localhost',
    PORT: 3000,
    RATE_LIMIT: 300,
    TRUSTED_PROXIES: [],
  });
});

test('an empty variable is as good as none, and lists have commas', () => {
  const env = readEnv({ JWT_SECRET, PORT: '', TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' });
  expect(env).toMatchObject({ PORT: 3000, TRUSTED_PROXIES: ['10.0.0.0/8', '127.0.0.1'] });
});

test('every fault is named with its remedy, and without the value', () => {
  const faulty = { JWT_SECRET: 'hunter2', DATABASE_URL: 'oracle://scott:tiger@db', PORT: 'http' };
  const message = messageOf(() => readEnv(faulty));
  expect(message).toMatch(/JWT_SECRET is shorter than 32 bytes; make one: node -p /);
  expect(message).toMatch(/DATABASE_URL must begin with file: or postgres:/);
  expect(message).toMatch(/PORT must be a number/);
  expect(message).not.toMatch(/hunter2|tiger/);
  expect(messageOf(() => readEnv({}))).toMatch(/JWT_SECRET is missing; make one: /);
});

test('proxies are addresses or networks', () => {
  const networks = '10.0.0.0/8, 2001:db8::/32, ::1';
  expect(readEnv({ JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: networks }).TRUSTED_PROXIES).toHaveLength(3);
  for (const TRUSTED_PROXIES of ['proxy', '10.0.0.0/33', '10.0.0.1/', '::/8/8']) {
    expect(messageOf(() => readEnv({ JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES }))).toMatch(
      /TRUSTED_PROXIES must be addresses or networks, such as/,
    );
  }
});

test('a server for mails needs a sender', () => {
  const env = { JWT_SECRET: 'x'.repeat(32), SMTP_URL: 'smtp://mail.example' };
  expect(messageOf(() => readEnv(env))).toMatch(/MAIL_FROM is missing: the address that mails/);
  expect(readEnv({ ...env, MAIL_FROM: 'a@b.example' }).MAIL_FROM).toBe('a@b.example');
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
}
