// How much work a hash is: less in tests, and never less elsewhere.
import { availableParallelism } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { ConfigError } from '../../config-error.js';
import { hashPassword, needsRehash, verifyPassword } from './index.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

const set = (cost: string | undefined, environment: string | undefined) => {
  vi.stubEnv('FW_PASSWORD_COST', cost);
  vi.stubEnv('NODE_ENV', environment);
};

it.each(['test', 'development'])('hashes with little work where that is set: %s', async (environment) => {
  set('10', environment);
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$/);
  expect(await verifyPassword('correct horse', hash)).toBe(true);
  expect(await verifyPassword('wrong', hash)).toBe(false);
  expect(await verifyPassword('correct horse', undefined)).toBe(false);
  expect(needsRehash(hash)).toBe(false);
  set(undefined, environment);
  expect(needsRehash(hash)).toBe(true);
  expect(needsRehash(hash.replace('ln=10', 'ln=17'))).toBe(false);
  set('', environment);
  expect(needsRehash(hash)).toBe(true);
});

it.each(['production', 'staging', undefined])(
  'refuses little work where NODE_ENV is %s',
  async (environment) => {
    set('10', environment);
    const message = `FW_PASSWORD_COST is 10, and NODE_ENV is ${environment === undefined ? undefined : `'${environment}'`}: hashes`;
    await expect(hashPassword('correct horse')).rejects.toThrow(message);
    await expect(verifyPassword('correct horse', undefined)).rejects.toThrow(ConfigError);
    vi.resetModules();
    // At the start of the app, not at the first sign-in.
    await expect(import('./index.js')).rejects.toThrow(message);
  },
);

it('lets a hundred passwords wait, and refuses more for some seconds', async () => {
  set('10', 'test');
  const most = Math.max(1, Math.floor(availableParallelism() / 2)) + 100;
  const all = await Promise.allSettled(Array.from({ length: most + 1 }, () => hashPassword('correct horse')));
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  expect(refused).toMatchObject([{ status: 503, headers: { 'Retry-After': '5' } }]);
});

it('takes more work everywhere', async () => {
  set('18', 'production');
  await expect(hashPassword('correct horse')).resolves.toMatch(/^\$scrypt\$ln=18,/);
});

it.each(['9', '21', '1e1', 'ten', '010', '-10'])('refuses %s', async (cost) => {
  set(cost, 'test');
  await expect(hashPassword('correct horse')).rejects.toThrow(
    `FW_PASSWORD_COST is '${cost}'; give a whole number from 10 to 20, or leave it out for 17`,
  );
});
