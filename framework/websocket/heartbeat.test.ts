// The timer of a route: when connections are pinged and cut, and what rare pings cost.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Beating, Heartbeat } from './heartbeat.js';
import { resolveConfig } from './socket-config.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A client that answers pings, or does not. */
function client(isThere = true) {
  const one = { bytesRead: 0, isPaused: false, pings: 0, beats: 0, cuts: 0 };
  const connection: Beating = {
    get bytesRead() {
      return one.bytesRead;
    },
    get isPaused() {
      return one.isPaused;
    },
    beat: () => void one.beats++,
    ping() {
      one.pings += 1;
      if (isThere) one.bytesRead += 2;
    },
    cut: () => void one.cuts++,
  };
  return { connection, one };
}

it.each([
  ['seconds', 30_000, 10_000],
  ['less than the time-out', 100, 1_000],
  ['a day', 86_400_000, 10_000],
  ['the longest time of a timer', 2 ** 31 - 1, 10_000],
  ['the longest time-out', 1_000, 2 ** 31 - 1],
])(
  'pings each connection once in an interval of %s',
  (_, intervalMs, timeoutMs) => {
    const heartbeat = new Heartbeat(intervalMs, timeoutMs);
    const clients = Array.from({ length: 300 }, () => client());
    const ends = clients.map(({ connection }) => heartbeat.add(connection));
    // As a timer that is due now and then, because a day has many ticks.
    const tickMs = Math.min(1_000, intervalMs, timeoutMs);
    for (let elapsed = 0; elapsed <= intervalMs * 3.1; elapsed += tickMs) vi.advanceTimersByTime(tickMs);
    for (const { one } of clients) {
      expect([one.pings, one.beats, one.cuts]).toEqual([expect.toBeOneOf([3, 4]), one.pings, 0]);
    }
    for (const end of ends) end();
    expect(vi.getTimerCount()).toBe(0);
  },
  60_000,
);

describe('a client that does not answer', () => {
  it.each([
    ['longer than the time-out', 10_000, 3_000],
    ['as long as the time-out', 3_000, 3_000],
    ['shorter than the time-out', 1_000, 3_000],
  ])('is pinged once and cut after the time-out, if the interval is %s', (_, intervalMs, timeoutMs) => {
    const heartbeat = new Heartbeat(intervalMs, timeoutMs);
    const { connection, one } = client(false);
    const end = heartbeat.add(connection);
    while (one.pings === 0) vi.advanceTimersByTime(100);
    vi.advanceTimersByTime(timeoutMs - 1_000);
    expect([one.pings, one.cuts]).toEqual([1, 0]);
    vi.advanceTimersByTime(1_000);
    expect([one.pings, one.cuts]).toEqual([1, 1]);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is not cut while it cannot be read, nor after it is gone', () => {
    const heartbeat = new Heartbeat(1_000, 1_000);
    const [paused, gone] = [client(false), client(false)];
    paused.one.isPaused = true;
    const ends = [paused, gone].map(({ connection }) => heartbeat.add(connection));
    vi.advanceTimersByTime(1_000);
    ends[1]?.();
    vi.advanceTimersByTime(10_000);
    expect([paused.one.cuts, gone.one.cuts]).toEqual([0, 0]);
    expect([paused.one.pings, gone.one.pings]).toEqual([11, 1]);
    ends[0]?.();
  });
});

it('without pings cuts nobody, and has its beat', () => {
  const heartbeat = new Heartbeat(0, 1_000);
  const { connection, one } = client(false);
  const end = heartbeat.add(connection);
  vi.advanceTimersByTime(300_000);
  expect([one.pings, one.beats, one.cuts]).toEqual([0, 10, 0]);
  const run = vi.fn();
  heartbeat.afterTimeout(run);
  heartbeat.afterTimeout(() => expect.fail('it was stopped'))();
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledTimes(1);
  end();
  expect(vi.getTimerCount()).toBe(0);
});

it('runs a timer only while there is something to wait for', () => {
  const heartbeat = new Heartbeat(1_000, 1_000);
  expect(vi.getTimerCount()).toBe(0);
  const stop = heartbeat.afterTimeout(() => {});
  expect(vi.getTimerCount()).toBe(1);
  stop();
  stop();
  expect(vi.getTimerCount()).toBe(0);
  const ends = [client(), client()].map(({ connection }) => heartbeat.add(connection));
  ends[0]?.();
  ends[0]?.();
  expect(vi.getTimerCount()).toBe(1);
  ends[1]?.();
  expect(vi.getTimerCount()).toBe(0);
  const run = vi.fn();
  heartbeat.afterTimeout(run);
  vi.advanceTimersByTime(1_000);
  expect([run.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
});

it('takes as much memory for rare pings as for others', () => {
  const made: Heartbeat[] = [];
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 20; n++) made.push(new Heartbeat(2 ** 31 - 1, 1));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
  expect(made).toHaveLength(20);
});

it.each([-1, 0.5, 2 ** 31, Number.NaN, Number.POSITIVE_INFINITY])('an interval of %s is refused', (ms) => {
  expect(() => resolveConfig({ pingIntervalMs: ms })).toThrow(
    `pingIntervalMs is ${ms}; give a whole number of milliseconds from 0`,
  );
});
