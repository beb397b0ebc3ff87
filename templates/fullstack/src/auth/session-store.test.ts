// The store of sessions: what `fw/session` asks of one.
import { randomUUID } from 'node:crypto';
import type { StoredSession } from 'fw/session';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';
import { DatabaseSessionStore } from './session-store.ts';

let api: TestApp;
let store: DatabaseSessionStore;
let ada: string;

beforeAll(async () => {
  api = await testApp();
  store = new DatabaseSessionStore(api.db);
  ada = await newUser();
});
afterAll(() => api[Symbol.asyncDispose]());

test('a session is found again, with its values and its user', async () => {
  const session = sessionOf({ values: new Map([['cart', '["tea"]']]) });
  await store.create('found', session);
  expect(await store.load('found')).toEqual(session);
  await store.delete('found');
  expect(await store.load('found')).toBeUndefined();
});

test('changes of several requests are all kept', async () => {
  const values = new Map([
    ['a', '1'],
    ['b', '2'],
  ]);
  await store.create('changed', sessionOf({ values }));
  const times = { usedAtMs: Date.now(), expiresAtMs: Date.now() + 60_000 };
  const changes = [
    { ...times, set: new Map([['c', '3']]), deleted: [] },
    { ...times, set: new Map(), deleted: ['a'] },
  ];
  expect(await Promise.all(changes.map((change) => store.update('changed', change)))).toEqual([true, true]);
  const changed = await store.load('changed');
  expect(Object.fromEntries(changed?.values ?? [])).toEqual({ b: '2', c: '3' });
});

test('a session moves to a new key with its new user', async () => {
  await store.create('old', sessionOf({ values: new Map([['a', '1']]) }));
  const user = { id: await newUser(), scopes: [], label: 'phone' };
  const changed = await store.update('old', {
    set: new Map(),
    deleted: [],
    newKey: 'new',
    signedIn: { user, createdAtMs: 5, dropsValues: true },
    usedAtMs: 6,
    expiresAtMs: Date.now() + 1000,
  });
  expect(changed).toBe(true);
  expect(await store.load('old')).toBeUndefined();
  expect(await store.load('new')).toMatchObject({ user, createdAtMs: 5, usedAtMs: 6, values: new Map() });
});

test('an older request does not shorten a session', async () => {
  const session = sessionOf({});
  await store.create('kept', session);
  await store.update('kept', { set: new Map(), deleted: [], usedAtMs: 1, expiresAtMs: 2 });
  expect(await store.load('kept')).toEqual(session);
});

test('a session that has ended is not changed, found or kept', async () => {
  await store.create('ended', sessionOf({ expiresAtMs: Date.now() + 1000 }));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 });
  try {
    expect(await store.load('ended')).toBeUndefined();
    const change = { set: new Map(), deleted: [], usedAtMs: 1, expiresAtMs: Date.now() + 60_000 };
    expect(await store.update('ended', change)).toBe(false);
    await store.create('another', sessionOf({}));
    const keys = await api.db.selectFrom('sessions').select('key').where('key', '=', 'ended').execute();
    expect(keys).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('the sessions of a user are listed and ended, and those of others stay', async () => {
  const [bob, carol] = [await newUser(), await newUser()];
  for (const key of ['bob-1', 'bob-2', 'bob-3']) await store.create(key, sessionOf({}, bob));
  await store.create('carol', sessionOf({}, carol));
  expect((await store.list(bob)).map(({ id }) => id).sort()).toEqual(['bob-1', 'bob-2', 'bob-3']);
  expect(await store.end(carol, 'bob-1')).toBe(false);
  expect(await store.end(bob, 'bob-1')).toBe(true);
  expect(await store.endAll(bob, { except: 'bob-2' })).toBe(1);
  expect((await store.list(bob)).map(({ id }) => id)).toEqual(['bob-2']);
  expect(await store.load('carol')).toBeDefined();
});

test('whoever watches a session is told when it moves and ends, by whatever call', async () => {
  const user = await newUser();
  const heard: string[] = [];
  const watch = (key: string) =>
    store.watch(
      { key, userId: user },
      { ended: () => heard.push(`${key} ended`), moved: (next) => heard.push(`${key} is ${next}`) },
    );
  for (const key of ['w-1', 'w-2', 'w-3', 'w-4', 'w-5']) {
    await store.create(key, sessionOf({}, user));
    watch(key);
  }
  const times = { usedAtMs: Date.now(), expiresAtMs: Date.now() + 60_000 };
  const heardBy = async (work: Promise<unknown>) => {
    await work;
    return heard.splice(0).sort();
  };
  const moved = { ...times, set: new Map(), deleted: [], newKey: 'w-1b' };
  expect(await heardBy(store.update('w-1', moved))).toEqual(['w-1 is w-1b']);
  expect(await heardBy(store.delete('w-1b'))).toEqual(['w-1 ended']);
  expect(await heardBy(store.end(user, 'w-2'))).toEqual(['w-2 ended']);
  expect(await heardBy(store.end(await newUser(), 'w-3'))).toEqual([]);
  expect(await heardBy(store.endAll(user, { except: 'w-4' }))).toEqual(['w-3 ended', 'w-5 ended']);
  const stop = watch('w-4');
  stop();
  expect(await heardBy(store.endAll(user))).toEqual(['w-4 ended']);
});

async function newUser(): Promise<string> {
  const id = randomUUID();
  const row = { id, email: `${id}@example.org`, passwordHash: '', createdAt: new Date().toISOString() };
  await api.db.insertInto('users').values(row).execute();
  return id;
}

function sessionOf(parts: Partial<StoredSession>, userId = ada): StoredSession {
  return {
    values: new Map(),
    user: { id: userId, scopes: ['staff', 'admin'], label: undefined },
    createdAtMs: Date.now(),
    usedAtMs: Date.now(),
    expiresAtMs: Date.now() + 60_000,
    ...parts,
  };
}
