// What is recorded of the requests of a person, and of those of a load test.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Budget } from './budget.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Asks so often, evenly; returns how many were taken in each second. */
function ask(budget: Budget, perSecond: number, seconds: number): number[] {
  return Array.from({ length: seconds }, () => {
    let taken = 0;
    for (let index = 0; index < perSecond; index++) {
      vi.advanceTimersByTime(1000 / perSecond);
      if (budget.take()) taken += 1;
    }
    return taken;
  });
}

it('takes all of a page with its parts, and all that comes slowly', () => {
  const budget = new Budget();
  expect(ask(budget, 100, 1)).toEqual([100]);
  expect(ask(new Budget(), 20, 8)).toEqual(Array.from({ length: 8 }, () => 20));
});

it('takes groups of what comes faster for longer, and few of a load', () => {
  const fast = ask(new Budget(), 100, 12).slice(2);
  expect(fast.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(200);
  const load = ask(new Budget(), 1000, 12).slice(2);
  const taken = load.reduce((sum, one) => sum + one, 0);
  expect(taken).toBeGreaterThanOrEqual(40);
  expect(taken).toBeLessThan(0.01 * 1000 * 10);
});

it('takes all again after a load', () => {
  const budget = new Budget();
  ask(budget, 1000, 5);
  vi.advanceTimersByTime(20_000);
  ask(budget, 1, 2);
  expect(ask(budget, 20, 3)).toEqual([20, 20, 20]);
});
