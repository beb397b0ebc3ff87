import { describe, expect, it } from 'vitest';
import type { WireRules } from '../wire-type.js';
import { compileRules } from './check-rules.js';

/** An array in arrays, with this number of levels. */
function nest(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

const items = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const record = (count: number): object => Object.fromEntries(items(count).map((key) => [`k${key}`, key]));

/** Values to which no rule for strings, numbers, arrays or records applies. */
const others = {
  text: [null, undefined, true, 0, 1e9, [], ['a'], {}],
  number: [null, undefined, true, '', 'text', [], {}],
  list: [null, undefined, true, 0, '', 'text', {}, { length: 9 }],
  record: [null, undefined, true, 0, '', 'text', [], ['a', 'b', 'c', 'd']],
};

describe('compileRules', () => {
  it.each<[WireRules, readonly unknown[], readonly unknown[], string, keyof typeof others]>([
    [{ minLength: 2 }, ['ab', '💚a', '\uffffa'], ['', 'a', '💚'], 'at least 2 characters', 'text'],
    [
      { maxLength: 2 },
      ['', 'ab', '💚💚', 'a💚'],
      ['abc', '💚💚💚', '\uffffab'],
      'at most 2 characters',
      'text',
    ],
    [{ maxLength: 0 }, [''], ['a'], 'at most 0 characters', 'text'],
    [{ pattern: '^a.c$' }, ['abc', 'a💚c'], ['abbc', 'xabc'], 'a string that matches ^a.c$', 'text'],
    [{ pattern: '^\\-$' }, ['-'], ['a'], 'a string that matches ^\\-$', 'text'],
    [{ format: 'date' }, ['2026-01-31'], ['2026-02-31'], 'a string of format date', 'text'],
    [{ minimum: 2 }, [2, 2.5, Number.POSITIVE_INFINITY], [1.9, -3], 'at least 2', 'number'],
    [{ maximum: 2 }, [2, 1, -3], [2.1, 3], 'at most 2', 'number'],
    [{ exclusiveMinimum: 2 }, [2.1, 3], [2, 1], 'more than 2', 'number'],
    [{ exclusiveMaximum: 2 }, [1.9, -1], [2, 3], 'less than 2', 'number'],
    [{ multipleOf: 5 }, [0, 5, -10], [1, 7.5], 'a multiple of 5', 'number'],
    [{ minItems: 2 }, [items(2), items(3)], [[], items(1)], 'at least 2 items', 'list'],
    [{ maxItems: 2 }, [[], items(2)], [items(3)], 'at most 2 items', 'list'],
    [
      { uniqueItems: true },
      [[], [1, '1', [1], { a: 1 }, null, true], [{ a: 1 }, { a: 2 }]],
      [
        [1, 2, 1],
        [null, null],
        [{ a: 1, b: [2] }, 5, { b: [2], a: 1 }],
      ],
      'items that differ',
      'list',
    ],
    [{ minProperties: 2 }, [record(2), record(3)], [{}, record(1)], 'at least 2 keys', 'record'],
    [{ maxProperties: 2 }, [{}, record(2)], [record(3)], 'at most 2 keys', 'record'],
  ])('%j accepts and refuses values, and ignores other kinds', (rules, good, bad, wanted, kind) => {
    const rule = compileRules(rules);
    if (rule === undefined) throw new Error('no rule');
    for (const value of [...good, ...others[kind]]) expect([value, rule(value)]).toEqual([value, undefined]);
    for (const value of bad) expect([value, rule(value)]).toEqual([value, `expected ${wanted}`]);
  });

  it.each<WireRules>([
    {},
    { title: 'A title.', contentEncoding: 'base64' },
    { minLength: null },
    { format: 'currency' },
    { format: 'toString' },
    { format: ['date'] },
    { uniqueItems: false },
    { uniqueItems: 'yes' },
    { allOf: [] },
    { allOf: { minLength: 2 } },
    { allOf: [{ title: 'A title.' }, {}] },
  ])('%j has no rules to check', (rules) => {
    expect(compileRules(rules)).toBeUndefined();
  });

  it('checks several rules, and reports the first that is violated', () => {
    const rule = compileRules({
      pattern: 'a',
      maxLength: 3,
      allOf: [{ title: 'A title.' }, { pattern: 'b' }, { pattern: 'c', minLength: 2 }],
    });
    expect(['abc', 'cab', 5].map((value) => rule?.(value))).toEqual([undefined, undefined, undefined]);
    expect(['xxxx', 'xbc', 'axc', 'ab', 'c'].map((value) => rule?.(value))).toEqual([
      'expected at most 3 characters',
      'expected a string that matches a',
      'expected a string that matches b',
      'expected a string that matches c',
      'expected a string that matches a',
    ]);
  });

  it('compares items with up to 200 levels; deeper ones count as different', () => {
    const rule = compileRules({ uniqueItems: true });
    const pair = (levels: number) => [nest(levels), nest(levels)];
    expect(rule?.(pair(201))).toBe('expected items that differ');
    expect(rule?.(pair(202))).toBeUndefined();
    expect(rule?.(pair(5000))).toBeUndefined();
    expect(rule?.([{ a: 1, b: nest(300) }, { a: 1, b: nest(300) }, 1])).toBeUndefined();
    expect(rule?.([...pair(300), 1, 1])).toBe('expected items that differ');
  });

  it('throws for a pattern that is not a regular expression', () => {
    expect(() => compileRules({ pattern: '(' })).toThrow(SyntaxError);
  });
});
