// What every store of sessions must do.
import { expect, it, vi } from 'vitest';
import type { SessionChanges, SessionStore, StoredSession } from '../session/session-store.js';

const now = () => Date.now();
/** A session of the user, as stores get it. */
export const stored = (userId?: string, lifetimeMs = 60_000): StoredSession => ({
  values: new Map([
    ['a', '1'],
    ['', '"é\\n"'],
  ]),
  user: userId === undefined ? undefined : { id: userId, scopes: ['x y', '"'], label: 'Firefox' },
  createdAtMs: 1_000,
  usedAtMs: 2_000,
  expiresAtMs: now() + lifetimeMs,
});
/** Changes of one request. */
export const change = (changes: Partial<SessionChanges> = {}): SessionChanges => ({
  set: new Map(),
  deleted: [],
  usedAtMs: 3_000,
  expiresAtMs: now() + 60_000,
  ...changes,
});
/** Tests of a store, whose keys begin with its name. */
export function testSessionStore(name: string, store: SessionStore): void {
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

  it('keeps the sessions of a user when one expires that was made later, and sooner ends', async () => {
    const [user, long, short] = [fresh(), fresh(), fresh()];
    await store.create(long, stored(user));
    await store.create(short, stored(user, 100));
    await expect.poll(() => store.load(short)).toBeUndefined();
    expect((await store.list(user)).map(({ id }) => id)).toEqual([long]);
    expect(await store.endAll(user)).toBe(1);
    expect(await store.load(long)).toBeUndefined();
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
}
