import { describe, expect, it } from 'vitest';
import { changes, none, types } from '../../conformance/one-procedure.js';
import { parseType } from '../read/parse-type.js';
import type { WireRules, WireType, WireTypes } from '../wire-type.js';
import { contractHash } from './same-type.js';

describe('contractHash', () => {
  it('is 16 digits that do not depend on order or descriptions', () => {
    const one = types('{ a: string; b: 1 | 2 }', 'User | null', { User: '{ id: string; x: 1 }' });
    const other: WireTypes = {
      procedures: {
        p: { ...types('{ b: 2 | 1; a: string }', 'null | User').procedures.p, description: 'P.' } as never,
      },
      named: { User: { ...parseType('{ x: 1; id: string }'), description: 'A user.' } },
    };
    expect(contractHash(one)).toMatch(/^[\da-f]{16}$/);
    expect(contractHash(other)).toBe(contractHash(one));
  });

  it('differs if the types do', () => {
    const base = types('{ a: string }', 'User', { User: '{ id: string }' });
    const all = [
      base,
      none,
      types('{ a?: string }', 'User', { User: '{ id: string }' }),
      types('{ a: string }', 'User', { User: '{ id: number }' }),
      types('{ a: string }', 'User', { User: '{ id: string }' }, 'mutation'),
      types('{ a: Date }', 'User', { User: '{ id: string }' }),
      types('[string]', 'User', { User: '{ id: string }' }),
      types('Array<string>', 'User', { User: '{ id: string }' }),
      types("'string'", 'User', { User: '{ id: string }' }),
    ];
    expect(new Set(all.map(contractHash)).size).toBe(all.length);
  });
});

