import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PresenceReport } from './channel-manager.js';
import { TopicLink } from './topic-link.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a link that is no longer wanted waits for nothing', async () => {
  const seen: unknown[] = [];
  const link = new TopicLink(
    () => Promise.reject(new Error('away')),
    (error) => seen.push((error as Error).message),
    () => seen.push('idle'),
  );
  const live = link.want();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([seen, vi.getTimerCount()]).toEqual([['away'], 1]);
  link.unwant();
  await live;
  expect([seen, vi.getTimerCount()]).toEqual([['away', 'idle'], 0]);
});

it('a broker that gives nothing to end the subscription with is asked again after a while, not at once', async () => {
  const seen: unknown[] = [];
  let count = 0;
  const link = new TopicLink(
    async () => {
      count += 1;
      return undefined as never;
    },
    (error) => seen.push((error as Error).message),
    () => seen.push('idle'),
  );
  const live = link.want();
  await vi.advanceTimersByTimeAsync(0);
  expect(count).toBe(1);
  link.unwant();
  await live;
  expect(seen).toEqual(['subscribe() of the broker gave no function that ends the subscription', 'idle']);
});

it('a link and a report wait in runtimes whose timers are numbers, too', async () => {
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (callback: () => void, ms: number) => Number(setTimeout(callback, ms)));
  const seen: unknown[] = [];
  const open = vi.fn(async () => async () => {}).mockRejectedValueOnce(new Error('away'));
  const link = new TopicLink(
    open,
    (error) => seen.push((error as Error).message),
    () => {},
  );
  const live = link.want();
  const broker = {
    setCounts: async (counts: ReadonlyMap<string, number>) => void seen.push(...counts),
    total: async () => 7,
    close: async () => {},
  };
  const report = new PresenceReport(broker as never, () => 3);
  report.changed('a');
  report.changed('b');
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(50);
  await live;
  expect(seen).toEqual(['away', ['a', 3], ['b', 3]]);
  expect([open.mock.calls.length, vi.getTimerCount()]).toEqual([2, 0]);
});

it('a report is made once, and waits for nothing when it was asked for', async () => {
  const told: ReadonlyMap<string, number>[] = [];
  const broker = {
    setCounts: async (counts: ReadonlyMap<string, number>) => void told.push(counts),
    total: async () => 7,
  };
  const report = new PresenceReport(broker, (topic) => topic.length);
  report.changed('a');
  report.changed('bb');
  report.changed('a');
  expect(vi.getTimerCount()).toBe(1);
  expect(await report.total('a')).toBe(7);
  expect([told, vi.getTimerCount()]).toEqual([
    [
      new Map([
        ['a', 1],
        ['bb', 2],
      ]),
    ],
    0,
  ]);
  report.changed('a');
  await vi.advanceTimersByTimeAsync(50);
  expect(told).toHaveLength(2);
  report.changed('a');
  await report.close();
  expect([told.length, vi.getTimerCount()]).toEqual([3, 0]);
});
