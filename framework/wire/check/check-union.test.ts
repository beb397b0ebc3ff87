import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { compileCheck } from './check.js';

const named: NamedTypes = {
  One: parseType("'one'"),
  Two: parseType("'two'"),
  Any: parseType('unknown'),
  User: parseType('{ id: string }'),
  Names: parseType('Array<string>'),
};

const ref = (name: string): WireType => ({ kind: 'ref', name });
const union = (...members: WireType[]): WireType => ({ kind: 'union', members });

function run(type: string | WireType, value: unknown) {
  return compileCheck(typeof type === 'string' ? parseType(type) : type, named)(value);
}

function messages(type: string | WireType, value: unknown): string[] {
  const result = run(type, value);
  if ('value' in result) throw new Error(`accepted as ${JSON.stringify(result.value)}`);
  return result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the validation of unions', () => {
  it.each<[string | WireType, unknown]>([
    ['boolean | string', true],
    ['boolean | string', 'text'],
    [union({ kind: 'integer' }, { kind: 'string' }), 5],
    ['[string, number] | string', ['a', 1]],
    ['Array<string> | null', ['a']],
    ['Names | null', ['a']],
    ['One | null', 'one'],
    ['{ a: One | Two }', { a: 'two' }],
    ["One | 'three'", 'three'],
    [union(ref('Any'), { kind: 'null' }), [1, { a: 'b' }]],
    [union(ref('User'), ref('Any')), { id: 5, other: true }],
    [union(ref('Any'), ref('User')), { id: 'x', other: true }],
  ])('%j accepts %j', (type, value) => expect(run(type, value)).toEqual({ value }));

  it('accepts null as undefined, as JSON represents it, unless null is a member', () => {
    expect(run('string | undefined', null)).toStrictEqual({ value: undefined });
    expect(run('string | undefined | null', null)).toStrictEqual({ value: null });
    expect(run('string | undefined | null', undefined)).toStrictEqual({ value: undefined });
  });

  it.each<[string | WireType, unknown, string]>([
    ['string | undefined', 5, ': expected string or nothing, got number'],
    ['string | number', null, ': expected string or number, got null'],
    ['{ a: number } | string', Symbol('s'), ': expected object or string, got symbol'],
    ["'a' | 'b'", true, ': expected "a" or "b", got true'],
    ['[string] | null', 5, ': expected array or null, got number'],
    ['[string] | Array<number>', 5, ': expected array, got number'],
    ['User | Names', 5, ': expected User or Names, got number'],
    ['One | null', 'two', ': expected "one" or null, got "two"'],
    [union({ kind: 'integer' }, { kind: 'string' }), 1.5, ': expected integer, got 1.5'],
    ['[string, number] | string', ['a'], ': expected 2 items, got 1'],
    ['1 | 2 | 3 | 4 | 5 | 6 | 7 | 8', 0, ': expected 1, 2, 3, 4, 5, 6, 7 or 8, got 0'],
    [
      '1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10',
      0,
      ': expected 1, 2, 3, 4, 5, 6, 7, 8 or one of 2 more, got 0',
    ],
  ])('%j reports what is wrong with %j', (type, value, message) => {
    expect(messages(type, value)).toEqual([message]);
  });

  it('keeps the fields of the matching member with the most required fields, then with the most fields', () => {
    const value = { a: 1, b: 2, c: 3, d: 4 };
    const cases: [string, string, object][] = [
      ['{ a: number; b?: number; c?: number; d?: number }', '{ a: number; b: number }', { a: 1, b: 2 }],
      ['{ a: number }', '{ a: number; b?: number }', { a: 1, b: 2 }],
      ['{ a: number; b?: number }', '{ b: number; c?: number; d?: number }', { b: 2, c: 3, d: 4 }],
    ];
    for (const [one, other, kept] of cases) {
      expect(run(`${one} | ${other}`, value)).toEqual({ value: kept });
      expect(run(`${other} | ${one}`, value)).toEqual({ value: kept });
    }
  });
});
