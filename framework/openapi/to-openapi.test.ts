import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { compileCheck } from '../wire/check/check.js';
import { parseType } from '../wire/read/parse-type.js';
import type { Json, NamedTypes, WireType } from '../wire/wire-type.js';
import { componentName, type OpenApiSchema, toOpenApi } from './to-openapi.js';

const named: NamedTypes = {
  User: parseType('{ id: string; name?: string | null; friends: Array<User> }'),
  Cat: parseType("{ kind: 'cat'; lives: number }"),
  Dog: parseType("{ kind: 'dog' | 'wolf'; name: string }"),
  $Odd: parseType('{ __proto__: string }'),
};

const samples: [string, WireType, OpenApiSchema][] = (
  [
    ['string', { type: 'string' }],
    ['null', { type: 'string', nullable: true, enum: [null] }],
    ['string | null', { type: 'string', nullable: true }],
    ['unknown', {}],
    ["'b' | 'a' | null", { type: 'string', enum: ['a', 'b', null], nullable: true }],
    [
      "'a' | 1 | true",
      {
        anyOf: [
          { type: 'boolean', enum: [true] },
          { type: 'number', enum: [1] },
          { type: 'string', enum: ['a'] },
        ],
      },
    ],
    [
      'User | null',
      { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'string', nullable: true, enum: [null] }] },
    ],
    ['string | number', { anyOf: [{ type: 'number' }, { type: 'string' }] }],
    [
      'string | number | null',
      { anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'string', nullable: true, enum: [null] }] },
    ],
    [
      '[string, number?]',
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, minItems: 1, maxItems: 2 },
    ],
    ['[string, ...Array<string>]', { type: 'array', items: { type: 'string' }, minItems: 1 }],
    ['[]', { type: 'array', items: {}, minItems: 0, maxItems: 0 }],
    ['{}', { type: 'object' }],
    [
      '{ b?: string; a: number }',
      { type: 'object', properties: { a: { type: 'number' }, b: { type: 'string' } }, required: ['a'] },
    ],
    [
      'Record<string, Array<number>>',
      { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } },
    ],
    [
      '{ a: string; [key: string]: unknown }',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
    ],
    [
      'Cat | Dog',
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
    ],
    ['$Odd', { $ref: '#/components/schemas/_Odd' }],
    ['never', { not: {} }],
  ] as [string, OpenApiSchema][]
).map(([text, schema]) => [text, parseType(text, named), schema]);

const ruled: [string, WireType, OpenApiSchema][] = [
  [
    'integer',
    { kind: 'integer', rules: { exclusiveMinimum: 0, maximum: 9, multipleOf: 3 } },
    { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, multipleOf: 3 },
  ],
  [
    'two bounds',
    { kind: 'number', rules: { exclusiveMinimum: 0, minimum: 2, exclusiveMaximum: 5, maximum: 7 } },
    { type: 'number', minimum: 2, maximum: 5, exclusiveMaximum: true },
  ],
  [
    'patterns',
    { kind: 'string', rules: { pattern: '^a', allOf: [{ pattern: 'b' }], contentEncoding: 'base64' } },
    { type: 'string', pattern: '^a', allOf: [{ pattern: 'b' }] },
  ],
  [
    'lengths',
    { kind: 'string', rules: { minLength: 2, maxLength: 3 } },
    { type: 'string', minLength: 2, maxLength: 3 },
  ],
  [
    'items',
    { kind: 'array', items: { kind: 'string' }, rules: { minItems: 1, maxItems: 2, uniqueItems: true } },
    { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2, uniqueItems: true },
  ],
  ['dates', { kind: 'string', rules: { format: 'date-time' } }, { type: 'string', format: 'date-time' }],
  ['days', { kind: 'string', rules: { format: 'date' } }, { type: 'string', format: 'date' }],
  ['mail', { kind: 'string', rules: { format: 'email' } }, { type: 'string', format: 'email' }],
  ['uuid', { kind: 'string', rules: { format: 'uuid' } }, { type: 'string', format: 'uuid' }],
  ['uri', { kind: 'string', rules: { format: 'uri' } }, { type: 'string', format: 'uri' }],
  [
    'described references',
    { kind: 'ref', name: 'User', description: 'Who.' },
    { description: 'Who.', allOf: [{ $ref: '#/components/schemas/User' }] },
  ],
];

const all = [...samples, ...ruled];

