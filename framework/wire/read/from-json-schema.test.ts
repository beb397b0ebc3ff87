import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope, type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalText } from '../canonical.js';
import { printDeclarations, printType } from '../print/print-typescript.js';
import type { WireType } from '../wire-type.js';
import { fromJsonSchema, type JsonSchema } from './from-json-schema.js';
import { parseType } from './parse-type.js';
import { SchemaTypeError, schemaTypes } from './standard.js';

function printed(schema: unknown, io: 'input' | 'output' = 'input'): string {
  const { type, named } = schemaTypes(schema, io, 'Self');
  return `${printDeclarations(named)}${printType(type)}`.replace(/\s+/g, ' ');
}

function read(schema: JsonSchema, names: Record<string, WireType> = {}): WireType {
  return fromJsonSchema(schema, names);
}

describe('schemas of zod', () => {
  const Cat = z.object({ kind: z.literal('cat') }).meta({ id: 'Cat' });
  const Dog = z.object({ kind: z.literal('dog') }).meta({ id: 'Dog' });
  interface Tree {
    value: string;
    kids: Tree[];
  }
  const Node: z.ZodType<Tree> = z.object({
    value: z.string(),
    get kids() {
      return z.array(Node);
    },
  });

  it.each<[string, z.ZodType, string]>([
    [
      'scalars',
      z.object({ a: z.string(), b: z.int(), c: z.boolean(), d: z.null(), e: z.unknown() }),
      '{ a: string; b: number; c: boolean; d: null; e: unknown; }',
    ],
    [
      'optional and nullable',
      z.object({ a: z.string().optional(), b: z.string().nullable(), c: z.string().nullish() }),
      '{ a?: string; b: string | null; c?: string | null; }',
    ],
    [
      'literals',
      z.union([z.literal([1, 'a', true, null]), z.enum(['b', 'c'])]),
      "'a' | 'b' | 'c' | 1 | true | null",
    ],
    [
      'tuples',
      z.tuple([z.string(), z.number().optional()]).rest(z.boolean()),
      '[string, number?, ...Array<boolean>]',
    ],
    ['closed tuples', z.tuple([z.string(), z.number()]), '[string, number]'],
    ['records', z.record(z.string(), z.number()), 'Record<string, number>'],
    ['records of literals', z.record(z.enum(['a', 'b']), z.number()), '{ a: number; b: number; }'],
    ['partial records', z.partialRecord(z.enum(['a', 'b']), z.number()), '{ a?: number; b?: number; }'],
    ['loose objects', z.looseObject({ a: z.string() }), '{ a: string; [key: string]: unknown; }'],
    ['strict objects', z.strictObject({ a: z.string() }), '{ a: string; }'],
    [
      'intersections',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
      '{ a: string; b: number; }',
    ],
    ['brands', z.string().brand('Id'), 'string'],
    ['never', z.never(), 'never'],
    ['recursion', Node, 'export type Self = { kids: Array<Self>; value: string; }; Self'],
    [
      'recursion inside',
      z.object({ node: Node }),
      'export type SelfNode = { kids: Array<SelfNode>; value: string; }; { node: SelfNode; }',
    ],
    [
      'named types',
      z.object({ pet: z.discriminatedUnion('kind', [Cat, Dog]), cat: Cat.optional() }),
      "export type Cat = { kind: 'cat'; }; export type Dog = { kind: 'dog'; }; { cat?: Cat; pet: Cat | Dog; }",
    ],
    ['descriptions', z.object({ a: z.string().describe('An a.') }), '{ /** An a. */ a: string; }'],
    [
      'codecs',
      z.codec(z.iso.datetime(), z.date(), {
        decode: (text) => new Date(text),
        encode: (date) => date.toISOString(),
      }),
      'string',
    ],
    ['__proto__', z.object({ ['__proto__']: z.string() }), '{ __proto__: string; }'],
  ])('%s', (_what, schema, expected) => expect(printed(schema)).toBe(expected));

  it('keep their rules', () => {
    const { type: made } = schemaTypes(
      z.object({ a: z.string().min(1).regex(/a/).regex(/b/), b: z.iso.datetime() }),
      'input',
    );
    expect(made).toMatchObject({
      fields: [
        { name: 'a', type: { rules: { minLength: 1, allOf: [{ pattern: 'a' }, { pattern: 'b' }] } } },
        { name: 'b', type: { rules: { format: 'date-time' } } },
      ],
    });
  });

  it('with a default make a field optional in the input and required in the output', () => {
    const Page = z.object({ size: z.number().default(10) });
    expect(printed(Page)).toBe('{ /** @default 10 */ size?: number; }');
    expect(printed(Page, 'output')).toBe('{ size: number; }');
  });

  it('with an id that means different types in input and output get two names', () => {
    const User = z.object({ name: z.string().default('x') }).meta({ id: 'User' });
    const Group = z.object({ users: z.array(User) }).meta({ id: 'Group' });
    expect(printed(z.object({ group: Group, cat: Cat }))).toBe(
      'export type Cat = { kind: \'cat\'; }; export type GroupInput = { users: Array<UserInput>; }; export type UserInput = { /** @default "x" */ name?: string; }; { cat: Cat; group: GroupInput; }',
    );
    expect(printed(Group, 'output')).toBe(
      'export type Group = { users: Array<User>; }; export type User = { name: string; }; Group',
    );
  });
});

