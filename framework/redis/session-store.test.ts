import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, newPrefix, removePrefix, SHARED } from '../conformance/redis/trial-redis.js';
import { MemoryStore } from '../session/memory-store.js';
import type { SessionChanges, SessionStore, StoredSession } from '../session/session-store.js';
import { RedisSessionStore } from './index.js';

const now = () => Date.now();
const stored = (userId?: string, lifetimeMs = 60_000): StoredSession => ({
  values: new Map([
    ['a', '1'],
    ['', '"é\\n"'],
  ]),
  user: userId === undefined ? undefined : { id: userId, scopes: ['x y', '"'], label: 'Firefox' },
  createdAtMs: 1_000,
  usedAtMs: 2_000,
  expiresAtMs: now() + lifetimeMs,
});
const change = (changes: Partial<SessionChanges> = {}): SessionChanges => ({
  set: new Map(),
  deleted: [],
  usedAtMs: 3_000,
  expiresAtMs: now() + 60_000,
  ...changes,
});
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

describe.each(stores)('%s', (name, store) => {
  let number = 0;
  const fresh = () => `${name}${++number}`;

  it('gives back what was stored', async () => {
    const [key, session] = [fresh(), stored('ada')];
    await store.create(key, session);
    expect(await store.load(key)).toMatchObject(session);
    await store.create(fresh(), stored());
    expect((await store.load(`${name}${number}`))?.user).toBeUndefined();
    expect(await store.load('unknown')).toBeUndefined();
  });

  it('writes single values, of sessions that exist', async () => {
    const key = fresh();
    expect(await store.update(key, change({ set: new Map([['b', '2']]) }))).toBe(false);
    expect(await store.load(key)).toBeUndefined();
    await store.create(key, stored('ada'));
    await Promise.all([
      store.update(key, change({ set: new Map([['b', '2']]) })),
      store.update(key, change({ deleted: ['a', 'nothing'] })),
      store.update(key, change({ set: new Map([['c', '3']]) })),
    ]);
    const session = await store.load(key);
    expect([...(session?.values ?? [])].sort()).toEqual([
      ['', '"é\\n"'],
      ['b', '2'],
      ['c', '3'],
    ]);
    expect(session).toMatchObject({ usedAtMs: 3_000, createdAtMs: 1_000, user: { id: 'ada' } });
  });

  it('does not shorten a session by a change that was computed before another', async () => {
    const key = fresh();
    const session = stored('ada', 90_000);
    await store.create(key, session);
    await store.update(key, change({ usedAtMs: 1, expiresAtMs: now() + 10_000 }));
    expect(await store.load(key)).toMatchObject({ usedAtMs: 2_000, expiresAtMs: session.expiresAtMs });
  });

  it('moves a session to another key, once', async () => {
    const [user, key, one, other] = [fresh(), fresh(), fresh(), fresh()];
    await store.create(key, stored(user));
    const moved = await Promise.all([one, other].map((newKey) => store.update(key, change({ newKey }))));
    expect(moved.sort()).toEqual([false, true]);
    expect(await store.load(key)).toBeUndefined();
    const [found] = await store.list(user);
    expect((await store.load(found?.id ?? ''))?.values.get('a')).toBe('1');
    expect(await store.list(user)).toHaveLength(1);
  });

  it('signs another user in, without the values of the first', async () => {
    const [ada, bob, key, newKey] = [fresh(), fresh(), fresh(), fresh()];
    await store.create(key, stored(ada));
    const user = { id: bob, scopes: [], label: undefined };
    const signedIn = { user, createdAtMs: 9_000, dropsValues: true };
    await store.update(key, change({ newKey, signedIn, set: new Map([['d', '4']]) }));
    expect(await store.load(newKey)).toMatchObject({
      user,
      createdAtMs: 9_000,
      values: new Map([['d', '4']]),
    });
    expect((await store.load(newKey))?.user?.label).toBeUndefined();
    expect(await store.list(ada)).toEqual([]);
    expect(await store.list(bob)).toEqual([
      { id: newKey, label: undefined, createdAtMs: 9_000, usedAtMs: 3_000 },
    ]);
  });

  it('signs a visitor in, with their values', async () => {
    const [ada, key, newKey] = [fresh(), fresh(), fresh()];
    await store.create(key, stored());
    const signedIn = { user: { id: ada, scopes: ['s'], label: 'x' }, createdAtMs: 9_000, dropsValues: false };
    expect(await store.update(key, change({ newKey, signedIn }))).toBe(true);
    expect((await store.load(newKey))?.values.get('a')).toBe('1');
    expect(await store.list(ada)).toHaveLength(1);
  });

  it('removes a session, and lets no write bring it back', async () => {
    const [user, key] = [fresh(), fresh()];
    await store.create(key, stored(user));
    await store.delete(key);
    await store.delete(key);
    expect(await store.update(key, change({ set: new Map([['a', '1']]) }))).toBe(false);
    expect(await store.load(key)).toBeUndefined();
    expect(await store.list(user)).toEqual([]);
  });

  it('ends the sessions of a user: one, or all but one', async () => {
    const [user, one, two, three, foreign] = [fresh(), fresh(), fresh(), fresh(), fresh()];
    for (const key of [one, two, three]) await store.create(key, stored(user));
    await store.create(foreign, stored('someone else'));
    expect(await store.end(user, foreign)).toBe(false);
    expect(await store.end(user, one)).toBe(true);
    expect(await store.end(user, one)).toBe(false);
    expect(await store.endAll(user, { except: two })).toBe(1);
    expect((await store.list(user)).map(({ id }) => id)).toEqual([two]);
    expect(await store.endAll(user)).toBe(1);
    expect(await store.endAll(user)).toBe(0);
    expect(await store.load(foreign)).toBeDefined();
  });

  it('forgets a session when it expires', async () => {
    const [user, key] = [fresh(), fresh()];
    await store.create(key, stored(user, 30));
    await vi.waitFor(async () => expect(await store.load(key)).toBeUndefined());
    expect(await store.list(user)).toEqual([]);
  });
});

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
    await store.update('a', change({ expiresAtMs: now() + 80_000 }));
    expect(await client.pTTL(`${own}id:a`)).toBeGreaterThan(60_000);
  });

  it('uses a client that it was given, whatever types that maps to, and leaves it open', async () => {
    const mapped = client.duplicate().withTypeMapping({ 36: Buffer });
    await mapped.connect();
    const listeners = mapped.listenerCount('error');
    const store = new RedisSessionStore(mapped, { prefix: `${prefix}mapped:` });
    await store.create('a', stored('ada'));
    expect((await store.load('a'))?.user?.id).toBe('ada');
    await store.close();
    expect(mapped.isReady).toBe(true);
    expect(mapped.listenerCount('error')).toBe(listeners);
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
