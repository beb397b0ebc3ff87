import { describe, expect, it } from 'vitest';
import { canonicalText, shapeText, sortedJson, sortedType } from './canonical.js';
import { parseType } from './read/parse-type.js';
import type { WireRules, WireType } from './wire-type.js';

const ruled = (rules: WireRules): WireType => ({ kind: 'string', rules });
const union = (...members: WireType[]): WireType => ({ kind: 'union', members });

describe('canonicalText', () => {
  it('differs for different types', () => {
    const types = [
      'string',
      "'string'",
      'number',
      '5',
      "'5'",
      'null',
      'void',
      'never',
      'Name',
      'Array<string>',
      '[string]',
      '[string?]',
      '[string, string]',
      '[string, string?]',
      '[string?, string?]',
      '[...Array<string>]',
      '[string, ...Array<string>]',
      '[string, ...Array<number>]',
      '{}',
      '{ a: string }',
      '{ a?: string }',
      '{ a: string; b: string }',
      "{ 'a,b': string }",
      'Record<string, string>',
      'Record<string, number>',
      '{ a: string; [key: string]: string }',
      "{ '*': string }",
      "'a' | 'b'",
      "'a' | 'b' | null",
      'Date',
    ].map((text) => parseType(text));
    const more = [ruled({ maxLength: 1 }), ruled({ maxLength: 2 }), ruled({ minLength: 1 })];
    const all = [...types, ...more];
    expect(new Set(all.map(canonicalText)).size).toBe(all.length);
  });

  it.each<[WireType, WireType]>([
    [parseType('{ a: string; b: 1 | 2 }'), parseType('{ b: 2 | 1; a: string }')],
    [union({ kind: 'null' }, union(ruled({}), { kind: 'null' })), parseType('string | null')],
    [ruled({ minLength: 1, maxLength: 2 }), ruled({ maxLength: 2, minLength: 1 })],
    [{ ...parseType('[string, number]'), required: 2 } as WireType, parseType('[string, number]')],
    [{ ...parseType('string'), description: 'A text.' }, parseType('string')],
  ])('is the same for %j and %j', (one, other) => expect(canonicalText(one)).toBe(canonicalText(other)));

  it('is the same without rules in shapeText, at every depth', () => {
    const of = (type: WireType): WireType[] => [
      type,
      { kind: 'array', items: type },
      { kind: 'tuple', items: [type], rest: type },
      { kind: 'object', fields: [{ name: 'a', type, isOptional: false }], values: type },
      union(type, { kind: 'null' }),
    ];
    const bare = of({ kind: 'string' });
    const narrow = of(ruled({ maxLength: 1 }));
    expect(narrow.map(shapeText)).toEqual(bare.map(canonicalText));
    expect(narrow.map(canonicalText)).not.toEqual(bare.map(canonicalText));
    expect(new Set(bare.map(shapeText)).size).toBe(bare.length);
  });
});

describe('sortedJson', () => {
  it.each<[Parameters<typeof sortedJson>[0], string]>([
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [1.5, '1.5'],
    [true, 'true'],
    [[], '[]'],
    [[3, [1, null], {}], '[3,[1,null],{}]'],
    [{ b: 1, a: { d: null, c: [2] }, '': 3 }, '{"":3,"a":{"c":[2],"d":null},"b":1}'],
    [JSON.parse('{"a":1,"__proto__":2}'), '{"__proto__":2,"a":1}'],
  ])('of %j', (value, text) => expect(sortedJson(value)).toBe(text));
});

describe('sortedType', () => {
  it('sorts fields and members at every depth, and does not change anything else', () => {
    const text = (left: string, right: string) => parseType(`{ x: { ${left}; ${right} } }`);
    for (const put of [
      (type: WireType): WireType => type,
      (type: WireType): WireType => ({ kind: 'array', items: type, rules: { minItems: 1 } }),
      (type: WireType): WireType => ({
        kind: 'tuple',
        items: [type, { kind: 'null' }],
        required: 1,
        rest: type,
      }),
      (type: WireType): WireType => ({ kind: 'tuple', items: [{ kind: 'null' }, type] }),
      (type: WireType): WireType => ({ kind: 'object', fields: [], values: type, description: 'A record.' }),
    ]) {
      const one = put(text("a: 'x' | 'y' | 1", 'b?: string'));
      const other = put(text('b?: string', "a: 1 | 'y' | 'x'"));
      expect(JSON.stringify(sortedType(other))).toBe(JSON.stringify(sortedType(one)));
      expect(canonicalText(sortedType(other))).toBe(canonicalText(other));
      expect(sortedType(one)).toMatchObject({ kind: one.kind });
    }
  });
});
