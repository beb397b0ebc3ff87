// The parts of a JSON Schema besides its types: names, references, rules, structures.
import { describe, expect, it } from 'vitest';
import { printDeclarations, printType } from '../print/print-typescript.js';
import type { WireType } from '../wire-type.js';
import { fromJsonSchema, type JsonSchema, type UnrepresentablePart } from './from-json-schema.js';
import { SchemaTypeError } from './schema-type-error.js';

function printed(schema: unknown, fallback?: string): string {
  const names: Record<string, WireType> = {};
  const type = fromJsonSchema(schema as JsonSchema, names, { io: 'input', fallback });
  return `${printDeclarations(names)}${printType(type)}`.replace(/\s+/g, ' ');
}

const string = { type: 'string' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const list = (items: object): object => ({ type: 'array', items });

describe('names of schemas', () => {
  it.each([
    ['User', 'User'],
    ['user', 'user'],
    ['user.json', 'user'],
    ['user.schema.json', 'user'],
    ['user.json.v2', 'UserJsonV2'],
    ['user--item', 'UserItem'],
    ['$item of list', '$itemOfList'],
    ['https://example.com/types/user.json', 'user'],
    ['https://example.com/types/user/', 'user'],
    ['https://example.com/types#user', 'user'],
  ])('%s is %s', (id, name) => {
    expect(printed({ $id: id, ...object({}) })).toBe(`export type ${name} = Record<string, never>; ${name}`);
  });

  it.each(['string', '42', '', '/', 'Array', '-number'])('%s is not a name', (id) => {
    expect(() => printed({ $id: id, ...object({}) })).toThrow(
      new SchemaTypeError(
        `the id '${id}' cannot name a TypeScript type; give the schema another one, such as 'User'`,
      ),
    );
  });

  it('may occur twice with the same meaning', () => {
    const named = (): object => ({ id: 'Id', type: 'string', minLength: 1 });
    expect(printed(object({ a: named(), b: named() }))).toBe('export type Id = string; { a?: Id; b?: Id; }');
    expect(() => printed(object({ a: named(), b: { ...named(), minLength: 2 } }))).toThrow(
      new SchemaTypeError("two types are named 'Id'; give one of them another id"),
    );
  });

  it('are derived from the path of a recursive schema, each once', () => {
    const self = (pointer: string): object => object({ next: { $ref: pointer } });
    const schema = object({
      'a-b': self('#/properties/a-b'),
      ab: self('#/properties/ab'),
      aB: list(self('#/properties/aB/items')),
      'a b': self('#/properties/a b'),
    });
    const names: Record<string, WireType> = {};
    fromJsonSchema(schema as JsonSchema, names, { io: 'input', fallback: 'Self' });
    expect(Object.keys(names)).toEqual(['SelfAb', 'SelfAb2', 'SelfAB', 'SelfAb3']);
    fromJsonSchema({ ...object({ me: { $ref: '#' } }) } as JsonSchema, names);
    expect(Object.keys(names)).toContain('Recursive');
  });

  it('are derived from the key of a definition that is used twice, without other characters', () => {
    const node = { type: 'object', additionalProperties: object({ next: { $ref: '#/$defs/__schema0' } }) };
    const ref = { $ref: '#/$defs/__schema0' };
    const names: Record<string, WireType> = {};
    const read = (schema: object) =>
      fromJsonSchema(schema as JsonSchema, names, { io: 'input', fallback: 'Self' });
    read({ ...object({ a: list(ref), b: ref }), $defs: { __schema0: node } });
    expect(Object.keys(names)).toEqual(['SelfA']);
    read(
      object({
        c: {
          type: 'object',
          additionalProperties: object({ d: { $ref: '#/properties/c/additionalProperties' } }),
        },
      }),
    );
    expect(Object.keys(names)).toEqual(['SelfA', 'SelfC']);
  });

  it('of definitions are their keys, unless a library generated these', () => {
    const $defs = {
      User: object({ a: string }),
      __schema0: object({ b: string }),
      type7: object({ c: string }),
    };
    const refs = Object.keys($defs).map((key) => [key, { $ref: `#/$defs/${key}` }]);
    expect(printed(object(Object.fromEntries(refs), { $defs }))).toBe(
      'export type User = { a?: string; }; { User?: User; __schema0?: { b?: string; }; type7?: { c?: string; }; }',
    );
  });
});

describe('references of schemas', () => {
  it.each<[string, unknown]>([
    ['#/$defs/yes', true],
    ['#/$defs/a~1b', { type: 'boolean' }],
    ['#/$defs/a~0b', { type: 'number' }],
    ['#/$defs/a%20b', { type: 'null' }],
    ['#/$defs/list/items', string],
  ])('%s leads to its schema', (reference, schema) => {
    const $defs = {
      yes: true,
      'a/b': { type: 'boolean' },
      'a~b': { type: 'number' },
      'a b': { type: 'null' },
      list: list(string),
    };
    const read = fromJsonSchema({ allOf: [{ $ref: reference }], $defs } as JsonSchema, {});
    const names: Record<string, WireType> = {};
    const target = fromJsonSchema(schema as JsonSchema, names);
    expect(read.kind === 'ref' ? { kind: 'ref' } : read).toEqual(
      reference.endsWith('items') || schema === true ? target : { kind: 'ref' },
    );
  });

  it('to false accept no value', () => {
    expect(printed({ $ref: '#/$defs/no', $defs: { no: false } })).toBe('never');
  });

  it('to the schema itself are recursive', () => {
    expect(printed(object({ next: { $ref: '#' } }), 'Node')).toBe(
      'export type Node = { next?: Node; }; Node',
    );
  });

  it.each([
    ['/$defs/A'],
    ['x#/$defs/A'],
    ['#A'],
    ['#/$defs/B'],
    ['#/$defs/A/type/x'],
    ['#/$defs/A/title/0'],
    ['#/$defs/A/default/x'],
    ['#/$defs/A/constructor'],
    [5],
  ])('%j leads to nothing', (reference) => {
    const $defs = { A: { type: 'object', title: 'A', default: null } };
    expect(() => printed({ $ref: reference, $defs })).toThrow(
      new SchemaTypeError(
        `$ref ${JSON.stringify(reference)} leads to nothing in the schema; put the definition into its $defs`,
      ),
    );
  });

  it('are joined with their target', () => {
    const $defs = { A: object({ a: string }), B: object({ b: string }) };
    const schema = { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }], $defs };
    expect(fromJsonSchema(schema as JsonSchema, {})).toMatchObject({
      kind: 'object',
      fields: [{ name: 'a' }, { name: 'b' }],
    });
  });
});

