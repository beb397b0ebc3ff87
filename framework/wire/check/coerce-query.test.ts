import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { compileCoercion } from './coerce-query.js';

const named: NamedTypes = {
  Size: parseType('number | null'),
  Ids: parseType('Array<number>'),
  Page: parseType('{ size: number; ids: Ids }'),
};

function coerced(type: string | WireType, value: unknown): unknown {
  return compileCoercion(typeof type === 'string' ? parseType(type) : type, named)(value);
}

describe('compileCoercion', () => {
  it.each([
    ['number', ['1', '-1.5', '1e3', '0', '1E-2'], [1, -1.5, 1000, 0, 0.01]],
    ['number', ['', ' 1', '01', '1.', '.5', '0x1', 'NaN', 'true', 'null'], undefined],
    ['boolean', ['true', 'false'], [true, false]],
    ['boolean', ['TRUE', '1', '0', '', 'yes', 'null'], undefined],
    ['string', ['1', 'true', '', 'null'], undefined],
    ['unknown', ['1', 'true', '', 'null'], undefined],
    ['number | string', ['1', 'x'], undefined],
    ['number | null', ['1', '', 'null', 'x'], [1, null, null, 'x']],
    ['number | boolean', ['1', 'true', 'x'], [1, true, 'x']],
    ["1 | 'a' | '2'", ['1', 'a', '2', '3'], [1, 'a', '2', '3']],
    ["true | 'a'", ['true', 'false'], [true, 'false']],
    ["false | 'a'", ['true', 'false'], ['true', false]],
    ['null', ['', 'null', 'x'], [null, null, 'x']],
    ['Size', ['1', ''], [1, null]],
    ['Nobody', ['1', ''], undefined],
  ])('converts strings for %s', (type, texts, values) => {
    const made = texts.map((one) => coerced(`{ a: ${type} }`, { a: [one] }) as { a: unknown });
    expect(made.map(({ a }) => a)).toEqual(values ?? texts);
  });

  it.each<[string, readonly string[], unknown]>([
    ['Array<number>', ['1'], [1]],
    ['Array<number>', ['1', 'x'], [1, 'x']],
    ['Array<number> | null', ['1'], [1]],
    ['Array<number> | number', ['1'], 1],
    ['Array<number> | boolean', ['1'], '1'],
    ['Array<number> | number', ['1', '2'], [1, 2]],
    ['Array<Size>', ['', '1'], [null, 1]],
    ['Ids', ['1'], [1]],
    ['[string, number]', ['1', '2'], ['1', 2]],
    ['[number]', ['1'], [1]],
    ['[number] | null', ['1'], [1]],
    ['[number] | string', ['1'], '1'],
    ['[number, number | null]', ['1', ''], [1, null]],
    ['[string, ...Array<number>]', ['1', '2', '3'], ['1', 2, 3]],
    ['[number]', ['1', '2'], [1, '2']],
    ['number', ['1', '2'], ['1', '2']],
    ['number', [], []],
  ])('reads a field of %s from %j', (type, texts, value) => {
    expect(coerced(`{ a: ${type} }`, { a: texts })).toEqual({ a: value });
  });

  it('adds absent arrays and nulls only in an object that is not a member of a union', () => {
    const fields =
      'ids: Ids; list: Array<string>; n: Size; t: [string] | null; m: Array<string> | null; s: string';
    expect(coerced(`{ ${fields} }`, {})).toEqual({ ids: [], list: [], n: null });
    expect(coerced(`{ ${fields} }`, { n: ['1'], ids: ['2'] })).toEqual({ ids: [2], list: [], n: 1 });
    expect(coerced('{ ids?: Ids; n?: Size }', {})).toEqual({});
    expect(coerced(`{ ${fields} } | { x: number }`, { x: ['1'] })).toEqual({ x: 1 });
    expect(coerced('Page', { size: ['5'] })).toEqual({ size: 5, ids: [] });
    const field = { name: 'a', type: { kind: 'union', members: [] }, isOptional: false } as const;
    expect(coerced({ kind: 'object', fields: [field] }, {})).toEqual({});
  });

  it('converts keys that are not fields by the type of the values, if there is one', () => {
    expect(coerced('{ a: string }', { a: ['1'], b: ['1'] })).toEqual({ a: '1', b: ['1'] });
    expect(coerced('{ a: string; [key: string]: unknown }', { b: ['1'] })).toEqual({ b: '1' });
    expect(coerced('Record<string, number>', { a: ['1'] })).toEqual({ a: 1 });
    expect(coerced('Record<string, number> | { a: boolean }', { a: ['true'], b: ['2'] })).toEqual({
      a: true,
      b: 2,
    });
    expect(coerced('{ a: number } | { a: boolean }', { a: ['true'] })).toEqual({ a: true });
  });

  it.each([[null], [undefined], ['text'], [5]])('returns %j, which has no keys, unchanged', (value) => {
    expect(coerced('{ ids: Ids }', value)).toBe(value);
  });

  it('returns values that are not strings unchanged', () => {
    const file = new Blob(['x']);
    expect(coerced('{ a: number; b: Array<number> }', { a: 5, b: ['1', file] })).toEqual({
      a: 5,
      b: ['1', file],
    });
    expect(coerced('{ a: number }', { a: '5' })).toEqual({ a: 5 });
  });
});
