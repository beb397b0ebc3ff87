// Values that are made of types: valid ones are, nearly valid ones mostly are not, and recursive types end.
import { sample } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOf } from '../../api-model/type-space.js';
import type { WireType } from '../../wire/wire-type.js';
import { undeclaredFields } from './undeclared-fields.js';
import { Values } from './values.js';

const tree: WireType = {
  kind: 'object',
  fields: [
    { name: 'name', type: { kind: 'string', rules: { minLength: 1, maxLength: 5 } }, isOptional: false },
    { name: 'children', type: { kind: 'array', items: { kind: 'ref', name: 'Tree' } }, isOptional: true },
  ],
};
const lookup = (name: string): WireType | undefined => (name === 'Tree' ? tree : undefined);
const values = new Values(lookup, (name) => (name === 'listId' ? ['known'] : []));

const types: readonly (readonly [string, WireType])[] = [
  ['a text with limits', { kind: 'string', rules: { minLength: 2, maxLength: 3 } }],
  ['a text that must be long', { kind: 'string', rules: { minLength: 300 } }],
  [
    'a pattern that forbids characters',
    { kind: 'string', rules: { pattern: '^[^\\p{C}]*$', maxLength: 50 } },
  ],
  ['a pattern that says what each is', { kind: 'string', rules: { pattern: '^[A-Z]{3}-\\d{4}$' } }],
  ...(['uuid', 'email', 'date', 'date-time', 'time', 'uri', 'ipv4'] as const).map(
    (format) => [`a text of format ${format}`, { kind: 'string', rules: { format } }] as const,
  ),
  ['an integer with limits', { kind: 'integer', rules: { minimum: 3, maximum: 5 } }],
  ['a number above', { kind: 'number', rules: { exclusiveMinimum: 0, maximum: 1 } }],
  ['a multiple', { kind: 'integer', rules: { multipleOf: 5, minimum: 0 } }],
  ['a large number', { kind: 'integer', rules: { minimum: 10_000_000 } }],
  ['a list with limits', { kind: 'array', items: { kind: 'boolean' }, rules: { minItems: 6, maxItems: 8 } }],
  ['items that differ', { kind: 'array', items: { kind: 'integer' }, rules: { uniqueItems: true } }],
  [
    'a tuple',
    { kind: 'tuple', items: [{ kind: 'string' }, { kind: 'null' }], required: 1, rest: { kind: 'boolean' } },
  ],
  ['a record', { kind: 'object', fields: [], values: { kind: 'number' } }],
  ['a union', { kind: 'union', members: [{ kind: 'literal', value: 'a' }, { kind: 'number' }, tree] }],
  ['a recursive type', { kind: 'ref', name: 'Tree' }],
];

describe('Values', () => {
  it.each(types)('makes %s', (_what, type) => {
    const check = checkOf(type, lookup);
    const made = sample(values.valid(type), { numRuns: 200, seed: 1 });
    expect(made.filter((value) => check(value).length > 0)).toEqual([]);
    const nearly = sample(values.nearlyValid(type), { numRuns: 200, seed: 1 });
    expect(nearly.filter((value) => check(value).length > 0).length).toBeGreaterThan(50);
  });

  it('makes both ends of each limit', () => {
    const lengths = sample(values.valid({ kind: 'string', rules: { minLength: 2, maxLength: 30 } }), 300).map(
      (text) => [...String(text)].length,
    );
    expect(lengths).toEqual(expect.arrayContaining([2, 30]));
    const numbers = sample(values.valid({ kind: 'integer', rules: { minimum: -7, maximum: 900 } }), 300);
    expect(numbers).toEqual(expect.arrayContaining([-7, 900, 0]));
  });

  it('uses what is known of a field, examples and defaults', () => {
    expect(sample(values.valid({ kind: 'string' }, 'listId'), 50)).toContain('known');
    const noted: WireType = { kind: 'string', notes: { examples: ['one'], default: 'two' } };
    expect(sample(values.valid(noted), 100)).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('makes fields that are called like those of every object', () => {
    const type: WireType = {
      kind: 'object',
      fields: [{ name: '__proto__', type: { kind: 'integer' }, isOptional: false }],
    };
    for (const value of sample(values.valid(type), 20))
      expect(Object.keys(value as object)).toEqual(['__proto__']);
  });
});

describe('undeclaredFields', () => {
  it.each<[WireType, unknown, string[]]>([
    [tree, { name: 'a', children: [{ name: 'b', hash: 1 }] }, ['children.0.hash']],
    [{ kind: 'array', items: tree }, [{ name: 'a' }, { id: 1, name: 'b' }], ['1.id']],
    [{ kind: 'tuple', items: [tree], rest: tree }, [{ name: 'a' }, { x: 1 }], ['1.x']],
    [{ kind: 'union', members: [{ kind: 'null' }, tree] }, { name: 'a', x: 1 }, ['x']],
    [
      { kind: 'union', members: [tree, { kind: 'object', fields: [], values: { kind: 'unknown' } }] },
      { x: 1 },
      [],
    ],
    [{ kind: 'object', fields: [], values: tree }, { a: { y: 1 } }, ['a.y']],
    [{ kind: 'object', fields: [], rules: { additionalProperties: true } }, { a: 1 }, []],
    [{ kind: 'unknown' }, { a: 1 }, []],
    [tree, null, []],
  ])('of %j in %j are %j', (type, value, paths) => {
    expect(undeclaredFields(type, lookup, value)).toEqual(paths);
  });
});
