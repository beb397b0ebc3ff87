// The shapes of the charts.
import { expect, it } from 'vitest';
import type { ChartPoint } from '../app-info.js';
import type { CycleEntry } from '../protocol.js';
import { axisOf, dotsOf, lineOf, mergedPoints, most, savesIn } from './chart-lines.js';

const point = (at: number, requests: number, delayMs?: number): ChartPoint => ({
  at,
  requests,
  failed: 0,
  failedCalls: 0,
  heap: 1,
  ...(delayMs !== undefined && { delayMs }),
});
const span = { from: 0, until: 60_000 };

it('a line is interrupted where there is no value, and a lone point is a dot', () => {
  const points = [point(0, 1, 5), point(1000, 1, 10), point(2000, 1), point(30_000, 1, 10)];
  const scale = { span, most: 10, stepMs: 1000, isZeroBetween: false };
  expect(lineOf(points, ({ delayMs }) => delayMs, scale)).toBe('M0 50h0.01L10 0M300 0h0.01');
});

it('a line of counts is on the ground where nothing was answered', () => {
  const points = [point(10_000, 10), point(11_000, 5), point(60_000, 10), point(61_000, 99)];
  const scale = { span, most: 10, stepMs: 1000, isZeroBetween: true };
  expect(lineOf(points, ({ requests }) => requests, scale)).toBe(
    'M0 100L10 100L90 100L100 0L110 50L120 100L590 100L600 0',
  );
  expect(most(points, [({ requests }) => requests], span)).toBe(10);
});

it('new points take the place of old ones, in the order of time', () => {
  const merged = mergedPoints([point(1, 1), point(3, 1)], [point(3, 2), point(2, 5)]);
  expect(merged.map(({ at, requests }) => [at, requests])).toEqual([
    [1, 1],
    [2, 5],
    [3, 2],
  ]);
});

it('saves are reloads that worked', () => {
  const entry = (kind: CycleEntry['kind'], time: number): CycleEntry => ({ id: time, time, kind, what: 'x' });
  const entries = [entry('ready', 1), entry('build-failed', 2), entry('ready', 99_000)];
  expect(savesIn(entries, span).map(({ id }) => id)).toEqual([1]);
});

it.each([
  [0, false, [0, 0.5]],
  [0, true, [0, 1]],
  [1, true, [0, 1, 2]],
  [1, false, [0, 0.5, 1, 1.5]],
  [2.9, false, [0, 2, 4]],
  [12, true, [0, 5, 10, 15]],
  [0.25, false, [0, 0.1, 0.2, 0.3]],
  [97, false, [0, 50, 100, 150]],
  [38_400_000, false, [0, 20_000_000, 40_000_000, 60_000_000]],
])('an axis up to %d, of whole numbers: %s, has round values and room above', (highest, isWhole, values) => {
  expect(axisOf(highest, isWhole)).toEqual(values);
});

it('finds the points without a neighbour', () => {
  expect(dotsOf('M1 2h0.01M3 4h0.01L5 6M7 8h0.01')).toBe('M1 2h0.01M7 8h0.01');
  expect(dotsOf('M0 100L1 2')).toBe('');
});
