// The comparison with the budget: what is over it fails, what is far under it too, and nothing is left out in silence.
import { describe, expect, it } from 'vitest';
import { compareWithBudget, lowestCounts } from './budget.js';

const tolerances = { bytes: 0.02, modules: 0 };

function compare(budget: number, count: number, kind: 'bytes' | 'modules' = 'bytes'): string[] {
  return compareWithBudget({ start: { [kind]: budget } }, { start: { [kind]: count } }, tolerances);
}

describe('compareWithBudget', () => {
  it('is content with the budget, up to the tolerance over it and twice the tolerance under it', () => {
    for (const count of [1_000, 1_020, 961]) expect(compare(1_000, count)).toEqual([]);
  });

  it('names the row, the count and the budget of what spends more', () => {
    expect(compare(1_000, 1_021)).toEqual([
      'start: bytes is 1021, the budget 1000: 2.1 % over it. Make it cheaper.',
    ]);
  });

  it('asks for a lower budget where much less is spent', () => {
    expect(compare(1_000, 959)).toEqual([
      'start: bytes is 959, the budget 1000: 4.1 % under it. Lower the budget.',
    ]);
  });

  it('takes numbers without tolerance exactly', () => {
    expect(compare(60, 60, 'modules')).toEqual([]);
    expect(compare(60, 61, 'modules')).toHaveLength(1);
    expect(compare(60, 59, 'modules')).toHaveLength(1);
  });

  it('has no budget of nothing at all exceeded unseen', () => {
    expect(compare(0, 0, 'modules')).toEqual([]);
    expect(compare(0, 1, 'modules')).toHaveLength(1);
  });

  it('fails for a row that only one of the two has, and for one that could not be counted', () => {
    expect(compareWithBudget({ start: { bytes: 1 } }, {}, tolerances)).toEqual([
      'start: bytes has a budget of 1 and was not counted',
    ]);
    expect(compareWithBudget({}, { start: { bytes: 1 } }, tolerances)).toEqual([
      'start: bytes is 1 and has no budget',
    ]);
    expect(compare(1, Number.NaN)).toHaveLength(1);
  });

  it('fails for a kind without tolerance', () => {
    expect(compareWithBudget({ a: { x: 1 } }, { a: { x: 1 } }, tolerances)).toEqual([
      'a: x has no tolerance',
    ]);
  });
});

describe('lowestCounts', () => {
  it('takes the lower number of each kind, and keeps rows that were counted once', () => {
    const first = { a: { x: 2, y: 1 }, b: { x: 5 } };
    expect(lowestCounts(first, { a: { x: 1, y: 3 } })).toEqual({ a: { x: 1, y: 1 }, b: { x: 5 } });
  });

  it('does not hide a count that is not a number', () => {
    expect(lowestCounts({ a: { x: 1 } }, { a: { x: Number.NaN } })).toEqual({ a: { x: Number.NaN } });
  });
});