describe('values that are not schemas', () => {
  it.each([[null], [5], ['string'], [[]], [[string]]])(
    '%j is refused, inside a schema and alone',
    (schema) => {
      const problem = new SchemaTypeError(
        `a JSON Schema is an object, true or false; got ${JSON.stringify(schema)}`,
      );
      expect(() => printed(schema)).toThrow(problem);
      expect(() => printed(object({ a: schema }))).toThrow(problem);
      expect(() => printed({ $ref: '#/$defs/A', $defs: { A: schema } })).toThrow(problem);
    },
  );

  it('are refused with their path', () => {
    const remedy = 'which JSON Schema does not define; use one such as "string"';
    expect(() => printed({ type: 'date' })).toThrow(
      new SchemaTypeError(`the schema has the type "date", ${remedy}`),
    );
    expect(() => printed(object({ a: list({ type: 5 }) }))).toThrow(
      new SchemaTypeError(`the schema of 'a.[]' has the type 5, ${remedy}`),
    );
  });
});

describe('keywords', () => {
  it.each<[object, string]>([
    [{ not: true }, 'never'],
    [{ not: null, type: 'string' }, 'string'],
    [{ not: [], type: 'string' }, 'string'],
    [{ properties: null }, 'unknown'],
    [{ properties: { a: true, b: false }, required: ['b'] }, '{ a?: unknown; b: never; }'],
    [{ additionalProperties: string }, 'Record<string, string>'],
    [{ patternProperties: { '^x': string } }, 'Record<string, string>'],
    [{ type: 'object', patternProperties: null }, 'Record<string, never>'],
    [
      {
        type: 'object',
        patternProperties: { x: string, y: { type: 'null' } },
        additionalProperties: { const: 5 },
      },
      'Record<string, 5 | string | null>',
    ],
    [{ type: 'object', propertyNames: null, additionalProperties: string }, 'Record<string, string>'],
    [{ type: 'object', propertyNames: true, additionalProperties: string }, 'Record<string, string>'],
    [{ type: 'object', propertyNames: { const: 'a' }, additionalProperties: string }, '{ a?: string; }'],
    [{ type: 'object', propertyNames: { enum: ['a', 5] }, required: ['a'] }, '{ a: unknown; }'],
    [{ type: 'object', required: 'a' }, 'Record<string, never>'],
    [{ items: string }, 'Array<string>'],
    [{ prefixItems: [string], items: false }, '[string?]'],
    [{ prefixItems: [string], minItems: 1 }, '[string]'],
    [{ prefixItems: [string], minItems: 2 }, '[string, ...Array<unknown>]'],
    [
      { prefixItems: [string, string], minItems: 1, items: { type: 'null' } },
      '[string, string?, ...Array<null>]',
    ],
    [{ enum: ['a', 1, null, [true], { b: [] }] }, "'a' | 1 | [true] | { b: []; } | null"],
    [{ type: 'string', nullable: false }, 'string'],
  ])('%j is %s', (schema, expected) => expect(printed(schema)).toBe(expected));

  it('of a tuple contain the number of required items only if some are optional', () => {
    const of = (minItems: number) =>
      fromJsonSchema({ type: 'array', prefixItems: [string, string], minItems }, {});
    const items = [{ kind: 'string' }, { kind: 'string' }];
    expect(of(1)).toStrictEqual({ kind: 'tuple', items, required: 1 });
    expect(of(2)).toStrictEqual({ kind: 'tuple', items });
  });

  it('contain a description only if it is a string', () => {
    const of = (description: unknown) => fromJsonSchema({ type: 'string', description } as JsonSchema, {});
    expect(of('A text.')).toStrictEqual({ kind: 'string', description: 'A text.' });
    expect([of(''), of(5), of(undefined)]).toStrictEqual(
      Array.from({ length: 3 }, () => ({ kind: 'string' })),
    );
  });

  it('of a field contain its own description and default', () => {
    const properties = {
      a: { type: 'string', description: 'An a.' },
      b: { ...string, default: 'x' },
      c: string,
    };
    const schema = object(properties, { required: ['a', 'b', 'c'] }) as JsonSchema;
    const fields = [
      { name: 'a', type: { kind: 'string' }, isOptional: false, description: 'An a.' },
      { name: 'b', type: { kind: 'string', notes: { default: 'x' } }, isOptional: true },
      { name: 'c', type: { kind: 'string' }, isOptional: false },
    ];
    expect(fromJsonSchema(schema, {})).toStrictEqual({ kind: 'object', fields });
    expect(fromJsonSchema(schema, {}, { io: 'output' })).toMatchObject({
      fields: { 1: { isOptional: false } },
    });
  });

  it('of schemas that JSON cannot represent are reported with their path', () => {
    const nothing = () => ({ 'x-fw-unrepresentable': 'a Map' });
    const unrepresentable: UnrepresentablePart[] = [];
    const schema = object({
      a: { patternProperties: { x: nothing() } },
      b: { type: 'array', prefixItems: [nothing()], items: nothing() },
      c: list(list(nothing())),
    });
    fromJsonSchema(schema as JsonSchema, {}, { io: 'input', unrepresentable });
    expect(unrepresentable.map(({ path }) => path)).toEqual(['a[key]', 'b.0', 'b[]', 'c[][]']);
    expect(fromJsonSchema(nothing(), {})).toEqual({ kind: 'unknown' });
  });
});

