import { expect, it } from 'vitest';
import { Records } from './records.js';

it('counts statuses, and knows the times that half and all but a hundredth of the answers took', () => {
  const records = new Records();
  for (let ms = 1; ms <= 100; ms++) records.answered('read', ms === 7 ? 503 : 200, ms);
  const [[kind, statuses, { p50, p99 }] = ['', new Map(), { p50: 0, p99: 0 }]] = records.kinds();
  expect([kind, ...statuses]).toEqual(['read', [200, 99], [503, 1]]);
  expect(p50 / 50).toBeCloseTo(1, 0);
  expect(p99 / 99).toBeCloseTo(1, 0);
  expect(records.total).toBe(100);
});

it('shows so many faults, and counts the others', () => {
  const records = new Records();
  for (let i = 0; i < 50; i++) records.fault(`fault ${i}`);
  expect(records.faults).toHaveLength(41);
  expect(records.faults.at(-1)).toBe('and 10 more');
});
