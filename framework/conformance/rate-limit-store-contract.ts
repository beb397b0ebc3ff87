// What every store of rate limits that processes share must do.
import { expect, it } from 'vitest';
import type { RateLimitStore } from '../middleware/rate-limit/rate-limit-store.js';

/** Tests of a store, as two processes have it. */
export function testRateLimitStore(store: RateLimitStore, other: RateLimitStore): void {
  const hour = { max: 50, windowMs: 3_600_000 };

  it('allows exactly the limit, of all processes together', async () => {
    const takes = Array.from({ length: 120 }, (_, index) => (index % 2 ? store : other).take('a', hour));
    const states = await Promise.all(takes);
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(50);
    const refused = states.find(({ isAllowed }) => !isAllowed);
    expect(refused?.remaining).toBe(0);
    // A token comes every 72 s; a busy machine takes seconds for the calls before.
    expect(refused?.retryAfterMs).toBeGreaterThan(12_000);
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(72_000);
  });

  it('gives each of the tokens, also the only one, and not one more', async () => {
    for (const max of [1, 2, 3]) {
      const limit = { max, windowMs: 60_000 };
      const taken = await Promise.all(Array.from({ length: max + 1 }, () => store.take(`all${max}`, limit)));
      expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(max);
    }
  });

  it('counts keys apart, and tells what remains', async () => {
    expect(await store.take('b', hour)).toEqual({
      isAllowed: true,
      remaining: 49,
      retryAfterMs: 0,
      resetMs: 72_000,
    });
    expect(await store.take('b', hour)).toMatchObject({ isAllowed: true, remaining: 48 });
    expect(await store.take('c', hour)).toMatchObject({ isAllowed: true, remaining: 49 });
  });

  it('gives a token back when its time has come', async () => {
    const limit = { max: 2, windowMs: 400 };
    const first = [await store.take('d', limit), await store.take('d', limit), await store.take('d', limit)];
    expect(first.map(({ isAllowed }) => isAllowed)).toEqual([true, true, false]);
    await expect.poll(async () => (await store.take('d', limit)).isAllowed, { interval: 20 }).toBe(true);
  });
}
