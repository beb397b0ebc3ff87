import { describe, expect, it } from 'vitest';
import { exampleOf, initialOf } from '../wire/made-value.js';
import { parseType } from '../wire/read/parse-type.js';
import type { WireType } from '../wire/wire-type.js';
import { readJson } from './json-text.js';
import { checkOf, lookupOf } from './type-space.js';
import { valueAtPath, withAt, withItem, withKey } from './value-path.js';

const named: Record<string, WireType> = {
  Tree: parseType('{ value: string; children: Array<Tree>; next?: Tree }'),
  Never: {
    kind: 'object',
    fields: [{ name: 'again', type: { kind: 'ref', name: 'Never' }, isOptional: false }],
  },
};
const lookup = lookupOf(named);

describe('values of a type', () => {
  it.each<[WireType, unknown, unknown]>([
    [parseType('{ a: number; b?: boolean }'), { a: 1, b: true }, {}],
    [parseType('{ a: "x" | "y"; b: string | null }'), { a: 'x', b: 'text' }, { a: 'x', b: null }],
    [parseType('Tree'), { value: 'text', children: [] }, { value: '', children: [] }],
    [parseType('Record<string, number>'), { key: 1 }, {}],
    [parseType('[string, number?]'), ['text', 1], ['']],
    [{ kind: 'string', rules: { format: 'date-time' } }, '2026-01-31T12:00:00Z', ''],
    [{ kind: 'string', rules: { minLength: 10, maxLength: 10 } }, 'text text ', ''],
    [{ kind: 'integer', notes: { default: 7 } }, 7, 7],
    [{ kind: 'string', notes: { examples: ['blue'] } }, 'blue', 'blue'],
    [{ kind: 'ref', name: 'Never' }, {}, {}],
  ])('of %j', (type, example, initial) => {
    expect(exampleOf(type, lookup)).toEqual(example);
    expect(initialOf(type, lookup)).toEqual(initial);
  });

  it('are accepted by their check', () => {
    const type = parseType('{ a: Array<{ b: Date }>; c: Tree; d: 1 | 2 }');
    expect(checkOf(type, lookup)(exampleOf(type, lookup))).toEqual([]);
  });
});

describe('changes in a value', () => {
  it('leave out, remove, add and rename', () => {
    const file = new File(['x'], 'x.txt');
    const value = { a: [1, 2, 3], b: { c: file } };
    expect(withAt(value, ['a', 1], undefined)).toEqual({ a: [1, 3], b: { c: file } });
    expect(withAt(value, ['b'], undefined)).toEqual({ a: [1, 2, 3] });
    expect(withItem(value, ['a'], undefined)).toEqual({ a: [1, 2, 3, undefined], b: { c: file } });
    expect(withItem({}, ['a'], 1)).toEqual({ a: [1] });
    expect((withAt(value, ['d', 'e'], 1) as typeof value).b.c).toBe(file);
    expect(Object.keys(withKey({ a: 1, b: 2 }, 'a', 'z') as object)).toEqual(['z', 'b']);
    expect(withKey({ a: 1, b: 2 }, 'a', 'b')).toEqual({ a: 1, b: 2 });
    expect(Object.hasOwn(withAt({}, ['__proto__'], 1) as object, '__proto__')).toBe(true);
    expect(valueAtPath(value, ['constructor', 'name'])).toBeUndefined();
    expect(value.a).toEqual([1, 2, 3]);
  });
});

describe('JSON that is typed', () => {
  it.each([
    ['', 'expected a value', 1, 1],
    ['{\n  "a": 1,\n}', 'expected a key in double quotes', 3, 1],
    ['{"a" 1}', "expected ':'", 1, 6],
    ['[1, 2', "expected ',' or ']'", 1, 6],
    ['[1] x', 'expected the end', 1, 5],
    ['{"a": tru}', 'expected a value in JSON', 1, 7],
    ['"a\nb"', 'a line break in a text; write \\n', 1, 3],
    ['"\\x"', 'an unknown escape', 1, 3],
    ['01', 'expected a value in JSON', 1, 1],
  ])('%j is wrong: %s', (text, message, line, column) => {
    expect(readJson(text)).toEqual({ message, line, column });
  });

  it('is read', () => {
    expect(readJson(' {"a": [1e3, "\\u00e9"]} ')).toEqual({ value: { a: [1000, 'é'] } });
    expect(readJson('['.repeat(100_000))).toMatchObject({ message: 'nested too deeply' });
  });
});
