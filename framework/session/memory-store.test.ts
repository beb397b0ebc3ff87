import { setTimeout as pause } from 'node:timers/promises';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryStore } from './memory-store.js';
import type { SessionChanges, StoredSession } from './session-store.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

v8.setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const stored = (expiresAtMs: number, userId?: string): StoredSession => ({
  values: new Map([['a', '1']]),
  user: userId === undefined ? undefined : { id: userId, scopes: [], label: 'Firefox' },
  createdAtMs: 1_000,
  usedAtMs: 1_000,
  expiresAtMs,
});
const change = (changes: Partial<SessionChanges>): SessionChanges => ({
  set: new Map(),
  deleted: [],
  usedAtMs: 1_000,
  expiresAtMs: 2_000,
  ...changes,
});

describe('MemoryStore', () => {
  it('has no limit by default', () => {
    const store = new MemoryStore();
    for (let index = 0; index < 10_000; index += 1) store.create(`${index}`, stored(2_000));
    expect(store.size).toBe(10_000);
  });

  it('evicts the session that would expire first when it is full', () => {
    const store = MemoryStore.withMaxSessions(3);
    store.create('b', stored(3_000));
    store.create('a', stored(2_000));
    store.create('c', stored(4_000));
    store.create('d', stored(5_000));
    expect(['a', 'b', 'c', 'd'].map((key) => store.load(key) !== undefined)).toEqual([
      false,
      true,
      true,
      true,
    ]);
    store.update('b', change({ expiresAtMs: 9_000 }));
    store.create('e', stored(6_000));
    expect(['b', 'c', 'd', 'e'].map((key) => store.load(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('evicts in order of expiry among many that are moved and removed', () => {
    const store = MemoryStore.withMaxSessions(500);
    const expiries = new Map<string, number>();
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let step = 0; step < 5_000; step += 1) {
      const key = `${random(800)}`;
      const expiresAtMs = 2_000 + random(1_000_000);
      if (random(4) === 0) {
        store.delete(key);
        expiries.delete(key);
      } else if (store.update(key, change({ expiresAtMs }))) {
        expiries.set(key, Math.max(expiresAtMs, expiries.get(key) ?? 0));
      } else {
        store.create(key, stored(expiresAtMs));
        expiries.set(key, expiresAtMs);
        const [first] = [...expiries].sort(([, one], [, other]) => one - other);
        if (expiries.size > 500 && first) expiries.delete(first[0]);
      }
      if (step % 100 !== 0) continue;
      expect(store.size).toBe(expiries.size);
      for (const [kept, at] of expiries) expect(store.load(kept)?.expiresAtMs).toBe(at);
    }
  });

  it('gives no expired session, and removes them with later writes', () => {
    const store = new MemoryStore();
    for (let index = 0; index < 10; index += 1) store.create(`${index}`, stored(2_000, 'ada'));
    vi.setSystemTime(2_000);
    expect(store.load('0')).toBeUndefined();
    expect(store.list('ada')).toEqual([]);
    expect(store.endAll('ada')).toBe(0);
    expect(store.update('1', change({ expiresAtMs: 9_000 }))).toBe(false);
    for (let index = 0; index < 5; index += 1) store.create(`new ${index}`, stored(9_000));
    expect(store.size).toBe(5);
  });

  it('changes a session without a request noticing that has loaded it', () => {
    const store = new MemoryStore();
    store.create('key', stored(2_000));
    const loaded = store.load('key')?.values;
    expect(store.update('key', change({ set: new Map([['b', '2']]), deleted: ['a'] }))).toBe(true);
    expect([...(loaded ?? [])]).toEqual([['a', '1']]);
    expect([...(store.load('key')?.values ?? [])]).toEqual([['b', '2']]);
  });

  it('does not shorten a session by a change that was computed before another', () => {
    const store = new MemoryStore();
    store.create('key', stored(5_000));
    store.update('key', change({ expiresAtMs: 4_000, usedAtMs: 500 }));
    expect(store.load('key')).toMatchObject({ expiresAtMs: 5_000, usedAtMs: 1_000 });
  });

  it('ends a session of its user alone', () => {
    const store = new MemoryStore();
    store.create('key', stored(2_000, 'ada'));
    expect(store.end('bob', 'key')).toBe(false);
    expect(store.list('ada')).toEqual([{ id: 'key', label: 'Firefox', createdAtMs: 1_000, usedAtMs: 1_000 }]);
    expect(store.end('ada', 'key')).toBe(true);
    expect(store.end('ada', 'key')).toBe(false);
  });

  it('lists and ends the sessions of a user, of whom it may have one or many', () => {
    const store = new MemoryStore();
    const ids = (userId: string) => store.list(userId).map(({ id }) => id);
    for (const key of ['a', 'b', 'c']) store.create(key, stored(2_000, 'ada'));
    store.create('d', stored(2_000, 'bob'));
    expect([ids('ada'), ids('bob'), ids('eve')]).toEqual([['a', 'b', 'c'], ['d'], []]);
    expect(store.end('ada', 'b')).toBe(true);
    expect(ids('ada')).toEqual(['a', 'c']);
    expect(store.endAll('ada', { except: 'a' })).toBe(1);
    expect(ids('ada')).toEqual(['a']);
    expect(store.endAll('ada')).toBe(1);
    expect([ids('ada'), ids('bob')]).toEqual([[], ['d']]);
    store.create('e', stored(2_000, 'ada'));
    expect(ids('ada')).toEqual(['e']);
  });

  it.each([1, 2])('lets go of the sessions of a user who had %i', async (count) => {
    const store = new MemoryStore();
    const keys = ['a', 'b'].slice(0, count);
    for (const key of keys) store.create(key, stored(2_000, 'ada'));
    const left = keys.map((key) => new WeakRef(store.load(key) as object));
    for (const key of keys) store.delete(key);
    await pause(1);
    collect();
    expect(left.map((session) => session.deref())).toEqual(left.map(() => undefined));
    expect(store.list('ada')).toEqual([]);
  });

  it('keeps nothing of users whose sessions have ended', () => {
    const store = new MemoryStore();
    const come = (prefix: string) => {
      for (let user = 0; user < 5_000; user += 1) {
        for (const key of ['a', 'b']) store.create(`${user}${key}`, stored(2_000, `${prefix}${user}`));
        expect(store.endAll(`${prefix}${user}`)).toBe(2);
      }
      return heapUsed();
    };
    const before = come('ada');
    // Their empty sets would take 200 bytes each.
    expect(come('bob') - before).toBeLessThan(500_000);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a limit of %s', (count) => {
    expect(() => MemoryStore.withMaxSessions(count)).toThrow(
      `the number of sessions is ${count}; give a whole number, 1 or more`,
    );
  });
});
