import { expect, it } from 'vitest';
import { DisturbanceLog } from './disturbance-log.js';

it('lets answers fail while something is disturbed and some seconds after, and in that way alone', () => {
  const log = new DisturbanceLog();
  const cut = log.begin('a database is cut', ['failures']);
  expect(log.isWithin('failures', cut.from + 1, cut.from + 2)).toBe(true);
  cut.to = cut.from + 1_000;
  expect(log.isWithin('failures', cut.from - 10, cut.from + 10)).toBe(true);
  expect(log.isWithin('failures', cut.to + 4_999, cut.to + 5_001)).toBe(true);
  expect(log.isWithin('failures', cut.from - 10, cut.from - 5)).toBe(false);
  expect(log.isWithin('failures', cut.to + 5_001, cut.to + 5_002)).toBe(false);
  expect(log.isWithin('breaks', cut.from, cut.to)).toBe(false);
});

it('sums up by name', () => {
  const log = new DisturbanceLog();
  for (const ms of [5, 9, 2]) log.begin('kill', ['breaks']).recoveredMs = ms;
  log.begin('cut', ['failures']).recoveredMs = 1;
  expect(log.summary()).toEqual([
    ['kill', 3, 9],
    ['cut', 1, 1],
  ]);
});
