// The points of the charts: of several processes, and with longer steps when there are many.
import { expect, it } from 'vitest';
import { durationClass, type RawSecond } from '../../process/traffic.js';
import { TrafficLog } from './traffic-log.js';

const second = (time: number, more: Partial<RawSecond> = {}): RawSecond => ({
  time,
  requests: 1,
  failed: 0,
  failedCalls: 0,
  durations: [],
  heap: 10,
  ...more,
});
const of = (ms: number, count: number) => [durationClass(ms), count] as const;

it('are one for each second, with percentiles over all processes', () => {
  const log = new TrafficLog();
  log.add([second(100, { requests: 90, durations: [of(1, 90)], heap: 30 })]);
  const [changed] = log.add([
    second(100, { requests: 10, failed: 2, failedCalls: 1, durations: [of(50, 10)], delayMs: 7 }),
  ]);
  expect(changed).toMatchObject({
    at: 100_000,
    requests: 100,
    failed: 2,
    failedCalls: 1,
    heap: 30,
    delayMs: 7,
  });
  expect(changed?.p50).toBeCloseTo(1, 1);
  expect(Math.abs((changed?.p95 ?? 0) / 50 - 1)).toBeLessThan(0.05);
  log.add([second(98)]);
  expect(log.points.map(({ at, p50 }) => [at, p50 === undefined])).toEqual([
    [98_000, true],
    [100_000, false],
  ]);
});

it('are of twice as many seconds when there are too many', () => {
  const log = new TrafficLog(4);
  const changed = log.add(
    [1000, 1001, 1002, 1003, 1004].map((time) => second(time, { durations: [of(1, 1)] })),
  );
  expect(log.width).toBe(2);
  expect(changed).toEqual(log.points);
  expect(log.points.map(({ at, requests }) => [at, requests])).toEqual([
    [1_000_000, 2],
    [1_002_000, 2],
    [1_004_000, 1],
  ]);
  expect(log.add([second(1005)]).map(({ at, requests }) => [at, requests])).toEqual([[1_004_000, 2]]);
});

it('keep their width as long as there are no more than may be', () => {
  const log = new TrafficLog(4);
  log.add([1000, 1001, 1002, 1003].map((time) => second(time)));
  expect([log.width, log.points.length]).toEqual([1, 4]);
  log.add([second(1004)]);
  expect(log.width).toBe(2);
});

it('have the median of the shorter half, and the heap and the delay that were the highest', () => {
  const log = new TrafficLog();
  log.add([second(1, { durations: [of(1, 1)], heap: 30, delayMs: 9 })]);
  const [point] = log.add([second(1, { durations: [of(50, 1)], heap: 20, delayMs: 7 })]);
  expect(point?.p50).toBeCloseTo(1, 1);
  expect(point).toMatchObject({ heap: 30, delayMs: 9 });
});