describe('schemas of valibot', () => {
  it('are converted by toStandardJsonSchema', () => {
    const schema = v.object({
      id: v.string(),
      size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(3)), 3),
      pet: v.nullable(
        v.variant('kind', [v.object({ kind: v.literal('a') }), v.object({ kind: v.literal('b') })]),
      ),
      pair: v.tuple([v.string(), v.number()]),
      both: v.intersect([v.object({ a: v.string() }), v.object({ b: v.number() })]),
      color: v.picklist(['red', 'green']),
    });
    const fields =
      "both: { a: string; b: number; }; color: 'green' | 'red'; id: string; pair: [string, number]; pet: { kind: 'a'; } | { kind: 'b'; } | null;";
    expect(printed(toStandardJsonSchema(schema))).toBe(`{ ${fields} /** @default 3 */ size?: number; }`);
    expect(printed(toStandardJsonSchema(schema), 'output')).toBe(`{ ${fields} size: number; }`);
  });

  it('take their name from the metadata', () => {
    const schema = v.pipe(v.object({ a: v.string() }), v.metadata({ id: 'user-item' }));
    expect(printed(toStandardJsonSchema(schema))).toBe('export type UserItem = { a: string; }; UserItem');
  });

  it('may be recursive', () => {
    const Node: v.GenericSchema = v.object({ kids: v.array(v.lazy(() => Node)) });
    expect(printed(toStandardJsonSchema(Node))).toBe(
      'export type SelfKids = { kids: Array<SelfKids>; }; { kids: Array<SelfKids>; }',
    );
  });
});

describe('schemas of arktype', () => {
  it('are converted', () => {
    const schema = type({
      id: 'string',
      'age?': 'number.integer',
      n: 'string|null',
      t: "'a'|'b'|1|true",
      d: 'string = "x"',
      list: 'string[] > 1',
      pair: ['string', 'number'],
      rest: ['string', '...', 'boolean[]'],
    });
    expect(printed(schema)).toBe(
      "{ age?: number; d?: string; id: string; list: Array<string>; n: string | null; pair: [string, number]; rest: [string, ...Array<boolean>]; t: 'a' | 'b' | 1 | true; }",
    );
    expect(printed(type({ '[string]': 'number' }))).toBe('Record<string, number>');
    expect(printed(type({ '[/^x/]': 'number' }))).toBe('Record<string, number>');
  });

  it('do not show the names that arktype generates', () => {
    const { Box } = scope({ Box: { 'next?': 'Box' } }).export();
    expect(printed(Box)).toBe('export type Self = { next?: Self; }; Self');
    expect(printed(type({ box: Box }))).toBe('export type SelfBox = { next?: SelfBox; }; { box: SelfBox; }');
  });
});

