import { expect, it } from 'vitest';
import { parseCompact } from '../read/parse-compact.js';
import type { WireType } from '../wire-type.js';
import { printCompact } from './print-compact.js';

const ref: WireType = { kind: 'ref', name: 'User' };
const two: WireType = { kind: 'union', members: [ref, { kind: 'null' }] };
const field = (name: string, type: WireType, isOptional = false) => ({ name, type, isOptional });

it.each<[string, WireType]>([
  ['unknown', { kind: 'unknown' }],
  ['void', { kind: 'void' }],
  ['never', { kind: 'union', members: [] }],
  ['Date', { kind: 'string', rules: { format: 'date-time' } }],
  ['true', { kind: 'literal', value: true }],
  ['-1.5', { kind: 'literal', value: -1.5 }],
  ['1e+300', { kind: 'literal', value: 1e300 }],
  ["'it\\'s \\\\ \" ]'", { kind: 'literal', value: 'it\'s \\ " ]' }],
  ['User | null', two],
  ['(User | null)[][]', { kind: 'array', items: { kind: 'array', items: two } }],
  ['(User | null) | void', { kind: 'union', members: [two, { kind: 'void' }] }],
  ['[]', { kind: 'tuple', items: [] }],
  ['[User | null, (User | null)?, ...User[]]', { kind: 'tuple', items: [two, two], required: 1, rest: ref }],
  ['{}', { kind: 'object', fields: [] }],
  [
    "{ $a_1?: User, 'Größe': void, '2': {}, '': null, [key: string]: User | null }",
    {
      kind: 'object',
      fields: [
        field('$a_1', ref, true),
        field('Größe', { kind: 'void' }),
        field('2', { kind: 'object', fields: [] }),
        field('', { kind: 'null' }),
      ],
      values: two,
    },
  ],
  [
    '/** a */ { /** *\\/ \\\\ b */ c: /** d */ User[] }',
    {
      kind: 'object',
      description: 'a',
      fields: [
        {
          ...field('c', { kind: 'array', items: ref, description: 'd' }),
          description: '*/ \\ b',
        },
      ],
    },
  ],
  [
    '{ /** f */ g: /* {"default":"*\\/ \\\\"","deprecated":true} */ User | null }',
    {
      kind: 'object',
      fields: [{ ...field('g', { ...two, notes: { default: '*/ "', deprecated: true } }), description: 'f' }],
    },
  ],
  [
    '(/** h */ /* {"examples":[1]} */ User)[]',
    { kind: 'array', items: { ...ref, description: 'h', notes: { examples: [1] } } },
  ],
  ['(/** e */ User)[]', { kind: 'array', items: { ...ref, description: 'e' } }],
])('%s is printed, and read as the same type', (text, type) => {
  expect(printCompact(type)).toBe(text);
  expect(parseCompact(text, (name) => name === 'User')).toEqual(type);
});

it.each([
  ['', 'expected a type at its end'],
  ['1e999', 'expected a type'],
  ["'open", "expected ' after '"],
  ['/** open', 'expected  */ after /**'],
  ['/* a */ null', 'expected annotations as an object of JSON before the type at "null"'],
  ['/* [] */ null', 'expected annotations as an object of JSON'],
  ['/*a*/ null', 'expected /* '],
  ['// a', 'expected /* '],
  ['[null?, null]', 'a required item after an optional one'],
  ['[...null]', "expected an array after '...'"],
  ['[...null[], null]', "expected ']'"],
  ['[null null]', "expected ','"],
  ['{ 1: null }', 'expected the name of a field'],
  ['{ [key: string]: null, [key: string]: null }', 'a second type of values'],
  ['(null', "expected ')'"],
  ['User[0]', "expected ']'"],
  ['(('.repeat(200), 'is nested more than 200 deep'],
])('%j is refused', (text, message) => {
  expect(() => parseCompact(text, (name) => name === 'User')).toThrow(message);
});

it.each<[string, WireType]>([
  ['rules', { kind: 'string', rules: { maxLength: 3 } }],
  ['an integer', { kind: 'integer' }],
])('%s, which are not inferred, are not lost silently', (_, type) => {
  expect(() => printCompact({ kind: 'array', items: type })).toThrow('a contract cannot keep');
});