describe('rules', () => {
  const rulesOf = (schema: object) => fromJsonSchema(schema as JsonSchema, {}).rules;

  it.each<[object, object | undefined]>([
    [{ type: 'string', minLength: 1, title: 'A title.' }, { minLength: 1 }],
    [
      { type: 'array', minItems: 1, uniqueItems: true },
      { minItems: 1, uniqueItems: true },
    ],
    [
      { type: 'array', prefixItems: [string], minItems: 1, maxItems: 1, uniqueItems: true },
      { uniqueItems: true },
    ],
    [{ type: 'array', prefixItems: [string], minProperties: 1 }, { minProperties: 1 }],
    [{ type: 'object', propertyNames: { pattern: '^x' } }, { propertyNames: { pattern: '^x' } }],
    [{ type: 'object', propertyNames: { pattern: 5 } }, undefined],
    [{ type: 'object', propertyNames: {} }, undefined],
    [{ type: 'object', propertyNames: true }, undefined],
    [{ type: 'object', propertyNames: null }, undefined],
    [
      { type: 'string', allOf: [{ pattern: 'a' }, {}, true, { title: 'B', pattern: 'b' }] },
      { allOf: [{ pattern: 'a' }] },
    ],
    [{ type: 'string', allOf: { pattern: 'a' } }, undefined],
    [{ const: 'a', minLength: 1 }, undefined],
    [{ type: 'null', minLength: 1 }, undefined],
    [{ $ref: '#/$defs/A', minLength: 1, $defs: { A: string } }, undefined],
    [
      { $ref: '#/$defs/__schema0', maxLength: 2, $defs: { __schema0: { ...string, minLength: 1 } } },
      { minLength: 1, maxLength: 2 },
    ],
  ])('of %j are %j', (schema, rules) => expect(rulesOf(schema)).toEqual(rules));
});
