import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, newPrefix, removePrefix, SHARED } from '../conformance/redis/trial-redis.js';
import { change, stored, testSessionStore } from '../conformance/session-store-contract.js';
import { MemoryStore } from '../session/memory-store.js';
import type { SessionStore } from '../session/session-store.js';
import { RedisChannelBroker, RedisRateLimitStore, RedisSessionStore, RedisStreamBroker } from './index.js';

const available = await hasRedis();
const prefix = newPrefix();
const redis = available ? new RedisSessionStore(SHARED, { prefix }) : undefined;

afterAll(async () => {
  if (redis === undefined) return;
  await redis.close();
  await removePrefix(prefix);
});

const stores: [string, SessionStore][] = [['MemoryStore', new MemoryStore()]];
if (redis !== undefined) stores.push(['RedisSessionStore', redis]);

describe.each(stores)('%s', testSessionStore);

describe.skipIf(!available)('RedisSessionStore', () => {
  let client: ReturnType<typeof createClient>;
  beforeAll(async () => {
    client = createClient({ url: SHARED });
    await client.connect();
  });
  afterAll(() => client.close());
  afterEach(() => vi.restoreAllMocks());

  it('leaves no key that does not expire', async () => {
    const own = `${prefix}expiry:`;
    const store = new RedisSessionStore(client, { prefix: own });
    await store.create('a', stored('ada', 5_000));
    await store.create('b', stored('ada', 90_000));
    const keys = await client.keys(`${own}*`);
    expect(keys.sort()).toEqual([`${own}id:a`, `${own}id:b`, `${own}user:ada`]);
    for (const key of keys) expect(await client.pTTL(key)).toBeGreaterThan(0);
    expect(await client.pTTL(`${own}user:ada`)).toBeGreaterThan(60_000);
    await store.update('a', change({ expiresAtMs: Date.now() + 80_000 }));
    expect(await client.pTTL(`${own}id:a`)).toBeGreaterThan(60_000);
  });

  it('has names that begin with fw, as those of before do, unless they are given', async () => {
    const own = randomUUID();
    const store = new RedisSessionStore(client);
    await store.create(own, stored(own));
    expect(await client.exists([`fw:session:id:${own}`, `fw:session:user:${own}`])).toBe(2);
    await store.delete(own);
    expect(await client.exists([`fw:session:id:${own}`, `fw:session:user:${own}`])).toBe(0);
    await new RedisRateLimitStore(client).take(own, { max: 1, windowMs: 60_000 });
    expect(await client.del(`fw:limit:${own}`)).toBe(1);
    const stream = new RedisStreamBroker(client);
    await stream.append(own, 'message', { messages: 1, maxAgeMs: 60_000 });
    expect(await client.del([`fw:stream:place:${own}`, `fw:stream:messages:${own}`])).toBe(2);
    const channel = new RedisChannelBroker(client);
    const leave = await channel.subscribe(own, () => {});
    expect(await client.pubSubNumSub(`fw:channel:${own}`)).toEqual({ [`fw:channel:${own}`]: 1 });
    await leave();
    await Promise.all([stream.close(), channel.close()]);
  });

  it('uses a client that it was given, whatever types that maps to, and leaves it open', async () => {
    const mapped = client.duplicate().withTypeMapping({ 36: Buffer });
    await mapped.connect();
    const listeners = () => ['error', 'ready'].map((event) => mapped.listenerCount(event));
    const before = listeners();
    const store = new RedisSessionStore(mapped, { prefix: `${prefix}mapped:` });
    await store.create('a', stored('ada'));
    expect((await store.load('a'))?.user?.id).toBe('ada');
    await store.close();
    expect(mapped.isReady).toBe(true);
    expect(listeners()).toEqual(before);
    await expect(store.load('a')).rejects.toThrow('was closed');
    await mapped.close();
  });

  it('leaves nothing of a session that was ended', async () => {
    const own = `${prefix}ended:`;
    const store = new RedisSessionStore(client, { prefix: own });
    for (const key of ['a', 'b', 'c']) await store.create(key, stored('ada'));
    await store.delete('a');
    await store.end('ada', 'b');
    expect(await client.zRange(`${own}user:ada`, 0, -1)).toEqual(['c']);
    await store.endAll('ada');
    expect(await client.keys(`${own}*`)).toEqual([]);
    // Also for a session that has another key, or another user, or that the server has removed.
    for (const key of ['d', 'e', 'f']) await store.create(key, stored('ada'));
    await store.update('d', change({ newKey: 'g' }));
    const user = { id: 'bob', scopes: [], label: undefined };
    await store.update('e', change({ signedIn: { user, createdAtMs: 1, dropsValues: true } }));
    await client.del(`${own}id:f`);
    expect(await client.zRange(`${own}user:ada`, 0, -1)).toEqual(['f', 'g']);
    expect(await client.zRange(`${own}user:bob`, 0, -1)).toEqual(['e']);
    expect((await store.list('ada')).map(({ id }) => id)).toEqual(['g']);
  });

  it('leaves no timer of a command that was answered', async () => {
    const store = new RedisSessionStore(client, { prefix, timeoutMs: 600_000 });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    for (let command = 0; command < 20; command += 1) await store.load('a');
    expect(timers()).toBeLessThan(before + 10);
  });

  it('answers what was asked before it was closed', async () => {
    const store = new RedisSessionStore(SHARED, { prefix: `${prefix}closing:` });
    await store.load('a');
    const created = store.create('a', stored('ada'));
    const closed = store.close();
    await expect(created).resolves.toBeUndefined();
    await closed;
    expect(await client.exists(`${prefix}closing:id:a`)).toBe(1);
  });

  it.each([
    ['http://127.0.0.1', "got a URL with 'http:'"],
    ['nonsense', 'got a text that is not a URL'],
    ['redis://:secret@h:99999', 'the redis: URL is malformed: its port is not a number up to 65535'],
    ['redis://:sec/ret@h', "the redis: URL is malformed: percent-encode characters such as '@'"],
    ['rediss://:sec%ret@h', "malformed: write a '%' of its user, password or path as '%25'"],
    ['redis://h/cache', 'malformed: its path is not the number of a database, such as /0'],
    [undefined as never, 'got undefined'],
    [{} as never, 'got object'],
  ])('refuses what is not a client: %j', (bad, message) => {
    expect(() => new RedisSessionStore(bad)).toThrow(message);
  });

  it('refuses a time that is none, and shows no password', () => {
    expect(() => new RedisSessionStore(SHARED, { timeoutMs: 0 })).toThrow(
      'RedisSessionStore: timeoutMs is 0; give',
    );
    expect(() => new RedisSessionStore('http://:hunter2@x')).toThrow(/^(?!.*hunter2)/s);
  });
});
