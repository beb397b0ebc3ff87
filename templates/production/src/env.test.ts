// The configuration: what is read, and what is said when something is missing.
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const secret = 'x'.repeat(32);
const secrets = { JWT_SECRET: secret };

test('the secrets are enough', () => {
  expect(readEnv(secrets)).toMatchObject({
    JWT_SECRET: [secret],
    DATABASE_URL: 'file:app.db',
    HOST: '127.0.0.1',
    PORT: 3000,
    WORKERS: 1,
    RATE_LIMIT: 300,
    TRUSTED_PROXIES: [],
  });
});

test('an empty variable is as good as none, and lists have commas', () => {
  const next = 'y'.repeat(32);
  const lists = { TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1', JWT_SECRET: `${next},${secret}` };
  expect(readEnv({ ...secrets, ...lists, PORT: '', REDIS_URL: '' })).toMatchObject({
    PORT: 3000,
    TRUSTED_PROXIES: ['10.0.0.0/8', '127.0.0.1'],
    JWT_SECRET: [next, secret],
  });
});

test('every fault is named with its remedy, and without the value', () => {
  const faulty = {
    JWT_SECRET: 'hunter2',
    DATABASE_URL: 'oracle://scott:tiger@db',
    REDIS_URL: 'http://:tiger@cache',
    PORT: 'http',
    CORS_ORIGINS: 'https://app.example.com/path',
    WORKERS: '0',
    WEBHOOK_URL: 'https://tiger.example',
  };
  const message = messageOf(() => readEnv(faulty));
  for (const fault of [
    /^ {2}JWT_SECRET is shorter than 32 bytes; make one: node -p /m,
    /^ {2}DATABASE_URL must begin with file: or postgres:/m,
    /^ {2}REDIS_URL must be a URL that begins with redis:\/\/ or rediss:\/\//m,
    /^ {2}PORT must be a number/m,
    /^ {2}CORS_ORIGINS must be origins such as https:\/\/app.example.com, without a path/m,
    /^ {2}WORKERS must be at least 1/m,
    /^ {2}WEBHOOK_SECRET is missing; make one/m,
  ]) {
    expect(message).toMatch(fault);
  }
  expect(message).not.toMatch(/hunter2|tiger|ada/);
});

test('several processes need a database and a Redis that they can share', () => {
  const message = messageOf(() => readEnv({ ...secrets, WORKERS: '2' }));
  expect(message).toMatch(/WORKERS above 1 needs a DATABASE_URL of PostgreSQL/);
  expect(message).toMatch(/WORKERS above 1 needs a REDIS_URL/);
  expect(messageOf(() => readEnv({ ...secrets, WORKERS: 'two' }))).not.toMatch(/above 1/);
  const shared = { DATABASE_URL: 'postgres://db/app', REDIS_URL: 'redis://cache' };
  expect(readEnv({ ...secrets, ...shared, WORKERS: '2' }).WORKERS).toBe(2);
});

test('proxies are addresses or networks', () => {
  const networks = '10.0.0.0/8, 2001:db8::/32, ::1';
  expect(readEnv({ ...secrets, TRUSTED_PROXIES: networks }).TRUSTED_PROXIES).toHaveLength(3);
  for (const TRUSTED_PROXIES of ['proxy', '10.0.0.0/33', '10.0.0.1/', '::/8/8']) {
    expect(messageOf(() => readEnv({ ...secrets, TRUSTED_PROXIES }))).toMatch(
      /TRUSTED_PROXIES must be addresses or networks, such as/,
    );
  }
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('nothing was thrown');
}
