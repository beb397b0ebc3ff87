// A lock that another process holds for a while, or for ever.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { withMigrationLock } from './migration-lock.js';
import { lockServer } from './migrations/server-lock.js';

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

it('is waited for during a minute, if nothing else is said', async () => {
  const times = [0, 59_999, 60_000];
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => times.shift() ?? 60_000);
  onTestFinished(() => clock.mockRestore());
  let tries = 0;
  const lock = () => {
    tries += 1;
    throw busy();
  };
  await expect(withMigrationLock(lock, {}, async () => {})).rejects.toThrow('for 60000 ms; is it stuck?');
  expect(tries).toBe(2);
});

describe('the lock of a server', () => {
  type Row = Readonly<Record<string, unknown>>;

  /** A connection that answers as the test says. */
  function played(answer: (text: string) => readonly Row[]) {
    const asked: unknown[] = [];
    const sql = async (text: string, values: readonly unknown[] = []) => {
      asked.push([text, ...values]);
      return answer(text);
    };
    return { asked, sql };
  }

  it.each([
    [{}, 60, 60_000],
    [{ lockTimeoutMs: 1_001 }, 2, 1_001],
    [{ lockTimeoutMs: 0 }, 0, 0],
  ])('of MySQL is waited for as long as %j says, and freed', async (options, seconds, ms) => {
    const { asked, sql } = played((text) => (text.includes('get_lock') ? [{ won: 1 }] : []));
    const release = await lockServer('mysql', sql, options);
    expect(asked).toEqual([['select get_lock(?, ?) as won', expect.any(String), seconds]]);
    await release();
    const name = (asked[0] as unknown[])[1];
    expect(asked.slice(1)).toEqual([['select release_lock(?)', name]]);
    for (const won of [0, null]) {
      const other = played(() => [{ won }]);
      await expect(lockServer('mysql', other.sql, options)).rejects.toThrow(
        `another process has migrated the database for ${ms} ms; is it stuck?`,
      );
    }
  });

  it.each([
    [{}, 60_000, 60_000],
    [{ lockTimeoutMs: 7 }, 7, 7],
    // PostgreSQL would wait for ever.
    [{ lockTimeoutMs: 0 }, 1, 0],
  ])(
    'of PostgreSQL is waited for as long as %j says, and ends with the transaction',
    async (options, set, ms) => {
      const { asked, sql } = played((text) => (text.includes('as before') ? [{ before: '5s' }] : []));
      const release = await lockServer('postgres', sql, options);
      await release();
      expect(asked).toEqual([
        [expect.stringContaining("current_setting('lock_timeout')")],
        [`set local lock_timeout = ${set}`],
        [expect.stringMatching(/^select pg_advisory_xact_lock\(\d+\)$/)],
        ["select set_config('lock_timeout', ?, true)", '5s'],
      ]);
      for (const [error, message] of [
        [Object.assign(new Error('timed out'), { code: '55P03' }), `for ${ms} ms; is it stuck?`],
        [new Error('wrapped', { cause: { code: '55P03' } }), `for ${ms} ms; is it stuck?`],
        [new Error('away'), 'away'],
      ] as const) {
        const other = played((text) => {
          if (text.includes('advisory')) throw error;
          return [];
        });
        await expect(lockServer('postgres', other.sql, options)).rejects.toThrow(message);
      }
    },
  );
});
