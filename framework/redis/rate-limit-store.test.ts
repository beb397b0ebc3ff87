import { createClient } from 'redis';
import { afterAll, describe, expect, it } from 'vitest';
import { testRateLimitStore } from '../conformance/rate-limit-store-contract.js';
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
  testRateLimitStore(store, other);

  it('leaves no key of a bucket that is full again, and makes none', async () => {
    const client = await createClient({ url: SHARED }).connect();
    const limit = { max: 2, windowMs: 60_000 };
    const exists = () => client.exists(`${prefix}back`);
    await store.giveBack('back', limit);
    expect(await exists()).toBe(0);
    await store.take('back', limit);
    await store.take('back', limit);
    await store.giveBack('back', limit);
    expect(await exists()).toBe(1);
    await store.giveBack('back', limit);
    expect(await exists()).toBe(0);
    await client.close();
  });

  it('asks nothing after it was closed', async () => {
    const closed = new RedisRateLimitStore(SHARED, { prefix });
    await closed.close();
    await expect(closed.take('g', { max: 1, windowMs: 1_000 })).rejects.toThrow('was closed');
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
