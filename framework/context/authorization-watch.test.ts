// Identity: when what a request was authenticated by ends, and what stores that fail or never answer do to that.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuthorizationWatch } from './authorization-watch.js';
import type { Credential, CredentialWatch } from './principal.js';

/** Timers cannot wait longer. */
const LONGEST_MS = 2 ** 31 - 1;

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A watch of these credentials, and what it has told. */
function watching(...credentials: Partial<Credential>[]) {
  const told: string[] = [];
  const watch = AuthorizationWatch.begin(
    credentials.map((one, index) => ({ ending: `${index} has ended`, ...one }) as Credential),
    {
      ended: (reason) => void told.push(reason),
      failed: (error) => void told.push(`failed: ${(error as Error).message}`),
    },
  );
  return { watch, told };
}

const stored = (its: Partial<CredentialWatch>): Partial<Credential> => ({
  watch: () => ({ check: () => true, stop() {}, ...its }),
});

describe('the time of a credential', () => {
  it.each([
    [[3_000, 1_000, 2_000], '1 has ended'],
    [[1_000, undefined, 2_000], '0 has ended'],
  ])('that is the first of %j ends the watch, once', (times, reason) => {
    const { told } = watching(...times.map((expiresAtMs) => ({ expiresAtMs })));
    vi.advanceTimersByTime(999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual([reason]);
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([reason]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be further away than a timer can wait', () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { told } = watching({ expiresAtMs: LONGEST_MS + 5_000 });
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([LONGEST_MS]);
    vi.advanceTimersByTime(LONGEST_MS + 4_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['0 has ended']);
  });

  it('that is over already ends the watch in the next turn', () => {
    vi.setSystemTime(5_000);
    const { told } = watching({ expiresAtMs: 4_000 });
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['0 has ended']);
  });

  it('does not count after the end of the watch', () => {
    const { watch, told } = watching({ expiresAtMs: 1_000 });
    watch?.stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });

  it('and a store need to be known, or nothing is watched', () => {
    expect(watching({}, { watch: () => undefined }).watch).toBeUndefined();
    expect(watching({ expiresAtMs: 1 }).watch?.asksStores).toBe(false);
    expect(watching(stored({})).watch?.asksStores).toBe(true);
  });
});

describe('a store', () => {
  it.each([[false], [Promise.resolve(false)]])('that answers %s ends the watch', async (answer) => {
    const { watch, told } = watching(stored({ check: () => answer }));
    watch?.check(true);
    await vi.waitFor(() => expect(told).toEqual(['0 has ended']));
    watch?.check(true);
    expect(told).toHaveLength(1);
  });

  it('is not asked again while it has not answered, but after ten seconds', async () => {
    const check = vi.fn(() => new Promise<boolean>(() => {}));
    const { watch, told } = watching(stored({ check }));
    watch?.check(false);
    vi.advanceTimersByTime(9_999);
    watch?.check(false);
    expect(check).toHaveBeenCalledTimes(1);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['failed: the store did not answer within 10 s']);
    watch?.check(true);
    expect(check).toHaveBeenCalledTimes(2);
    expect(check).toHaveBeenLastCalledWith(true);
  });

  it('that answers too late is still believed, and counts once', async () => {
    const answers: ((holds: boolean) => void)[] = [];
    const check = () => new Promise<boolean>((resolve) => void answers.push(resolve));
    const { watch, told } = watching(stored({ check }));
    watch?.check(false);
    vi.advanceTimersByTime(10_000);
    watch?.check(false);
    answers[0]?.(true);
    await vi.advanceTimersByTimeAsync(0);
    // The second question is not answered.
    watch?.check(false);
    expect(answers).toHaveLength(2);
    answers[1]?.(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['failed: the store did not answer within 10 s', '0 has ended']);
  });

  it.each<[string, () => boolean | Promise<boolean>]>([
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
    ['rejects', () => Promise.reject(new Error('away'))],
  ])('that %s is reported, and asked again', async (_what, check) => {
    const asked = vi.fn(check);
    const { watch, told } = watching(stored({ check: asked }));
    for (const times of [1, 2]) {
      watch?.check(false);
      await vi.advanceTimersByTimeAsync(0);
      expect(told).toEqual(Array(times).fill('failed: away'));
    }
    expect(asked).toHaveBeenCalledTimes(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that fails after the end of the watch is not reported', async () => {
    const { watch, told } = watching(stored({ check: () => Promise.reject(new Error('away')) }));
    watch?.check(false);
    watch?.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('away');
      },
    ],
    ['rejects', () => Promise.reject(new Error('away'))],
  ])('whose end %s is reported, and the others are ended', async (_what, stop) => {
    const other = vi.fn();
    const { watch, told } = watching(stored({ stop }), stored({ stop: other }));
    watch?.stop();
    watch?.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual(['failed: away']);
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('that ends a credential by itself ends all of the watch', () => {
    let end = (): void => {};
    const stop = vi.fn();
    const { told } = watching(
      { expiresAtMs: 1_000 },
      {
        watch: (ended) => {
          end = ended;
          return { check: () => true, stop };
        },
      },
    );
    end();
    expect(told).toEqual(['1 has ended']);
    expect(stop).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
