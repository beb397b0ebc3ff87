import { Ajv, type AnySchema } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parseType } from '../wire/read/parse-type.js';
import type { WireType } from '../wire/wire-type.js';
import { toJsonSchema } from './to-json-schema.js';

const string = { type: 'string' };
const number = { type: 'number' };

const samples: [WireType, object][] = (
  [
    ['string', string],
    ['unknown', {}],
    ['void', { type: 'null' }],
    ['null', { type: 'null' }],
    ["'a'", { type: 'string', const: 'a' }],
    ['5', { type: 'number', const: 5 }],
    ['true', { type: 'boolean', const: true }],
    ['User', { $ref: '#/components/schemas/User' }],
    ['$User', { $ref: '#/components/schemas/_User' }],
    ['Array<string>', { type: 'array', items: string }],
    ['[]', { type: 'array', minItems: 0, maxItems: 0 }],
    ['[string, number?]', { type: 'array', items: [string, number], minItems: 1, maxItems: 2 }],
    ['[string, ...Array<number>]', { type: 'array', items: [string], minItems: 1, additionalItems: number }],
    ['[...Array<number>]', { type: 'array', minItems: 0, items: number }],
    ['{}', { type: 'object' }],
    ['{ a?: string }', { type: 'object', properties: { a: string } }],
    [
      '{ b: string; a?: number | undefined; c: string }',
      { type: 'object', properties: { a: number, b: string, c: string }, required: ['b', 'c'] },
    ],
    ['Record<string, number>', { type: 'object', additionalProperties: number }],
    ['never', { not: {} }],
    ['string | number', { anyOf: [number, string] }],
    ['string | null', { anyOf: [{ type: 'null' }, string] }],
  ] as [string, object][]
).map(([text, schema]) => [parseType(text), schema]);

const ruled: [WireType, object][] = [
  [
    { kind: 'string', rules: { minLength: 1 }, description: 'A name.' },
    { type: 'string', minLength: 1, description: 'A name.' },
  ],
  [
    { kind: 'number', rules: { exclusiveMinimum: 0 } },
    { type: 'number', exclusiveMinimum: 0 },
  ],
  [
    { kind: 'null', description: 'Nothing.' },
    { type: 'null', description: 'Nothing.' },
  ],
  [
    { kind: 'ref', name: 'User', description: 'Who.' },
    { description: 'Who.', allOf: [{ $ref: '#/components/schemas/User' }] },
  ],
  [
    { kind: 'ref', name: 'User', rules: { minLength: 1, allOf: [{ pattern: 'a' }] } },
    { minLength: 1, allOf: [{ $ref: '#/components/schemas/User' }, { pattern: 'a' }] },
  ],
  [
    {
      kind: 'object',
      fields: [
        {
          name: 'a',
          type: { kind: 'string', description: 'A type.' },
          isOptional: false,
          description: 'A field.',
        },
        { name: 'b', type: { kind: 'string', description: 'A type.' }, isOptional: true },
        { name: 'c', type: parseType('string | undefined'), isOptional: true },
      ],
    },
    {
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A field.' },
        b: { type: 'string', description: 'A type.' },
        c: string,
      },
      required: ['a'],
    },
  ],
  [{ kind: 'union', members: [{ kind: 'void' }, { kind: 'null' }] }, { type: 'null' }],
];

describe('toJsonSchema', () => {
  it.each([...samples, ...ruled])('of %j is %j', (type, schema) => {
    expect(toJsonSchema(type)).toEqual(schema);
  });

  it.each([...samples, ...ruled])('of %j is valid for draft-07', (type) => {
    expect(new Ajv().validateSchema(toJsonSchema(type) as AnySchema)).toBe(true);
  });

  it('names a property __proto__', () => {
    expect(JSON.stringify(toJsonSchema(parseType('{ __proto__: string }')))).toBe(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
  });

  it('does not depend on the order in which a type was written', () => {
    const texts = ["{ b: 'x' | 5; a: string }", "{ a: string; b: 5 | 'x' }"];
    const [one, other] = texts.map((text) => JSON.stringify(toJsonSchema(parseType(text))));
    expect(one).toBe(other);
  });
});