describe('diffTypes', () => {
  it('finds procedures that were added or removed or changed their kind', () => {
    const one = types('void', 'string');
    expect(changes(none, one)).toEqual(['p: new query']);
    expect(changes(one, none)).toEqual(['!p: the query was removed']);
    expect(changes(one, types('void', 'string', {}, 'mutation'))).toEqual(['!p: was a query, is a mutation']);
    expect(changes(one, one)).toEqual([]);
  });

  it.each<[string, string, string[], string[]]>([
    [
      '{ a: string }',
      '{ a: string; b: number }',
      ['!p.input.b: new required field'],
      ['+p.output.b: new required field'],
    ],
    [
      '{ a: string }',
      '{ a: string; b?: number }',
      ['p.input.b: new optional field'],
      ['+p.output.b: new optional field'],
    ],
    [
      '{ a: string; b: number }',
      '{ a: string }',
      ['!p.input.b: the field was removed'],
      ['!p.output.b: the field was removed'],
    ],
    ['{ a?: string }', '{ a: string }', ['!p.input.a: is required now'], ['p.output.a: is required now']],
    ['{ a: string }', '{ a?: string }', ['p.input.a: is optional now'], ['!p.output.a: is optional now']],
    [
      '{ a: string }',
      '{ a: string | null }',
      ['p.input.a: was string, is string | null'],
      ['!p.output.a: was string, is string | null'],
    ],
    ['string', "'a' | 'b'", ["!p.input: was string, is 'a' | 'b'"], ["p.output: was string, is 'a' | 'b'"]],
    ['string', 'number', ['!p.input: was string, is number'], ['!p.output: was string, is number']],
    ['Array<{ a: 1 }>', 'Array<{ a: 2 }>', ['!p.input[].a: was 1, is 2'], ['!p.output[].a: was 1, is 2']],
    [
      '{ a: 1 } | null',
      '{ a: 1; b?: 2 } | null',
      ['p.input.b: new optional field'],
      ['+p.output.b: new optional field'],
    ],
    [
      'Record<string, string>',
      'Record<string, unknown>',
      ['p.input[key]: was string, is unknown'],
      ['!p.output[key]: was string, is unknown'],
    ],
    [
      '{}',
      'Record<string, string>',
      ['p.input[key]: other keys were added'],
      ['+p.output[key]: other keys were added'],
    ],
    [
      'Record<string, string>',
      '{}',
      ['!p.input[key]: other keys were removed'],
      ['!p.output[key]: other keys were removed'],
    ],
    [
      '[string]',
      '[string, number?]',
      ['p.input: was [string], is [string, number?]'],
      ['!p.output: was [string], is [string, number?]'],
    ],
    ['string', 'Date', ['!p.input: format is "date-time"'], ['p.output: format is "date-time"']],
    [
      'Date',
      'string',
      ['p.input: format was removed, was "date-time"'],
      ['p.output: format was removed, was "date-time"'],
    ],
    [
      '{ a: string; b: number }',
      'Record<string, string | number>',
      [
        'p.input.a: was string, is number | string',
        'p.input.b: was number, is number | string',
        'p.input[key]: other keys were added',
      ],
      [
        '!p.output.a: was string, is number | string',
        '!p.output.a: is one of the other keys now, and may be missing',
        '!p.output.b: was number, is number | string',
        '!p.output.b: is one of the other keys now, and may be missing',
        '+p.output[key]: other keys were added',
      ],
    ],
    [
      '{ a?: string }',
      'Record<string, string>',
      ['p.input[key]: other keys were added'],
      ['+p.output[key]: other keys were added'],
    ],
    ['true | false', 'boolean', [], []],
    ['{ a: 1; b: 2 }', '{ b: 2; a: 1 }', [], []],
  ])('%s to %s', (before, after, input, output) => {
    expect(changes(types(before, 'void'), types(after, 'void'))).toEqual(input);
    expect(changes(types('void', before), types('void', after))).toEqual(output);
  });

  it('resolves names, also recursive ones', () => {
    const before = types('void', 'User | null', { User: '{ id: string; friends: Array<User> }' });
    const after = types('void', 'User | null', {
      User: '{ id: string; secret: string; friends: Array<User> }',
    });
    expect(changes(before, after)).toEqual(['+p.output.secret: new required field']);
    expect(
      changes(before, types('void', 'Person | null', { Person: '{ id: string; friends: Array<Person> }' })),
    ).toEqual([]);
    expect(changes(before, types('void', 'User', { User: '{ id: string; friends: Array<User> }' }))).toEqual([
      'p.output: was User | null, is User',
    ]);
  });

  it.each<[string, WireRules | undefined, WireRules | undefined, string[]]>([
    ['string', undefined, { maxLength: 3 }, ['!maxLength is 3']],
    ['string', { maxLength: 3 }, { maxLength: 5 }, ['maxLength is 5, was 3']],
    ['string', { maxLength: 5 }, { maxLength: 3 }, ['!maxLength is 3, was 5']],
    ['string', { minLength: 3 }, { minLength: 1 }, ['minLength is 1, was 3']],
    ['string', { minLength: 1 }, { minLength: 3 }, ['!minLength is 3, was 1']],
    ['number', { exclusiveMinimum: 0 }, { exclusiveMinimum: 1 }, ['!exclusiveMinimum is 1, was 0']],
    ['number', { multipleOf: 4 }, { multipleOf: 2 }, ['multipleOf is 2, was 4']],
    ['number', { multipleOf: 2 }, { multipleOf: 3 }, ['!multipleOf is 3, was 2']],
    ['string', { minLength: 1, maxLength: 3 }, { minLength: 1, maxLength: 4 }, ['maxLength is 4, was 3']],
    ['string', { pattern: 'a' }, { pattern: 'a|b' }, ['!pattern is "a|b", was "a"']],
    [
      'string',
      { pattern: 'a', maxLength: 1 },
      undefined,
      ['maxLength was removed, was 1', 'pattern was removed, was "a"'],
    ],
  ])('compares the rules of a %s: %j to %j', (kind, before, after, expected) => {
    const of = (rules: WireRules | undefined): WireType => ({
      ...parseType(kind),
      ...(rules && { rules }),
    });
    /** The type itself, as an item of an array, and as a member of a union. */
    const places: [string, (type: WireType) => WireType][] = [
      ['p.input', (type) => type],
      ['p.input[]', (type) => ({ kind: 'array', items: type })],
      ['p.input', (type) => ({ kind: 'union', members: [{ kind: 'null' }, type, { kind: 'boolean' }] })],
    ];
    for (const [path, put] of places) {
      const [old, now] = [before, after].map((rules): WireTypes => {
        const type = put(of(rules));
        return { procedures: { p: { kind: 'query', input: type, output: type } }, named: {} };
      }) as [WireTypes, WireTypes];
      const found = changes(old, now);
      expect(found.filter((one) => one.includes('.input'))).toEqual(
        expected.map((what) => `${what.startsWith('!') ? '!' : ''}${path}: ${what.replace('!', '')}`),
      );
      expect(found.filter((one) => one.startsWith('!p.output'))).toEqual([]);
    }
  });

  it('distinguishes integers from numbers', () => {
    const integer: WireTypes = {
      procedures: { p: { kind: 'query', input: { kind: 'integer' }, output: { kind: 'void' } } },
      named: {},
    };
    expect(changes(integer, types('number', 'void'))).toEqual(['p.input: was integer, is number']);
    expect(changes(types('number', 'void'), integer)).toEqual(['!p.input: was number, is integer']);
  });

  it('remembers that a pair of names is not assignable', () => {
    const names = { A: '{ x: string }', Pair: '[A, 1] | [A, 2]' };
    expect(
      changes(
        types('Pair', 'void', names),
        types('Pair', 'void', { A: '{ x: number }', Pair: '[A, 1] | [A, 2] | [A, 3]' }),
      ),
    ).toEqual(['!p.input: was [A, 1] | [A, 2], is [A, 1] | [A, 2] | [A, 3]']);
  });

  it('does not find procedures in a prototype', () => {
    const odd: WireTypes = {
      procedures: Object.fromEntries([['constructor', types('void', 'void').procedures.p]]) as never,
      named: {},
    };
    expect(changes(none, odd)).toEqual(['constructor: new query']);
  });
});
