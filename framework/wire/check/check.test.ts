import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { type CheckOptions, compileCheck, queryProblem } from './check.js';

const named: NamedTypes = {
  User: parseType('{ id: string; boss?: User | null }'),
  Json: parseType('null | string | number | boolean | Json[] | Record<string, Json>'),
  Loop: parseType('Loop'),
  Pair: parseType('Pair | { a: number } | Twin'),
  Twin: parseType('Pair | string'),
  Mess: parseType('{ next?: Mess; a: 1 } | { next?: Mess; b: 1 } | { next?: Mess; c: 1 }'),
  Tree: parseType('null | { value: number; next: Tree | string }'),
  Chain: {
    kind: 'object',
    fields: [{ name: 'next', type: { kind: 'ref', name: 'Chain' }, isOptional: true }],
  },
};

function run(type: string | WireType, value: unknown, options?: CheckOptions) {
  return compileCheck(typeof type === 'string' ? parseType(type) : type, named, options)(value);
}

/** `path: message` of each issue. */
function issues(type: string | WireType, value: unknown, options?: CheckOptions): string[] {
  const result = run(type, value, options);
  if ('value' in result) throw new Error(`accepted as ${JSON.stringify(result.value)}`);
  return result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('compileCheck', () => {
  it('copies the fields of the type, and drops all others', () => {
    const input = { a: 1, b: [{ c: 'x', d: 2 }], e: 3 };
    const result = run('{ a: number; b: Array<{ c: string }> }', input);
    expect(result).toEqual({ value: { a: 1, b: [{ c: 'x' }] } });
    expect(input.e).toBe(3);
  });

  it('requires a field of type unknown, as the document does', () => {
    expect(issues('{ a: unknown }', {})).toEqual(['a: expected any value, got nothing']);
    expect(issues('Array<{ a: unknown; b: number }>', [{ b: 'x' }])).toEqual([
      '0.a: expected any value, got nothing',
      '0.b: expected number, got string',
    ]);
    expect(run('{ a: unknown }', { a: null })).toEqual({ value: { a: null } });
    expect(run('{ a?: unknown }', {})).toEqual({ value: {} });
  });

  it.each<[string, unknown, string]>([
    ['number', '1', ': expected number, got string'],
    ['number', Number.NaN, ': expected number, got NaN'],
    ['number', Number.POSITIVE_INFINITY, ': expected number, got Infinity'],
    ['string', null, ': expected string, got null'],
    ['boolean', {}, ': expected boolean, got object'],
    ['null', undefined, ': expected null, got nothing'],
    ['{ a: string }', [], ': expected object, got array'],
    ['{ a: string }', {}, 'a: expected string, got nothing'],
    ['{ a?: string }', { a: null }, 'a: expected string, got null'],
    ['Array<{ a: number }>', [{ a: 1 }, { a: 'x' }], '1.a: expected number, got string'],
    ['[string, number?]', [], ': expected 1 to 2 items, got 0'],
    ['[string]', ['a', 'b'], ': expected 1 items, got 2'],
    ['[string, ...Array<number>]', ['a', 1, 'b'], '2: expected number, got string'],
    ['Record<string, number>', { a: 'x' }, 'a: expected number, got string'],
    ["'a' | 'b'", 'c', ': expected "a" or "b", got "c"'],
    ["'a' | 'b'", 'c'.repeat(1000), `: expected "a" or "b", got "${'c'.repeat(40)}…"`],
    ["'a' | 1 | string[]", 5, ': expected "a", 1 or array, got 5'],
    ['string | null', 5, ': expected string or null, got number'],
    ['User | null', { id: 5 }, 'id: expected string, got number'],
    ["{ k: 'a'; x: number } | { k: 'b' }", { k: 'a' }, 'x: expected number, got nothing'],
    ["{ k: 'a'; x: number } | { k: 'b' }", { k: 'c' }, 'k: expected "a" or "b", got "c"'],
    ['{ a: number } | { b: number }', { c: 1 }, ': expected object, got object that is none of them'],
    ['never', 1, ': expected no value, got number'],
    ['Pair', 1, ': expected object or string, got number'],
  ])('%s of %j', (type, value, message) => expect(issues(type, value)).toEqual([message]));

  it.each<[string, unknown]>([
    ["'a' | 1 | true | null", true],
    ['{ a: number } | { b: number }', { b: 1 }],
    ['string | Array<string>', ['a']],
    ['string | undefined', undefined],
    ['void', undefined],
    ['[string, ...Array<number>]', ['a', 1, 2]],
    ['Json', { a: [1, { b: null }] }],
    ['{ [key: string]: unknown }', { a: { b: 1 } }],
    ["{ k?: 'a'; x: number } | { k: 'b'; y: number }", { x: 1 }],
    ["{ k?: 'a'; x: number } | { k: 'b'; y: number }", { k: 'a', x: 1 }],
    ["{ k?: 'a'; x: number } | { k: 'b'; y: number }", { k: 'b', y: 1 }],
    ['Pair', { a: 1 }],
    ['Twin', 'text'],
    ['Array<Pair | null>', [{ a: 1 }, 'text', null]],
  ])('%s accepts %j', (type, value) => expect(run(type, value)).toEqual({ value }));

  it('uses the matching member with the most fields, in any order of a union', () => {
    const members = ['{ a: string }', '{ a: string; b: number }', '{ a: string; b: number; c?: boolean }'];
    const value = { a: 'x', b: 1, c: true, d: 0 };
    for (const order of [members, members.toReversed()]) {
      expect(run(order.join(' | '), value)).toEqual({ value: { a: 'x', b: 1, c: true } });
      expect(run(order.join(' | '), { a: 'x' })).toEqual({ value: { a: 'x' } });
    }
    for (const type of [
      '{ a: string } | Record<string, unknown>',
      'Record<string, unknown> | { a: string }',
    ]) {
      expect(run(type, value)).toEqual({ value });
    }
  });

  it('reports every invalid field, but not more than 20', () => {
    expect(issues('{ a: string; b: number; c?: boolean }', { b: 'x', c: 1 })).toEqual([
      'a: expected string, got nothing',
      'b: expected number, got string',
      'c: expected boolean, got number',
    ]);
    expect(
      issues(
        'Array<number>',
        Array.from({ length: 100_000 }, () => 'x'),
      ),
    ).toHaveLength(20);
  });

  it('limits the depth of typed values, and not that of unknown', () => {
    const deep = JSON.parse(`${'{"next":'.repeat(5000)}{}${'}'.repeat(5000)}`);
    const [issue] = issues({ kind: 'ref', name: 'Chain' }, deep);
    expect(issue).toContain('nested deeper than 200 levels');
    const list = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(issues('Json', list)).toHaveLength(1);
    expect('value' in run('unknown', list)).toBe(true);
  });

  it('tries each member of nested unions once', () => {
    let value: unknown = { d: 1 };
    for (let depth = 0; depth < 150; depth++) value = { next: value, c: 1 };
    expect(issues({ kind: 'ref', name: 'Mess' }, value)).toHaveLength(1);
    let good: unknown = { c: 1 };
    for (let depth = 0; depth < 150; depth++) good = { next: good, c: 1 };
    expect(run({ kind: 'ref', name: 'Mess' }, good)).toEqual({ value: good });
  });

  it('accepts a recursive type that is a member of another union', () => {
    const value = { value: 1, next: { value: 2, next: { value: 3, next: 'end' } } };
    expect(run('Tree', value)).toEqual({ value });
    expect(run('Tree | boolean', value)).toEqual({ value });
    expect(issues('Tree', { value: 1, next: { value: 'x', next: null } })).toEqual([
      'next.value: expected number, got string',
    ]);
  });

  it('copies __proto__ as a key, and reads no inherited properties', () => {
    const polluted = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":"x"}');
    const dropped = run('{ isAdmin?: boolean }', polluted);
    expect(dropped).toEqual({ value: {} });
    const kept = run('Record<string, unknown>', polluted);
    if ('issues' in kept) throw new Error('refused');
    const value = kept.value as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.isAdmin).toBeUndefined();
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(JSON.stringify(run('{ __proto__: { isAdmin: boolean } }', polluted))).toBe(
      '{"value":{"__proto__":{"isAdmin":true}}}',
    );
    expect(issues('{ constructor: string; toString: string; __proto__: string }', {})).toHaveLength(3);
    expect(issues("{ constructor: 'a'; x: 1 } | { constructor: 'b' }", {})).toEqual([
      'constructor: expected "a" or "b", got nothing',
    ]);
  });

  it('refuses undefined names', () => {
    expect(() => run('Nobody', 1)).toThrow("the type 'Nobody' is not defined");
    expect(() => run('toString | null', 1)).toThrow("the type 'toString' is not defined");
    expect(() => run('Loop', 1)).toThrow("the type 'Loop' is not defined");
    expect(() => run({ kind: 'string', rules: { pattern: '(' } }, '')).toThrow(SyntaxError);
  });

  it.each<[WireType, unknown, string]>([
    [{ kind: 'string', rules: { minLength: 2 } }, '💚', ': expected at least 2 characters'],
    [{ kind: 'string', rules: { maxLength: 2 } }, 'abc', ': expected at most 2 characters'],
    [{ kind: 'string', rules: { pattern: '^\\d+$' } }, 'x', ': expected a string that matches ^\\d+$'],
    [{ kind: 'string', rules: { format: 'email' } }, 'x', ': expected a string of format email'],
    [{ kind: 'number', rules: { minimum: 1 } }, 0, ': expected at least 1'],
    [{ kind: 'integer', rules: { multipleOf: 5 } }, 7, ': expected a multiple of 5'],
    [
      { kind: 'array', items: { kind: 'unknown' }, rules: { uniqueItems: true } },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ': expected items that differ',
    ],
    [
      { kind: 'object', fields: [], values: { kind: 'number' }, rules: { propertyNames: { pattern: '^x' } } },
      { y: 1 },
      'y: the key does not match ^x',
    ],
    [
      { kind: 'object', fields: [], values: { kind: 'number' }, rules: { minProperties: 1 } },
      {},
      ': expected at least 1 keys',
    ],
  ])('rules: %j', (type, value, message) => expect(issues(type, value)).toEqual([message]));
});

