import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { WorkQueue } from './hash-password.js';
import { hashPassword, needsRehash, verifyPassword } from './index.js';

interface Parts {
  readonly log2N?: number;
  readonly r?: number;
  readonly p?: number;
  readonly saltBytes?: number;
  readonly keyBytes?: number;
}

/** A hash with cheap parameters, as an older version might have made. */
function oldHash(password: string, { log2N = 10, r = 8, p = 1, saltBytes = 16, keyBytes = 32 }: Parts = {}) {
  const salt = Buffer.alloc(saltBytes, 7);
  const maxmem = 1 << 30;
  const key = scryptSync(password, salt, keyBytes, { N: 2 ** log2N, r, p, maxmem });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$scrypt$ln=${log2N},r=${r},p=${p}$${text(salt)}$${text(key)}`;
}

// A hash takes 128 MB and a third of a second of a processor that does nothing else.
describe('hashPassword and verifyPassword', () => {
  it('accept the password, and no other', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('correct horsf', hash)).toBe(false);
    expect(needsRehash(hash)).toBe(false);
    expect(await hashPassword('correct horse')).not.toBe(hash);
  });

  it('are scrypt of RFC 7914, with the parameters in the text', async () => {
    const hash = oldHash('secret');
    expect(await verifyPassword('secret', hash)).toBe(true);
    expect(await verifyPassword('Secret', hash)).toBe(false);
    expect(needsRehash(hash)).toBe(true);
  });

  it('take the same letters in other forms', async () => {
    const hash = oldHash('caf\u00e9'.normalize('NFKC'));
    expect(await verifyPassword('cafe\u0301', hash)).toBe(true);
    // As a keyboard for Japanese writes it.
    expect(await verifyPassword('\uff43\uff41\uff46\u00e9', hash)).toBe(true);
  });

  it('refuse what cannot be a password', async () => {
    const empty = oldHash('');
    expect(await verifyPassword('', empty)).toBe(false);
    expect(await verifyPassword(undefined as never, empty)).toBe(false);
    expect(await verifyPassword('a'.repeat(1025), oldHash('a'.repeat(1025)))).toBe(false);
    await expect(hashPassword('')).rejects.toThrow(/not empty/);
    await expect(hashPassword('a'.repeat(1025))).rejects.toThrow(/up to 1024/);
  });

  it('do the same work for an account that does not exist', async () => {
    const timed = async (stored: string | undefined) => {
      const start = process.cpuUsage();
      expect(await verifyPassword('any', stored)).toBe(false);
      return process.cpuUsage(start).user;
    };
    const known = await timed(await hashPassword('other'));
    expect(await timed(undefined)).toBeGreaterThan(known / 4);
  });

  it.each([
    '',
    'secret',
    '$2b$10$abcdefghijklmnopqrstuv',
    oldHash('x').replace('ln=10', 'ln=21'),
    oldHash('x').replace('ln=10', 'ln=1'),
    oldHash('x').replace('r=8', 'r=99'),
    oldHash('x').replace('p=1', 'p=0'),
    `${oldHash('x')}$more`,
    oldHash('x').slice(0, 40),
  ])('refuse %j as a stored hash, and do not show it', async (stored) => {
    const error: unknown = await verifyPassword('x', stored).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('is not a hash of hashPassword()');
    if (stored !== '') expect(String(error)).not.toContain(stored);
  });
});

describe('the parameters of a stored hash', () => {
  const stored = (parameters: string) => oldHash('x').replace('ln=10,r=8,p=1', parameters);

  it.each(['ln=10,r=8,p=1', 'ln=20,r=8,p=1', 'ln=17,r=1,p=1', 'ln=17,r=32,p=1', 'ln=17,r=8,p=16'])(
    'may be %s, which are not those of today',
    (parameters) => expect(needsRehash(stored(parameters))).toBe(true),
  );

  it.each([
    'ln=9,r=8,p=1',
    'ln=21,r=8,p=1',
    'ln=17,r=0,p=1',
    'ln=17,r=33,p=1',
    'ln=17,r=8,p=0',
    'ln=17,r=8,p=17',
  ])('may not be %s', (parameters) => {
    expect(() => needsRehash(stored(parameters))).toThrow('is not a hash of hashPassword()');
  });

  it.each<Parts>([
    { r: 32 },
    { log2N: 14, r: 16 },
    { p: 16 },
    { saltBytes: 8 },
    { saltBytes: 64 },
    { keyBytes: 16 },
    { keyBytes: 64 },
  ])('may be %o for a password that is verified', async (parts) => {
    const hash = oldHash('correct horse', parts);
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('wrong', hash)).toBe(false);
  });

  it.each<Parts>([{ saltBytes: 7 }, { saltBytes: 65 }, { keyBytes: 15 }, { keyBytes: 65 }])(
    'may not be %o',
    (parts) => expect(() => needsRehash(oldHash('x', parts))).toThrow('is not a hash of hashPassword()'),
  );

  it('are those of today in each part', () => {
    expect(needsRehash(stored('ln=17,r=8,p=1'))).toBe(false);
    for (const other of ['ln=16,r=8,p=1', 'ln=17,r=9,p=1', 'ln=17,r=8,p=2']) {
      expect([other, needsRehash(stored(other))]).toEqual([other, true]);
    }
  });
});

describe('WorkQueue', () => {
  it('runs so many at a time, in order, and refuses what is too much', async () => {
    const queue = new WorkQueue(2, 2);
    const ends: (() => void)[] = [];
    const started: number[] = [];
    const add = (id: number) =>
      queue.run(
        () => {
          started.push(id);
          return new Promise<number>((resolve) => ends.push(() => resolve(id)));
        },
        () => new Error('full'),
      );
    const all = [1, 2, 3, 4].map(add);
    await expect(add(5)).rejects.toThrow('full');
    expect(started).toEqual([1, 2]);
    ends[1]?.();
    expect(await all[1]).toBe(2);
    await Promise.resolve();
    expect(started).toEqual([1, 2, 3]);
    ends[0]?.();
    ends[2]?.();
    expect(await Promise.all([all[0], all[2]])).toEqual([1, 3]);
    await Promise.resolve();
    ends[3]?.();
    expect(await all[3]).toBe(4);
    expect(
      await queue.run(
        async () => 6,
        () => new Error('full'),
      ),
    ).toBe(6);
  });

  it('goes on after work that fails', async () => {
    const queue = new WorkQueue(1, 1);
    const failed = queue.run(
      () => Promise.reject(new Error('broken')),
      () => new Error('full'),
    );
    const next = queue.run(
      async () => 'ran',
      () => new Error('full'),
    );
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('ran');
  });
});
