// Refresh tokens: each works once, and a sign-in ends if one is used again.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeOfDatabase } from '../../conformance/token-store-contract.js';
import { type Subscriber, subscribe } from '../../tracing/index.js';
import { RefreshTokens } from './refresh-tokens.js';
import { MemoryTokenStore, type StoredToken } from './token-store.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

const refused = { status: 401, message: 'the refresh token does not work; sign in' };
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('RefreshTokens', () => {
  it('gives the next token of the sign-in for each', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const first = await tokens.issue('ada');
    expect(first).toEqual({
      refreshToken: expect.stringMatching(/^[\w-]{43}$/),
      userId: 'ada',
      signInId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const second = await tokens.rotate(first.refreshToken);
    expect(second).toEqual({ ...first, refreshToken: expect.stringMatching(/^[\w-]{43}$/) });
    expect(second.refreshToken).not.toBe(first.refreshToken);
    const third = await tokens.rotate(second.refreshToken);
    expect(third.signInId).toBe(first.signInId);
    expect((await tokens.issue('ada')).signInId).not.toBe(first.signInId);
  });

  it('ends the whole sign-in if a token comes again later, and logs that', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const first = await tokens.issue('ada');
    const other = await tokens.issue('ada');
    const second = await tokens.rotate(first.refreshToken);
    pass(10_001);
    const events = await logged(() =>
      expect(tokens.rotate(first.refreshToken)).rejects.toMatchObject(refused),
    );
    expect(events).toEqual([
      ['warn', { event: 'refresh-token-reuse', user_id: 'ada', sign_in_id: first.signInId }],
    ]);
    await expect(tokens.rotate(second.refreshToken)).rejects.toMatchObject(refused);
    expect(await tokens.rotate(other.refreshToken)).toMatchObject({ signInId: other.signInId });
  });

  it.each([
    [{}, 10_000],
    [{ reuseGraceSeconds: 2 }, 2_000],
    [{ reuseGraceSeconds: 0 }, 0],
  ])('only refuses it within the grace of %j, as of a client with two windows', async (options, graceMs) => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore(), ...options });
    const first = await tokens.issue('ada');
    const second = await tokens.rotate(first.refreshToken);
    pass(graceMs);
    const events = await logged(() =>
      expect(tokens.rotate(first.refreshToken)).rejects.toMatchObject(refused),
    );
    expect(events).toEqual([]);
    pass(1);
    await expect(tokens.rotate(first.refreshToken)).rejects.toMatchObject(refused);
    await expect(tokens.rotate(second.refreshToken)).rejects.toMatchObject(refused);
  });

  it('lets one of two requests at once have the next token, and leaves no other one', async () => {
    const store = new MemoryTokenStore();
    const tokens = new RefreshTokens({ store: storeOfDatabase(store) });
    const { refreshToken } = await tokens.issue('ada');
    const rotated = await Promise.allSettled([1, 2, 3].map(() => tokens.rotate(refreshToken)));
    expect(rotated.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await tokens.list('ada')).toHaveLength(1);
    // The one that was used, and the next one.
    expect(store.size).toBe(2);
  });

  it('gives no token to a sign-in that ends meanwhile', async () => {
    const store = new MemoryTokenStore();
    let meanwhile = async (): Promise<void> => {};
    const tokens = new RefreshTokens({
      store: {
        ...storeOfDatabase(store),
        async add(token: StoredToken) {
          await meanwhile();
          store.add(token);
        },
      },
    });
    const { refreshToken } = await tokens.issue('ada');
    meanwhile = () => tokens.endAll('ada');
    await expect(tokens.rotate(refreshToken)).rejects.toMatchObject(refused);
    expect(store.size).toBe(0);
  });

  it.each([
    ['30 days by default', {}, 30 * 86_400_000],
    ['as long as it is set', { lifetimeSeconds: 60 }, 60_000],
  ])('works %s, counted anew with each', async (_, options, lifetimeMs) => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore(), ...options });
    const first = await tokens.issue('ada');
    pass(lifetimeMs - 1);
    const second = await tokens.rotate(first.refreshToken);
    pass(lifetimeMs - 1);
    const third = await tokens.rotate(second.refreshToken);
    pass(lifetimeMs);
    await expect(tokens.rotate(third.refreshToken)).rejects.toMatchObject(refused);
  });

  it('ends the sign-in of a token, once', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const { refreshToken, userId, signInId } = await tokens.issue('ada');
    const next = await tokens.rotate(refreshToken);
    expect(await tokens.revoke(next.refreshToken)).toEqual({ userId, signInId });
    expect(await tokens.revoke(next.refreshToken)).toBeUndefined();
    await expect(tokens.rotate(next.refreshToken)).rejects.toMatchObject(refused);
  });

  it('ends the sign-in by a token that was used, too, as of a window that has not heard of the next', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const { refreshToken } = await tokens.issue('ada');
    const next = await tokens.rotate(refreshToken);
    expect(await tokens.revoke(refreshToken)).toMatchObject({ userId: 'ada' });
    await expect(tokens.rotate(next.refreshToken)).rejects.toMatchObject(refused);
  });

  it('lists where a user is signed in, once for each sign-in, the last used first', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const laptop = await tokens.issue('ada', { label: 'Firefox' });
    pass(1_000);
    const phone = await tokens.issue('ada');
    await tokens.issue('bob');
    pass(1_000);
    await tokens.rotate(laptop.refreshToken);
    expect(await tokens.list('ada')).toEqual([
      { id: laptop.signInId, label: 'Firefox', createdAtMs: 1_000_000, usedAtMs: 1_002_000 },
      { id: phone.signInId, label: '', createdAtMs: 1_001_000, usedAtMs: 1_001_000 },
    ]);
    expect(await tokens.list('eve')).toEqual([]);
  });

  it('lists a sign-in once whose next token was stored, and whose process or store has failed then', async () => {
    const store = new MemoryTokenStore();
    const failing = { ...storeOfDatabase(store), use: () => Promise.reject(new Error('no answer in time')) };
    const { refreshToken, signInId } = await new RefreshTokens({ store }).issue('ada');
    pass(1_000);
    await expect(new RefreshTokens({ store: failing }).rotate(refreshToken)).rejects.toThrow('no answer');
    const tokens = new RefreshTokens({ store });
    const signIn = { id: signInId, label: '', createdAtMs: 1_000_000 };
    expect(await tokens.list('ada')).toEqual([{ ...signIn, usedAtMs: 1_001_000 }]);
    pass(1_000);
    await tokens.rotate(refreshToken);
    expect(await tokens.list('ada')).toEqual([{ ...signIn, usedAtMs: 1_002_000 }]);
    expect(await tokens.end('ada', signInId)).toBe(true);
    expect(store.size).toBe(0);
  });

  it('ends one sign-in of a user, and none of somebody else', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const { signInId, refreshToken } = await tokens.issue('ada');
    const kept = await tokens.issue('ada');
    expect(await tokens.end('eve', signInId)).toBe(false);
    expect(await tokens.end('ada', signInId)).toBe(true);
    expect(await tokens.end('ada', signInId)).toBe(false);
    await expect(tokens.rotate(refreshToken)).rejects.toMatchObject(refused);
    expect(await tokens.rotate(kept.refreshToken)).toMatchObject({ userId: 'ada' });
  });

  it('ends all sign-ins of a user', async () => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const all = [await tokens.issue('ada'), await tokens.issue('ada')];
    const bob = await tokens.issue('bob');
    await tokens.endAll('ada');
    for (const { refreshToken } of all) {
      await expect(tokens.rotate(refreshToken)).rejects.toMatchObject(refused);
    }
    expect(await tokens.rotate(bob.refreshToken)).toMatchObject({ userId: 'bob' });
  });

  it('keeps a digest, and asks the store for what can be a token alone', async () => {
    const store = new MemoryTokenStore();
    const [add, find] = [vi.spyOn(store, 'add'), vi.spyOn(store, 'find')];
    const tokens = new RefreshTokens({ store });
    const { refreshToken } = await tokens.issue('ada');
    expect(JSON.stringify(add.mock.calls)).not.toContain(refreshToken);
    for (const wrong of ['', 'x', `${refreshToken}x`, undefined, 7, [refreshToken]]) {
      await expect(tokens.rotate(wrong as never)).rejects.toMatchObject(refused);
      expect(await tokens.revoke(wrong as never)).toBeUndefined();
    }
    expect(find).not.toHaveBeenCalled();
  });

  it('takes no token of another kind', async () => {
    const store = new MemoryTokenStore();
    const tokens = new RefreshTokens({ store });
    const { refreshToken } = await tokens.issue('ada');
    vi.spyOn(store, 'find').mockImplementation((key) => {
      const found = MemoryTokenStore.prototype.find.call(store, key);
      return found && { ...found, kind: 'one-time' };
    });
    await expect(tokens.rotate(refreshToken)).rejects.toMatchObject(refused);
    expect(await tokens.revoke(refreshToken)).toBeUndefined();
  });

  it.each([
    [{}, 'RefreshTokens: store is missing'],
    [{ store: new MemoryTokenStore(), lifetimeSeconds: 0 }, 'lifetimeSeconds is 0'],
    [{ store: new MemoryTokenStore(), reuseGraceSeconds: -1 }, 'reuseGraceSeconds is -1'],
    [{ store: new MemoryTokenStore(), reuseGraceSeconds: 3_601 }, 'reuseGraceSeconds is 3601'],
  ])('refuses wrong options: %#', (options, message) => {
    expect(() => new RefreshTokens(options as never)).toThrow(message);
  });

  it.each([
    { lifetimeSeconds: 1 },
    { lifetimeSeconds: 10 * 365 * 86_400 },
    { reuseGraceSeconds: 0 },
    { reuseGraceSeconds: 3_600 },
  ])('takes %j', (options) => {
    expect(() => new RefreshTokens({ store: new MemoryTokenStore(), ...options })).not.toThrow();
  });

  it.each(['', undefined, 7])('refuses the user %j', async (userId) => {
    const tokens = new RefreshTokens({ store: new MemoryTokenStore() });
    const wrong = userId as never;
    const message = 'the id of the user is';
    await expect(tokens.issue(wrong)).rejects.toThrow(message);
    await expect(tokens.list(wrong)).rejects.toThrow(message);
    await expect(tokens.end(wrong, 'x')).rejects.toThrow(message);
    await expect(tokens.endAll(wrong)).rejects.toThrow(message);
    await expect(tokens.end('ada', undefined as never)).rejects.toThrow('the id of the sign-in is');
    await expect(tokens.issue('ada', { label: 7 as never })).rejects.toThrow('label is 7');
  });
});

/** The levels and own fields of the events that are logged meanwhile. */
async function logged(work: () => Promise<unknown>): Promise<[string, object][]> {
  const events: Parameters<Subscriber>[0][] = [];
  const end = subscribe((event) => void events.push(event));
  await work();
  end();
  return events.map(({ level, fields }) => [level, fields]);
}
