import { expect, it } from 'vitest';
import { type Reading, risen } from './flatness.js';

const level: Reading = {
  heap: 40e6,
  rss: 150e6,
  descriptors: 50,
  listeners: 12,
  warnings: 0,
  resources: { Timeout: 5, TCPSocketWrap: 12 },
};

it('is content with what stays at its level, with one peak', () => {
  const peak = { ...level, heap: 90e6, descriptors: 400 };
  expect(risen('a', [level, level, peak, level])).toEqual([]);
  expect(risen('a', [level])).toEqual([]);
  expect(risen('a', [])).toEqual([]);
});

it.each([
  ['heap', { heap: 60e6 }, 'a: heap rose from 38.1 MiB to 57.2 MiB'],
  ['rss', { rss: 400e6 }, 'a: rss rose from 143.1 MiB to 381.5 MiB'],
  ['descriptors', { descriptors: 100 }, 'a: descriptors rose from 50 to 100'],
  ['listeners', { listeners: 13 }, 'a: listeners rose from 12 to 13'],
  ['warnings', { warnings: 1 }, 'a: warnings rose from 0 to 1'],
  ['timers', { resources: { ...level.resources, Timeout: 99 } }, 'a: timers rose from 5 to 99'],
  ['handles', { resources: { ...level.resources, FSReqCallback: 99 } }, 'a: others rose from 12 to 111'],
])('names %s that have risen and stay', (_, change, fault) => {
  const high = { ...level, ...change };
  expect(risen('a', [level, high, high])).toEqual([fault]);
  expect(risen('a', [level, level, high, high, high])).toEqual([fault]);
});
