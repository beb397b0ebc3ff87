import { describe, expect, it } from 'vitest';
import { interleave, median, slope } from './measure.js';

describe('median', () => {
  it.each([
    [[3, 1, 2], 2],
    [[10, 9, 1, 2], 5.5],
    [[7], 7],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('leaves the list as it is, and is NaN of none', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
    expect(median([])).toBeNaN();
  });
});

describe('slope', () => {
  it('is that of the line, wherever it is', () => {
    expect(slope([0, 1, 2], [5, 7, 9])).toBe(2);
    expect(slope([1_000, 1_010, 1_020], [3, 3, 3])).toBe(0);
    expect(slope([1, 2, 3], [9, 6, 3])).toBe(-3);
  });

  it('is that of the least squares between points beside the line', () => {
    // By hand: the means are 2 and 3, the sums of products 4 and of squares 10.
    expect(slope([0, 1, 2, 3, 4], [2, 3, 3, 4, 3])).toBeCloseTo(0.3);
  });
});

describe('interleave', () => {
  it('runs the contenders in turn, and drops the warm rounds', async () => {
    const runs: string[] = [];
    const results = await interleave(['a', 'b'], 2, async (name) => `${name}${runs.push(name)}`);
    expect(runs.join('')).toBe('ababab');
    expect([...results]).toEqual([
      ['a', ['a3', 'a5']],
      ['b', ['b4', 'b6']],
    ]);
  });
});
