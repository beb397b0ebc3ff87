import { createClient } from 'redis';
import { afterAll, describe, expect, it } from 'vitest';
import { hasRedis, newPrefix, removePrefix, SHARED } from '../conformance/redis/trial-redis.js';
import { RedisRateLimitStore } from './index.js';

const available = await hasRedis();
const prefix = newPrefix();

describe.skipIf(!available)('RedisRateLimitStore', () => {
  const stores = available ? [1, 2].map(() => new RedisRateLimitStore(SHARED, { prefix })) : [];
  const [store, other] = stores as [RedisRateLimitStore, RedisRateLimitStore];
  afterAll(async () => {
    for (const one of stores) await one.close();
    await removePrefix(prefix);
  });
  const hour = { max: 50, windowMs: 3_600_000 };

  it('allows exactly the limit, of all processes together', async () => {
    const takes = Array.from({ length: 120 }, (_, index) => (index % 2 ? store : other).take('a', hour));
    const states = await Promise.all(takes);
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(50);
    const refused = states.find(({ isAllowed }) => !isAllowed);
    expect(refused?.remaining).toBe(0);
    expect(refused?.retryAfterMs).toBeGreaterThan(70_000);
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(72_000);
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

  it('leaves a key only until the bucket is full', async () => {
    const client = await createClient({ url: SHARED }).connect();
    await store.take('e', { max: 10, windowMs: 60_000 });
    const left = await client.pTTL(`${prefix}e`);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(6_000);
    await client.close();
  });

  it('lets nobody wait longer than a window if the clock was set back', async () => {
    const client = await createClient({ url: SHARED }).connect();
    await client.set(`${prefix}f`, String((Date.now() + 1e9) * 1_000), { PX: 60_000 });
    expect((await store.take('f', { max: 2, windowMs: 1_000 })).retryAfterMs).toBeLessThanOrEqual(500);
    await client.close();
  });
});
