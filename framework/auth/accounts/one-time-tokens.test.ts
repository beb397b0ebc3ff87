// Tokens that work once.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { storeOfDatabase } from '../../conformance/token-store-contract.js';
import { OneTimeTokens } from './one-time-tokens.js';
import { MemoryTokenStore, type StoredToken, type TokenStore } from './token-store.js';

afterEach(() => vi.useRealTimers());

const purpose = 'reset-password';

describe('OneTimeTokens', () => {
  it('gives back whose token it is, once', async () => {
    const tokens = new OneTimeTokens({ store: new MemoryTokenStore(), purpose });
    const token = await tokens.issue('ada', 'ada@example.org');
    expect(token).toMatch(/^[\w-]{43}$/);
    const ada = { userId: 'ada', data: 'ada@example.org' };
    for (let times = 0; times < 2; times += 1) expect(await tokens.find(token)).toEqual(ada);
    expect(await tokens.redeem(token)).toEqual(ada);
    expect(await tokens.redeem(token)).toBeUndefined();
    expect(await tokens.find(token)).toBeUndefined();
  });

  it('gives it to one of two calls at once', async () => {
    const tokens = new OneTimeTokens({ store: storeOfDatabase(new MemoryTokenStore()), purpose });
    const token = await tokens.issue('ada');
    const redeemed = await Promise.all([tokens.redeem(token), tokens.redeem(token), tokens.redeem(token)]);
    expect(redeemed.filter((one) => one !== undefined)).toEqual([{ userId: 'ada', data: '' }]);
  });

  it('ends all one-time tokens of the user with the one that is used, and those of nobody else', async () => {
    const store = new MemoryTokenStore();
    const resets = new OneTimeTokens({ store, purpose });
    const confirmations = new OneTimeTokens({ store, purpose: 'confirm-email' });
    const [token, second, confirmation, foreign] = [
      await resets.issue('ada'),
      await resets.issue('ada'),
      await confirmations.issue('ada', 'eve@example.org'),
      await resets.issue('bob'),
    ];
    expect(await resets.redeem(token)).toBeDefined();
    expect(await resets.redeem(second)).toBeUndefined();
    expect(await confirmations.redeem(confirmation)).toBeUndefined();
    expect(await resets.redeem(foreign)).toEqual({ userId: 'bob', data: '' });
  });

  it('does not work for another purpose, and is not used up by that', async () => {
    const store = new MemoryTokenStore();
    const resets = new OneTimeTokens({ store, purpose });
    const token = await resets.issue('ada');
    const others = new OneTimeTokens({ store, purpose: 'confirm-email' });
    expect(await others.find(token)).toBeUndefined();
    expect(await others.redeem(token)).toBeUndefined();
    expect(await resets.redeem(token)).toBeDefined();
  });

  it.each([
    ['an hour by default', {}, 3_600_000],
    ['as long as it is set', { lifetimeSeconds: 90 }, 90_000],
  ])('works %s', async (_, options, lifetimeMs) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 5_000 });
    const tokens = new OneTimeTokens({ store: new MemoryTokenStore(), purpose, ...options });
    const token = await tokens.issue('ada');
    vi.setSystemTime(5_000 + lifetimeMs - 1);
    expect(await tokens.find(token)).toBeDefined();
    vi.setSystemTime(5_000 + lifetimeMs);
    expect(await tokens.find(token)).toBeUndefined();
    expect(await tokens.redeem(token)).toBeUndefined();
  });

  it('keeps a digest, and never the token', async () => {
    const added: StoredToken[] = [];
    const store = new MemoryTokenStore();
    vi.spyOn(store, 'add').mockImplementation((token) => void added.push(token));
    const token = await new OneTimeTokens({ store, purpose }).issue('ada');
    expect(JSON.stringify(added)).not.toContain(token);
    expect(added[0]?.key).toMatch(/^[\w-]{43}$/);
  });

  it('asks the store for what can be a token alone', async () => {
    const find = vi.fn();
    const tokens = new OneTimeTokens({ store: { ...methods, find }, purpose });
    const wrong = ['', 'x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}é`, `${'a'.repeat(43)}\n`];
    for (const token of [...wrong, undefined, null, 7, {}, ['a'.repeat(43)]]) {
      expect(await tokens.redeem(token as never)).toBeUndefined();
      expect(await tokens.find(token as never)).toBeUndefined();
    }
    expect(find).not.toHaveBeenCalled();
    await tokens.find('a'.repeat(43));
    expect(find).toHaveBeenCalledOnce();
  });

  it('revokes the tokens of a user for its purpose', async () => {
    const store = new MemoryTokenStore();
    const resets = new OneTimeTokens({ store, purpose });
    const others = new OneTimeTokens({ store, purpose: 'invite' });
    const [token, foreign, other] = [
      await resets.issue('ada'),
      await resets.issue('bob'),
      await others.issue('ada'),
    ];
    await resets.revokeAll('ada');
    expect(await resets.find(token)).toBeUndefined();
    expect(await resets.find(foreign)).toBeDefined();
    expect(await others.find(other)).toBeDefined();
  });

  it('says so if the store fails', async () => {
    const store = { ...methods, add: () => Promise.reject(new Error('away')) };
    await expect(new OneTimeTokens({ store, purpose }).issue('ada')).rejects.toThrow('away');
  });

  it.each([
    [{ purpose }, 'OneTimeTokens: store is missing; give a store of tokens'],
    [
      { store: {}, purpose },
      'give a store of tokens, such as new SqlTokenStore(db) of fw/kysely or fw/drizzle',
    ],
    [{ store: methodsOf() }, 'OneTimeTokens: purpose is missing'],
    [{ store: methodsOf(), purpose: 'Reset password' }, "purpose is 'Reset password'; give a name of small"],
    [{ store: methodsOf(), purpose: `a${'b'.repeat(64)}` }, 'give a name of small letters'],
    [{ store: methodsOf(), purpose, lifetimeSeconds: 0 }, 'lifetimeSeconds is 0'],
    [{ store: methodsOf(), purpose, lifetime: 5 }, "did you mean 'lifetimeSeconds'?"],
  ])('refuses wrong options: %#', (options, message) => {
    expect(() => new OneTimeTokens(options as never)).toThrow(message);
  });

  it('takes a purpose of 64 characters, and every lifetime from a second to a year', () => {
    const store = methodsOf();
    expect(() => new OneTimeTokens({ store, purpose: `a${'b'.repeat(60)}-09` })).not.toThrow();
    for (const lifetimeSeconds of [1, 365 * 86_400]) {
      expect(() => new OneTimeTokens({ store, purpose, lifetimeSeconds })).not.toThrow();
    }
    const tooLong = { store, purpose, lifetimeSeconds: 365 * 86_400 + 1 };
    expect(() => new OneTimeTokens(tooLong)).toThrow('lifetimeSeconds is 31536001');
  });

  it.each(['', undefined, 7])('issues no token to the user %j', async (userId) => {
    const tokens = new OneTimeTokens({ store: new MemoryTokenStore(), purpose });
    await expect(tokens.issue(userId as never)).rejects.toThrow('the id of the user is');
    await expect(tokens.issue('ada', 7 as never)).rejects.toThrow('data is 7');
    await expect(tokens.revokeAll(userId as never)).rejects.toThrow('the id of the user is');
  });
});

function methodsOf(): TokenStore {
  return { add: () => {}, find: () => undefined, use: () => false, list: () => [], remove: () => 0 };
}

const methods = methodsOf();