describe('with the strings of a query', () => {
  const type =
    "{ n?: number; b?: boolean; l?: Array<number>; s?: string; u?: 'a' | 5 | null; m?: string | Array<string>; t?: [string, number] }";
  const coerce = { coerce: true };

  it.each<[Record<string, unknown>, unknown]>([
    [
      { n: ['1.5e3'], b: ['false'], s: ['7'] },
      { n: 1500, b: false, s: '7' },
    ],
    [
      { n: '1', l: '2' },
      { n: 1, l: [2] },
    ],
    [{ l: ['1', '2'] }, { l: [1, 2] }],
    [{ u: ['5'] }, { u: 5 }],
    [{ u: ['a'] }, { u: 'a' }],
    [{ u: [''] }, { u: null }],
    [{ m: ['x'] }, { m: 'x' }],
    [{ m: ['x', 'y'] }, { m: ['x', 'y'] }],
    [{ t: ['x', '2'], other: ['1'] }, { t: ['x', 2] }],
  ])('%j', (query, value) => expect(run(type, query, coerce)).toEqual({ value }));

  it.each<[Record<string, unknown>, string]>([
    [{ n: ['0x10'] }, 'n: expected number, got string'],
    [{ n: ['Infinity'] }, 'n: expected number, got string'],
    [{ n: [''] }, 'n: expected number, got string'],
    [{ n: ['1', '2'] }, 'n: expected number, got array'],
    [{ b: ['1'] }, 'b: expected boolean, got string'],
    [{ l: ['x'] }, 'l.0: expected number, got string'],
  ])('refuses %j', (query, message) => expect(issues(type, query, coerce)).toEqual([message]));

  it('makes an empty array of an absent required one, and converts the values of records', () => {
    expect(run('{ ids: Array<string> }', {}, coerce)).toEqual({ value: { ids: [] } });
    expect(run('Record<string, number>', { a: ['1'] }, coerce)).toEqual({ value: { a: 1 } });
  });

  it('makes null of an absent required field that may be null', () => {
    const nullable = '{ n: number | null; s: string | null; o?: number | null }';
    expect(run(nullable, {}, coerce)).toEqual({ value: { n: null, s: null } });
    expect(run(nullable, { n: ['1'], s: [''] }, coerce)).toEqual({ value: { n: 1, s: '' } });
    expect(issues('{ ids: Array<string> | null }', {}, coerce)).toHaveLength(1);
  });

  it('accepts unions of objects', () => {
    const union = "{ by: 'id'; id: number } | { by: 'name'; name: string }";
    expect(run(union, { by: ['id'], id: ['1'] }, coerce)).toEqual({ value: { by: 'id', id: 1 } });
  });

  it('accepts unions that contain themselves', () => {
    expect(run('Pair | { b: boolean }', { a: ['1'], b: ['true'] }, coerce)).toEqual({ value: { a: 1 } });
    expect(run('{ p: Array<Pair> }', { p: ['x', 'y'] }, coerce)).toEqual({ value: { p: ['x', 'y'] } });
  });

  it('copies __proto__ as a key', () => {
    const result = run('Record<string, string>', JSON.parse('{"__proto__":["x"]}'), coerce);
    expect(JSON.stringify(result)).toBe('{"value":{"__proto__":"x"}}');
  });
});

describe('queryProblem', () => {
  it.each([
    'void',
    'unknown',
    type('a?: Array<number>'),
    type("a: 'x' | null; b: [string, number?]"),
    'Record<string, string>',
    `${type('a: string')} | undefined`,
  ])('is undefined for %s', (text) => expect(queryProblem(parseType(text), named)).toBeUndefined());

  it.each([
    [
      type('a: { b: string }'),
      "the field 'a' is an object, which a query cannot hold; make it a mutation, or give it flat fields",
    ],
    [type('a?: User | null'), "the field 'a' is an object"],
    [type('a: Array<{ b: string }>'), "the field 'a' is an object"],
    [type('a: Array<Array<string>>'), "the field 'a' is a list of lists"],
    [type('a: Json'), "the field 'a' is"],
    ['Record<string, Array<User>>', 'its values are an object'],
    ['User', "the field 'boss' is an object"],
    ['string', 'an input that is string has no names for a query'],
    ['Array<string>', 'an input that is array has no names'],
  ])('%s', (text, problem) => expect(queryProblem(parseType(text), named)).toContain(problem));

  function type(fields: string): string {
    return `{ ${fields} }`;
  }
});
