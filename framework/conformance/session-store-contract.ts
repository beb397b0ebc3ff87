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

  it('lists a session as long as it lives, also after a change that was computed before another', async () => {
    const [user, key, mark] = [fresh(), fresh(), fresh()];
    await store.create(key, stored(user));
    await store.update(key, change({ expiresAtMs: now() + 50 }));
    await store.create(mark, stored(user, 200));
    await expect.poll(() => store.load(mark)).toBeUndefined();
    expect(await store.load(key)).toBeDefined();
    expect((await store.list(user)).map(({ id }) => id)).toEqual([key]);
    expect(await store.endAll(user)).toBe(1);
  });

  it('gives a sign-in the times of its own, also if they are shorter', async () => {
    const [user, key, newKey] = [fresh(), fresh(), fresh()];
    await store.create(key, stored(undefined, 90_000));
    const signedIn = {
      user: { id: user, scopes: [], label: undefined },
      createdAtMs: 9_000,
      dropsValues: true,
    };
    const expiresAtMs = now() + 60_000;
    await store.update(key, change({ newKey, signedIn, usedAtMs: 1_500, expiresAtMs }));
    expect(await store.load(newKey)).toMatchObject({ usedAtMs: 1_500, expiresAtMs });
    const lastKey = fresh();
    await store.update(newKey, change({ newKey: lastKey, signedIn, expiresAtMs: now() + 1 }));
    await expect.poll(() => store.load(lastKey)).toBeUndefined();
    expect(await store.list(user)).toEqual([]);
  });

  it('takes a session that has expired already', async () => {
    const [user, key] = [fresh(), fresh()];
    await store.create(key, stored(user, -1_000));
    await expect.poll(() => store.load(key)).toBeUndefined();
    expect(await store.list(user)).toEqual([]);
  });

  it('tells who watches a session of its new key, and of its end when it has ended', async () => {
    const [user, other] = [fresh(), fresh()];
    const seen: string[] = [];
    const states: unknown[] = [];
    const watch = async (key: string) => {
      await store.create(key, stored(user));
      let current = key;
      return store.watch?.(
        { key, userId: user },
        {
          moved(newKey) {
            seen.push(`${key} is ${newKey}`);
            current = newKey;
          },
          ended() {
            seen.push(`${current} has ended`);
            states.push(store.load(current));
          },
        },
      );
    };
    const [one, moved, two, three, four, five, elsewhere] = Array.from({ length: 7 }, fresh) as [
      ...[string, string, string, string, string, string, string],
    ];
    for (const key of [one, two, three, four, five]) await watch(key);
    await store.update(one, change({ newKey: moved }));
    expect(seen).toEqual([`${one} is ${moved}`]);
    await store.delete(moved);
    await store.end(other, two);
    await store.end(user, two);
    expect(seen.slice(1)).toEqual([`${moved} has ended`, `${two} has ended`]);
    const signedIn = { user: { id: other, scopes: [], label: undefined }, createdAtMs: 1, dropsValues: true };
    await store.update(three, change({ newKey: elsewhere, signedIn }));
    expect(seen.slice(3)).toEqual([`${three} has ended`]);
    await store.endAll(user, { except: five });
    expect(seen.slice(4)).toEqual([`${four} has ended`]);
    (await watch(fresh()))?.();
    await store.endAll(user);
    expect(seen.slice(5)).toEqual([`${five} has ended`]);
    expect(await Promise.all(states)).toEqual(states.map(() => undefined));
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
    expect(await store.end(user, key)).toBe(false);
  });
}
