import { expect, it } from 'vitest';
import { parseType } from '../../wire/read/parse-type.js';
import { inputSchema, outputSchema } from './tool-schema.js';

const named = {
  User: parseType('{ id: string; friends: User[]; home?: Address }'),
  Address: parseType('{ street: string }'),
  Names: parseType('string[]'),
  'a b': parseType('{ x: 1 }'),
};

it.each([
  ['void', { type: 'object', additionalProperties: false }],
  ['unknown', { type: 'object' }],
  ['{ id: string }', { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }],
  ['{ id: string } | void', { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }],
  ['string[]', undefined],
  ['Names', undefined],
  ['{ a: 1 } | string[]', undefined],
  ['Record<string, number>', { type: 'object', additionalProperties: { type: 'number' } }],
])('the input %s', (text, schema) => {
  expect(inputSchema(parseType(text), named)).toEqual(schema);
});

it('a union of objects is an object for every client', () => {
  expect(inputSchema(parseType('{ a: 1 } | { b: 2 }'), named)).toMatchObject({
    type: 'object',
    anyOf: [{}, {}],
  });
});

it('has what it names, also in circles, and nothing else', () => {
  const schema = inputSchema(parseType('User'), named);
  expect(schema).toMatchObject({ type: 'object', properties: { home: { $ref: '#/$defs/Address' } } });
  expect(Object.keys(schema?.$defs as object).sort()).toEqual(['Address', 'User']);
  expect(outputSchema(parseType('{ address: Address }'), named)).toEqual({
    type: 'object',
    properties: { address: { $ref: '#/$defs/Address' } },
    required: ['address'],
    $defs: { Address: { type: 'object', properties: { street: { type: 'string' } }, required: ['street'] } },
  });
});

it('writes tuples as draft 2020-12 does', () => {
  expect(outputSchema(parseType('[string, number, ...boolean[]]'), named)).toEqual({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'number' }],
    minItems: 2,
    items: { type: 'boolean' },
  });
  expect(outputSchema(parseType('unknown'), named)).toBeUndefined();
});

it('keeps fields that are called as keywords', () => {
  const schema = inputSchema(
    parseType('{ items: string; $ref: string; properties: { not: string } }'),
    named,
  );
  expect(Object.keys(schema?.properties as object).sort()).toEqual(['$ref', 'items', 'properties']);
  expect(schema).toMatchObject({ properties: { properties: { properties: { not: { type: 'string' } } } } });
});
