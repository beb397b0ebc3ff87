// Schemas of OpenAPI 3.0, case by case; to-openapi.test.ts checks them with validators.
import { describe, expect, it } from 'vitest';
import { parseType } from '../wire/read/parse-type.js';
import type { NamedTypes, WireType } from '../wire/wire-type.js';
import { type OpenApiSchema, toOpenApi } from './to-openapi.js';

const named: NamedTypes = {
  User: parseType('{ id: string }'),
  Cat: parseType("{ kind: 'cat' }"),
  Dog: parseType("{ kind: 'dog' | 'wolf' }"),
  Any: { kind: 'unknown' },
  One: parseType('{ n: 1 }'),
  Two: parseType('{ n: 2 }'),
};

const samples: [string | WireType, OpenApiSchema][] = [
  ['void', { type: 'string', nullable: true, enum: [null] }],
  ['string | undefined', { type: 'string' }],
  ['null | undefined', { type: 'string', nullable: true, enum: [null] }],
  [
    'User | string | null',
    {
      anyOf: [
        { $ref: '#/components/schemas/User' },
        { type: 'string' },
        { type: 'string', nullable: true, enum: [null] },
      ],
    },
  ],
  [
    { kind: 'union', members: [{ kind: 'ref', name: 'Any' }, { kind: 'null' }] },
    {
      anyOf: [{ $ref: '#/components/schemas/Any' }, { type: 'string', nullable: true, enum: [null] }],
    },
  ],
  [{ kind: 'union', members: [{ kind: 'unknown' }, { kind: 'null' }] }, {}],
  [
    { kind: 'union', members: [{ kind: 'string' }, { kind: 'string', description: 'A.' }] },
    {
      anyOf: [{ type: 'string', description: 'A.' }, { type: 'string' }],
    },
  ],
  ['[unknown, string]', { type: 'array', items: {}, minItems: 2, maxItems: 2 }],
  ['[string, string]', { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 }],
  [
    "'b' | 'a' | 2 | 1",
    {
      anyOf: [
        { type: 'number', enum: [1, 2] },
        { type: 'string', enum: ['a', 'b'] },
      ],
    },
  ],
  [
    "Cat | { kind: 'x' }",
    {
      anyOf: [
        { $ref: '#/components/schemas/Cat' },
        { type: 'object', properties: { kind: { type: 'string', enum: ['x'] } }, required: ['kind'] },
      ],
    },
  ],
  [
    "Cat | Dog | { kind: 'x' }",
    {
      anyOf: [
        { $ref: '#/components/schemas/Cat' },
        { $ref: '#/components/schemas/Dog' },
        { type: 'object', properties: { kind: { type: 'string', enum: ['x'] } }, required: ['kind'] },
      ],
    },
  ],
  ['Cat | User', { anyOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/User' }] }],
  ['One | Two', { anyOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Two' }] }],
  [{ kind: 'union', members: [{ kind: 'ref', name: 'Cat' }] }, { $ref: '#/components/schemas/Cat' }],
  [
    'Dog | Cat | null',
    {
      anyOf: [
        {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
          discriminator: {
            propertyName: 'kind',
            mapping: {
              cat: '#/components/schemas/Cat',
              dog: '#/components/schemas/Dog',
              wolf: '#/components/schemas/Dog',
            },
          },
        },
        { type: 'string', nullable: true, enum: [null] },
      ],
    },
  ],
  [
    { kind: 'number', rules: { exclusiveMinimum: 2, minimum: 0 } },
    { type: 'number', minimum: 2, exclusiveMinimum: true },
  ],
  [
    { kind: 'number', rules: { exclusiveMinimum: 2, minimum: 2 } },
    { type: 'number', minimum: 2, exclusiveMinimum: true },
  ],
  [
    { kind: 'number', rules: { exclusiveMaximum: 2, maximum: 1 } },
    { type: 'number', maximum: 1 },
  ],
  [
    { kind: 'number', rules: { exclusiveMaximum: 0 } },
    { type: 'number', maximum: 0, exclusiveMaximum: true },
  ],
  [{ kind: 'ref', name: 'User', rules: { maxLength: 1 } }, { $ref: '#/components/schemas/User' }],
  [
    { kind: 'string', rules: {}, description: 'A.' },
    { type: 'string', description: 'A.' },
  ],
];

describe('toOpenApi', () => {
  it.each(samples)('%j', (type, schema) => {
    const made = toOpenApi(typeof type === 'string' ? parseType(type) : type, named);
    expect(made).toEqual(schema);
  });

  it('does not depend on the order in which a type was written', () => {
    const texts = ["{ b: 'x' | 5; a: Cat | Dog }", "{ a: Dog | Cat; b: 5 | 'x' }"];
    const [one, other] = texts.map((text) => JSON.stringify(toOpenApi(parseType(text), named)));
    expect(one).toBe(other);
    const type = parseType('{ b: string; a: string }');
    toOpenApi(type, named);
    expect(type).toEqual(parseType('{ b: string; a: string }'));
  });
});
