// The configuration: what is read, and what is said when something is missing.
import { expect, test } from 'vitest';
import { readEnv } from './env.ts';

const CSRF_SECRET = 'x'.repeat(32);
const PUBLIC_URL = 'https://lists.example';

test('the secret and the address are enough', () => {
  expect(readEnv({ CSRF_SECRET, PUBLIC_URL })).toMatchObject({
    CSRF_SECRET,
    PUBLIC_URL: new URL(PUBLIC_URL),
    DATABASE_URL: 'file:app.db',
    HOST: '127.0.0.1',
    PORT: 3000,
    WORKERS: 1,
    OIDC_NAME: 'your organisation',
    RATE_LIMIT: 1000,
    TRUSTED_PROXIES: [],
  });
});

test('a provider needs the id that it has given', () => {
  const OIDC_ISSUER = 'https://login.example';
  const env = { CSRF_SECRET, PUBLIC_URL, OIDC_ISSUER };
  expect(readEnv({ ...env, OIDC_CLIENT_ID: 'lists' })).toMatchObject({
    OIDC_ISSUER,
    OIDC_CLIENT_ID: 'lists',
  });
  expect(messageOf(() => readEnv(env))).toMatch(/OIDC_CLIENT_ID is missing; the provider has given it/);
  const message = messageOf(() => readEnv({ OIDC_ISSUER: 'login' }));
  expect(message).toMatch(/OIDC_ISSUER must be the URL of a provider/);
  expect(message).toMatch(/OIDC_CLIENT_ID is missing/);
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

test('production is served over HTTPS, except to the machine itself', () => {
  const production = { CSRF_SECRET, NODE_ENV: 'production' };
  for (const url of ['http://lists.example', 'http://localhost.evil.example']) {
    expect(messageOf(() => readEnv({ ...production, PUBLIC_URL: url }))).toMatch(
      /PUBLIC_URL must begin with/,
    );
  }
  for (const url of [PUBLIC_URL, 'http://localhost:8080']) {
    expect(readEnv({ ...production, PUBLIC_URL: url }).PUBLIC_URL.host).toBe(new URL(url).host);
  }
});

test('several processes need a database and a Redis that they can share', () => {
  const message = messageOf(() => readEnv({ CSRF_SECRET, PUBLIC_URL, WORKERS: '2' }));
  expect(message).toMatch(/WORKERS above 1 needs a DATABASE_URL of PostgreSQL/);
  expect(message).toMatch(/WORKERS above 1 needs a REDIS_URL/);
  expect(messageOf(() => readEnv({ CSRF_SECRET, PUBLIC_URL, WORKERS: 'two' }))).not.toMatch(/above 1/);
  const shared = { DATABASE_URL: 'postgres://db/app', REDIS_URL: 'redis://cache' };
  expect(readEnv({ CSRF_SECRET, PUBLIC_URL, ...shared, WORKERS: '2' }).WORKERS).toBe(2);
});

test('the page is at the root of its host', () => {
  const message = messageOf(() => readEnv({ CSRF_SECRET, PUBLIC_URL: `${PUBLIC_URL}/app/` }));
  expect(message).toMatch(/PUBLIC_URL must have no path: the page is served at the root/);
  expect(readEnv({ CSRF_SECRET, PUBLIC_URL: `${PUBLIC_URL}/` }).PUBLIC_URL.pathname).toBe('/');
});

test('proxies are addresses or networks', () => {
  const networks = '10.0.0.0/8, 2001:db8::/32, ::1';
  expect(readEnv({ CSRF_SECRET, PUBLIC_URL, TRUSTED_PROXIES: networks }).TRUSTED_PROXIES).toHaveLength(3);
  for (const TRUSTED_PROXIES of ['proxy', '10.0.0.0/33', '10.0.0.1/', '::/8/8']) {
    expect(messageOf(() => readEnv({ CSRF_SECRET, PUBLIC_URL, TRUSTED_PROXIES }))).toMatch(
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
