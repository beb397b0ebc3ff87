// A lock that another process holds for a while, or for ever.
import { describe, expect, it } from 'vitest';
import { withMigrationLock } from './migration-lock.js';

const busy = (code = 'SQLITE_BUSY') => Object.assign(new Error('it is locked'), { code });

describe('the lock of migrations', () => {
  it.each([
    ['succeed', async () => 'done'],
    ['fail', () => Promise.reject(new Error('broken'))],
  ])('is free when they %s, before anybody hears of it', async (_, work) => {
    const steps: string[] = [];
    const lock = () => {
      steps.push('locked');
      return async () => {
        await new Promise((done) => setImmediate(done));
        steps.push('free');
      };
    };
    const ended = withMigrationLock(lock, {}, work).then(
      (result) => steps.push(result),
      (error: Error) => steps.push(error.message),
    );
    await ended;
    expect(steps).toEqual(['locked', 'free', steps.at(-1)]);
    expect(['done', 'broken']).toContain(steps.at(-1));
  });

  it('is tried again while another process has it', async () => {
    let tries = 0;
    const lock = () => {
      tries += 1;
      if (tries < 3) throw busy(tries === 1 ? 'SQLITE_BUSY' : 'SQLITE_BUSY_SNAPSHOT');
      return () => {};
    };
    expect(await withMigrationLock(lock, {}, async () => 'done')).toBe('done');
    expect(tries).toBe(3);
  });

  it('is given up after its time, at once if that is none', async () => {
    let tries = 0;
    const lock = () => {
      tries += 1;
      throw busy();
    };
    for (const lockTimeoutMs of [0, 120]) {
      tries = 0;
      await expect(withMigrationLock(lock, { lockTimeoutMs }, async () => {})).rejects.toThrow(
        `another process has migrated the database for ${lockTimeoutMs} ms; is it stuck?`,
      );
      expect(tries > 1).toBe(lockTimeoutMs > 0);
    }
  });

  it('is not tried again after another error', async () => {
    let tries = 0;
    const lock = () => {
      tries += 1;
      throw Object.assign(new Error('no such folder'), { code: 'SQLITE_CANTOPEN' });
    };
    await expect(withMigrationLock(lock, {}, async () => {})).rejects.toThrow('no such folder');
    expect(tries).toBe(1);
  });
});