describe('toOpenApi', () => {
  it.each(all)('%s', (_text, type, schema) => expect(toOpenApi(type, named)).toEqual(schema));

  it('names a property __proto__', () => {
    const schema = toOpenApi(named.$Odd as WireType, named);
    expect(JSON.stringify(schema)).toContain('"properties":{"__proto__":{"type":"string"}}');
  });
});

const components: Record<string, OpenApiSchema> = {};
for (const [name, type] of Object.entries(named)) components[componentName(name)] = toOpenApi(type, named);
const document = JSON.parse(
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'Types', version: '1.0.0', license: { name: 'MIT', url: 'https://example.com' } },
    servers: [{ url: 'https://api.example.org' }],
    security: [],
    paths: Object.fromEntries(
      all.map(([, type], index) => [
        `/type${index}`,
        {
          get: {
            operationId: `type${index}`,
            summary: 'A type.',
            responses: {
              '200': {
                description: 'Success',
                content: { 'application/json': { schema: toOpenApi(type, named) } },
              },
              '400': { description: 'Failure' },
            },
          },
        },
      ]),
    ),
    components: { schemas: components },
  }),
);

describe('a document of these schemas', () => {
  it('is valid for @seriousme/openapi-schema-validator', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('is valid for @redocly/openapi-core', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    expect(problems.map(({ message, ruleId }) => `${ruleId}: ${message}`)).toEqual([]);
  });
});

/** The same schema for ajv, which does not support OpenAPI. */
function toAjv(value: Json): Json {
  if (Array.isArray(value)) return value.map(toAjv);
  if (value === null || typeof value !== 'object') return value;
  const { discriminator: _, nullable, ...schema } = value as Record<string, Json>;
  const made: Record<string, Json> = Object.create(null);
  for (const [key, one] of Object.entries(schema))
    made[key] = key === '$ref' ? String(one).replace('#/components/schemas/', '') : toAjv(one);
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (made[flag] !== true) continue;
    made[flag] = made[bound] as Json;
    delete made[bound];
  }
  return nullable === true ? { ...made, type: [made.type as Json, 'null'] } : made;
}

describe('values', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(components))
    ajv.addSchema({ ...(toAjv(schema) as object) }, name);
  const values: Json[] = [
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    5,
    7,
    9,
    10,
    1.5,
    -3,
    '',
    'a',
    'ab',
    'abc',
    'abcd',
    'b',
    '💚💚',
    '💚💚💚💚',
    'x',
    '2026-01-31T10:00:00Z',
    '2026-02-31T10:00:00Z',
    '2026-01-31T10:00:00.5+02:00',
    '2026-01-31T10:00:00',
    '2024-02-29',
    '2023-02-29',
    '2026-1-1',
    'a@example.com',
    'a@',
    'a b@example.com',
    '9b2e6e5c-7f0d-4c0e-8a5d-0f6a3b1c2d4e',
    '9b2e6e5c',
    'https://example.com/a?b#c',
    'no uri',
    'mailto:a@b.de',
    'http://a b',
    [],
    ['a'],
    ['a', 'a'],
    ['a', 1],
    [1],
    ['a', 'b', 'c'],
    [1, 2],
    [[1]],
    {},
    { a: 1 },
    { a: '1' },
    { a: 1, b: 'x' },
    { a: 1, b: 2 },
    { a: 'x', c: [] },
    { x: [1] },
    { x: ['1'] },
    { kind: 'cat', lives: 9 },
    { kind: 'cat' },
    { kind: 'dog', name: 'x' },
    { kind: 'wolf', name: 'x' },
    { kind: 'cow' },
    { id: '1', friends: [] },
    { id: '1', friends: [{ id: '2', friends: [], name: null }] },
    { id: '1', friends: [{ id: 2, friends: [] }] },
    { id: '1', friends: null },
    JSON.parse('{"__proto__":"x"}'),
    JSON.parse('{"__proto__":1}'),
  ];

  // OpenAPI 3.0 cannot express the position of items in a tuple, and ajv ignores a property named __proto__.
  it.each(all.filter(([text]) => text !== '[string, number?]' && text !== '$Odd'))(
    'of %s are accepted and refused as by ajv',
    (_text, type) => {
      const validate = ajv.compile(toAjv(toOpenApi(type, named)) as object);
      const check = compileCheck(type, named);
      const accepted = (isGood: (value: Json) => boolean): string[] =>
        values.filter(isGood).map((value) => JSON.stringify(value));
      const ours = accepted((value) => 'value' in check(value));
      expect(ours).toEqual(accepted((value) => validate(value)));
      if (_text !== 'never') expect(ours).not.toEqual([]);
    },
  );
});
