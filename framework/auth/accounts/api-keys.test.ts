// API keys that users make and revoke.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../index.js';
import { TestClient } from '../../testing/index.js';
import { apiKey } from '../api-key/index.js';
import { ApiKeys } from './api-keys.js';
import { MemoryTokenStore } from './token-store.js';

afterEach(() => vi.useRealTimers());

const prefix = 'shop';

describe('ApiKeys', () => {
  it('makes a key that acts for its user, as far as its scopes go', async () => {
    const keys = new ApiKeys({ store: new MemoryTokenStore(), prefix });
    const { key } = await keys.create('ada', { label: 'reports', scopes: ['orders:read'] });
    const app = new App()
      .use(apiKey({ store: keys }))
      .get('/orders', (ctx) => ctx.requireScope('orders:read').id ?? '')
      .get('/users', (ctx) => ctx.requireScope('users:read').id ?? '');
    const client = new TestClient(app, { headers: { 'x-api-key': key } });
    (await client.get('/orders')).assertText('ada');
    (await client.get('/users')).assertStatus(403);
  });

  it('shows the key once, and keeps a digest', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    const store = new MemoryTokenStore();
    const add = vi.spyOn(store, 'add');
    const keys = new ApiKeys({ store, prefix });
    const made = await keys.create('ada', { label: 'reports', scopes: ['a', 'b', 'a'] });
    expect(made).toEqual({
      key: expect.stringMatching(/^shop_[\w-]{43}$/),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      label: 'reports',
      scopes: ['a', 'b'],
      createdAtMs: 1_000,
      expiresAtMs: undefined,
    });
    expect(JSON.stringify(add.mock.calls)).not.toContain(made.key.slice(5));
    const { key: _, ...info } = made;
    expect(await keys.list('ada')).toEqual([info]);
    expect(await keys.list('bob')).toEqual([]);
  });

  it('lists the keys of a user, the newest first, with their ends', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    const keys = new ApiKeys({ store: new MemoryTokenStore(), prefix });
    const old = await keys.create('ada', { lifetimeSeconds: 60 });
    vi.setSystemTime(2_000);
    const young = await keys.create('ada');
    const ids = async () => (await keys.list('ada')).map(({ id, expiresAtMs }) => [id, expiresAtMs]);
    expect(await ids()).toEqual([
      [young.id, undefined],
      [old.id, 61_000],
    ]);
    vi.setSystemTime(60_999);
    expect(await keys.validate(old.key)).toEqual({ id: 'ada', scopes: [] });
    vi.setSystemTime(61_000);
    expect(await keys.validate(old.key)).toBeUndefined();
    expect(await ids()).toEqual([[young.id, undefined]]);
  });

  it('revokes a key of the user, and none of somebody else', async () => {
    const keys = new ApiKeys({ store: new MemoryTokenStore(), prefix });
    const [one, other] = [await keys.create('ada'), await keys.create('ada')];
    expect(await keys.revoke('eve', one.id)).toBe(false);
    expect(await keys.validate(one.key)).toBeDefined();
    expect(await keys.revoke('ada', one.id)).toBe(true);
    expect(await keys.revoke('ada', one.id)).toBe(false);
    expect(await keys.validate(one.key)).toBeUndefined();
    expect(await keys.validate(other.key)).toBeDefined();
  });

  it('revokes all keys of a user', async () => {
    const keys = new ApiKeys({ store: new MemoryTokenStore(), prefix });
    const [one, foreign] = [await keys.create('ada'), await keys.create('bob')];
    await keys.revokeAll('ada');
    expect(await keys.validate(one.key)).toBeUndefined();
    expect(await keys.validate(foreign.key)).toBeDefined();
  });

  it('finds keys of another prefix, which the app had before', async () => {
    const store = new MemoryTokenStore();
    const { key } = await new ApiKeys({ store, prefix: 'old-name' }).create('ada');
    expect(await new ApiKeys({ store, prefix }).validate(key)).toEqual({ id: 'ada', scopes: [] });
  });

  it('asks the store for what can be a key alone, and takes no token of another kind', async () => {
    const store = new MemoryTokenStore();
    const find = vi.spyOn(store, 'find');
    const keys = new ApiKeys({ store, prefix });
    const { key } = await keys.create('ada');
    const wrong = [
      '',
      'shop_',
      key.slice(5),
      `${key}x`,
      ` ${key}`,
      `${key}\n`,
      `${'a'.repeat(33)}_${key.slice(5)}`,
    ];
    for (const presented of [...wrong, undefined, 7, [key]]) {
      expect(await keys.validate(presented as never)).toBeUndefined();
    }
    expect(find).not.toHaveBeenCalled();
    expect(await keys.validate(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)).toBeUndefined();
    find.mockImplementation((digest) => {
      const found = MemoryTokenStore.prototype.find.call(store, digest);
      return found && { ...found, kind: 'refresh' };
    });
    expect(await keys.validate(key)).toBeUndefined();
  });

  it.each([
    [{ prefix }, 'ApiKeys: store is missing'],
    [{ store: new MemoryTokenStore() }, 'ApiKeys: prefix is missing'],
    [{ store: new MemoryTokenStore(), prefix: 'a b' }, "ApiKeys: prefix is 'a b'; give 1 to 32 letters"],
    [{ store: new MemoryTokenStore(), prefix: 'a'.repeat(33) }, 'give 1 to 32 letters'],
  ])('refuses wrong options: %#', (options, message) => {
    expect(() => new ApiKeys(options as never)).toThrow(message);
  });

  it('takes a prefix of 1 to 32 characters, and every lifetime from a second to ten years', async () => {
    const store = new MemoryTokenStore();
    const short = new ApiKeys({ store, prefix: 'a' });
    expect(await short.validate((await short.create('ada')).key)).toBeDefined();
    const keys = new ApiKeys({ store, prefix: 'a'.repeat(32) });
    for (const lifetimeSeconds of [1, 10 * 365 * 86_400]) {
      expect(await keys.validate((await keys.create('ada', { lifetimeSeconds })).key)).toBeDefined();
    }
  });

  it('refuses wrong arguments', async () => {
    const keys = new ApiKeys({ store: new MemoryTokenStore(), prefix });
    for (const wrong of ['', undefined, 7] as never[]) {
      await expect(keys.create(wrong)).rejects.toThrow('the id of the user is');
      await expect(keys.list(wrong)).rejects.toThrow('the id of the user is');
      await expect(keys.revoke(wrong, 'x')).rejects.toThrow('the id of the user is');
      await expect(keys.revokeAll(wrong)).rejects.toThrow('the id of the user is');
    }
    await expect(keys.revoke('ada', 7 as never)).rejects.toThrow('the id of the key is 7');
    await expect(keys.create('ada', { scopes: 'all' as never })).rejects.toThrow("scopes is 'all'");
    await expect(keys.create('ada', { scopes: [''] })).rejects.toThrow('scopes[0]');
    await expect(keys.create('ada', { lifetimeSeconds: 0 })).rejects.toThrow('lifetimeSeconds is 0');
    await expect(keys.create('ada', { name: 'x' } as never)).rejects.toThrow("has no option 'name'");
  });
});
