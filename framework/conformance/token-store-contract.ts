// What every store of tokens must do.
import { expect, it, vi } from 'vitest';
import type { StoredToken, TokenStore } from '../auth/accounts/token-store.js';

/** A token of a user, as stores get it. */
export const storedToken = (key: string, changes: Partial<StoredToken> = {}): StoredToken => ({
  key,
  kind: 'refresh',
  userId: 'ada',
  family: 'f1',
  data: '{"label":"O\'Neil 🙂"}',
  createdAtMs: 1_000.5,
  usedAtMs: undefined,
  expiresAtMs: Date.now() + 60_000,
  ...changes,
});

/** The same store, which answers later, as one of a database does. */
export function storeOfDatabase(store: TokenStore): TokenStore {
  return {
    add: async (token) => store.add(token),
    find: async (key) => store.find(key),
    use: async (key, at) => store.use(key, at),
    list: async (kind, userId) => store.list(kind, userId),
    remove: async (selection) => store.remove(selection),
  };
}

/** Tests of a store, whose keys and users begin with its name. */
export function testTokenStore(name: string, store: TokenStore): void {
  let number = 0;
  const fresh = () => `${name}${++number}`;
  const keysOf = async (userId: string, kind: StoredToken['kind'] = 'refresh') =>
    (await store.list(kind, userId)).map(({ key }) => key);

  it('gives back what was stored', async () => {
    const [one, lasting] = [storedToken(fresh()), storedToken(fresh(), { expiresAtMs: undefined, data: '' })];
    await store.add(one);
    await store.add(lasting);
    expect(await store.find(one.key)).toEqual(one);
    expect(await store.find(lasting.key)).toEqual(lasting);
    expect(await store.find('unknown')).toBeUndefined();
  });

  it('uses a token once, whoever is first', async () => {
    const key = fresh();
    expect(await store.use(key, 5_000)).toBe(false);
    await store.add(storedToken(key));
    const used = await Promise.all([5_000, 6_000, 7_000].map((at) => store.use(key, at)));
    expect(used.filter((one) => one)).toHaveLength(1);
    expect((await store.find(key))?.usedAtMs).toBe(5_000 + 1_000 * used.indexOf(true));
    expect(await store.use(key, 8_000)).toBe(false);
  });

  it('lists the tokens of a user that were not used, the newest first', async () => {
    const [userId, old, used, young, key, foreign] = [fresh(), fresh(), fresh(), fresh(), fresh(), fresh()];
    await store.add(storedToken(old, { userId, createdAtMs: 1 }));
    await store.add(storedToken(used, { userId, createdAtMs: 2 }));
    await store.add(storedToken(young, { userId, createdAtMs: 3 }));
    await store.add(storedToken(key, { userId, kind: 'api-key' }));
    await store.add(storedToken(foreign, { userId: `${userId}x` }));
    await store.use(used, 5_000);
    expect(await keysOf(userId)).toEqual([young, old]);
    expect(await keysOf(userId, 'api-key')).toEqual([key]);
    expect(await keysOf(userId, 'one-time')).toEqual([]);
  });

  it('removes one token, once', async () => {
    const [userId, key, other] = [fresh(), fresh(), fresh()];
    await store.add(storedToken(key, { userId }));
    await store.add(storedToken(other, { userId }));
    const removed = await Promise.all([store.remove({ key }), store.remove({ key })]);
    expect(removed.sort()).toEqual([0, 1]);
    expect(await store.find(key)).toBeUndefined();
    expect(await keysOf(userId)).toEqual([other]);
  });

  it('removes the tokens of a user: of a family, or all of a kind, used ones too', async () => {
    const [userId, one, two, three, key, foreign] = [fresh(), fresh(), fresh(), fresh(), fresh(), fresh()];
    await store.add(storedToken(one, { userId }));
    await store.add(storedToken(two, { userId }));
    await store.add(storedToken(three, { userId, family: 'f2' }));
    await store.add(storedToken(key, { userId, kind: 'api-key' }));
    await store.add(storedToken(foreign, { userId: `${userId}x` }));
    await store.use(one, 5_000);
    expect(await store.remove({ kind: 'refresh', userId, family: 'f1' })).toBe(2);
    expect(await store.find(one)).toBeUndefined();
    expect(await keysOf(userId)).toEqual([three]);
    expect(await store.remove({ kind: 'refresh', userId: `${userId}y` })).toBe(0);
    expect(await store.remove({ kind: 'refresh', userId })).toBe(1);
    expect(await store.remove({ kind: 'refresh', userId })).toBe(0);
    expect(await store.find(key)).toBeDefined();
    expect(await store.find(foreign)).toBeDefined();
  });

  it('knows no token that has expired, to the millisecond', async () => {
    const [userId, key] = [fresh(), fresh()];
    const expiresAtMs = Date.now() + 60_000;
    await store.add(storedToken(key, { userId, expiresAtMs }));
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAtMs - 1 });
    try {
      expect(await store.find(key)).toBeDefined();
      expect(await keysOf(userId)).toEqual([key]);
      vi.setSystemTime(expiresAtMs);
      expect(await store.find(key)).toBeUndefined();
      expect(await keysOf(userId)).toEqual([]);
      expect(await store.use(key, expiresAtMs)).toBe(false);
      expect(await store.remove({ key })).toBe(0);
      expect(await store.remove({ kind: 'refresh', userId })).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
}