describe('schemas that have no JSON Schema', () => {
  it.each<[string, unknown, 'input' | 'output', string]>([
    ['bigints', z.bigint(), 'input', 'use a string, and convert it to a bigint with a codec'],
    ['bigints of valibot', toStandardJsonSchema(v.bigint()), 'output', 'use a string'],
    ['bigints of arktype', type('bigint'), 'input', 'use a string'],
    ['void', z.void(), 'output', 'leave the schema out, or use null'],
    ['transforms', z.string().transform(Number), 'output', 'pipe it into a schema'],
    ['maps', z.map(z.string(), z.string()), 'input', 'use a type that JSON has'],
    ['valibot alone', v.object({}), 'input', 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'],
    ['older zod', { '~standard': { vendor: 'zod', version: 1 } }, 'input', 'install zod 4.2 or newer'],
    ['no schema', null, 'input', "does not provide its JSON Schema by '~standard.jsonSchema'"],
  ])('%s', (_what, schema, io, message) => {
    expect(() => schemaTypes(schema, io)).toThrow(SchemaTypeError);
    expect(() => schemaTypes(schema, io)).toThrow(message);
  });
});

describe('fromJsonSchema', () => {
  it.each<[JsonSchema, string]>([
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [{ not: {} }, 'never'],
    [{ not: { type: 'string' } }, 'unknown'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'string', nullable: true }, 'string | null'],
    [{ const: { a: [1, null] } }, '{ a: [1, null] }'],
    [{ type: 'array' }, 'Array<unknown>'],
    [{ properties: { a: {} } }, '{ a?: unknown }'],
    [{ type: 'object', required: ['a'] }, '{ a: unknown }'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, '[string?]'],
    [
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', required: ['a'] },
        ],
      },
      '{ a: string }',
    ],
    [
      {
        type: 'object',
        properties: { t: { type: 'string' } },
        required: ['t'],
        anyOf: [{ properties: { t: { const: 'a' } } }, { properties: { t: { const: 'b' } } }],
      },
      "{ t: 'a' } | { t: 'b' }",
    ],
    [
      {
        $ref: '#/definitions/x~1y',
        definitions: { 'x/y': { $id: 'https://example.com/user.schema.json', type: 'object' } },
      },
      'user',
    ],
    [
      { type: 'object', properties: { a: { $ref: '#/properties/b' }, b: { type: 'string' } } },
      '{ a?: string; b?: string }',
    ],
  ])('%j', (schema, expected) =>
    expect(canonicalText(read(schema))).toBe(canonicalText(parseType(expected))),
  );

  it('adds rules to the members of a union', () => {
    expect(read({ type: ['string', 'null'], minLength: 2 })).toEqual({
      kind: 'union',
      members: [{ kind: 'string', rules: { minLength: 2 } }, { kind: 'null' }],
    });
  });

  it.each<[unknown, string]>([
    [{ $ref: '#/$defs/nothing' }, '$ref "#/$defs/nothing" leads to nothing'],
    [{ $ref: 'https://example.com/x' }, 'leads to nothing'],
    [{ $ref: '#/__proto__' }, 'leads to nothing'],
    [{ type: 'date' }, 'has the type "date"'],
    [
      { properties: { a: { allOf: [{ type: 'array' }, { type: 'string' }] } } },
      "the schema of 'a' combines types",
    ],
    [{ id: 'string', type: 'object' }, "the id 'string' cannot name a TypeScript type"],
    [
      { properties: { a: { id: 'A', type: 'string' }, b: { id: 'A', type: 'number' } } },
      "two types are named 'A'",
    ],
    [{ properties: { a: 5 } }, 'a JSON Schema is an object, true or false; got 5'],
  ])('refuses %j', (schema, message) => expect(() => read(schema as JsonSchema)).toThrow(message));
});
