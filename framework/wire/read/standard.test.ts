import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { printDeclarations, printType } from '../print/print-typescript.js';
import { SchemaTypeError, schemaTypes, unrepresentableRemedy } from './standard.js';

type Make = (options: { target: string; libraryOptions?: object }) => unknown;

/** A schema of an unknown vendor. */
function made(input: Make, output: Make = input): object {
  return { '~standard': { vendor: 'acme', version: 1, jsonSchema: { input, output } } };
}

function printed(schema: unknown, io: 'input' | 'output' = 'input'): string {
  const { type: read, named } = schemaTypes(schema, io, 'Self');
  return `${printDeclarations(named)}${printType(read)}`.replace(/\s+/g, ' ');
}

describe('a schema of another vendor', () => {
  it('is asked for draft 2020-12, without the options of known vendors', () => {
    const asked: object[] = [];
    const schema = made((options) => {
      asked.push(options);
      return { type: 'string' };
    });
    expect(printed(schema)).toBe('string');
    expect(printed(schema, 'output')).toBe('string');
    expect(asked).toStrictEqual([{ target: 'draft-2020-12' }, { target: 'draft-2020-12' }]);
  });

  it.each<[unknown, string]>([
    [
      new Error('  bigint is not known\n'),
      'bigint is not known; use a string, and convert it to a bigint with a codec or a transform',
    ],
    [new Error('transform'), 'transform; declare the output: pipe it into a schema, or use a codec'],
    ['undefined', 'undefined; leave the schema out, or use null'],
    ['no value', 'no value; leave the schema out, or use null'],
    ['symbol', 'symbol; use a type that JSON has'],
  ])('that throws %s has no JSON Schema', (cause, problem) => {
    const schema = made(() => {
      throw cause;
    });
    let thrown: unknown;
    try {
      schemaTypes(schema, 'input');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toEqual(
      new SchemaTypeError(`the input of a schema of acme has no JSON Schema: ${problem}`),
    );
    expect(thrown).toHaveProperty('cause', cause);
  });

  it.each([undefined, null, 5, {}, { '~standard': null }, { '~standard': { jsonSchema: {} } }])(
    'is refused if it is %j',
    (schema) => {
      expect(() => schemaTypes(schema, 'output')).toThrow(
        new SchemaTypeError(
          "a schema of unknown does not provide its JSON Schema by '~standard.jsonSchema'; use zod 4.2, arktype 2.2, valibot with @valibot/to-json-schema, or type strings",
        ),
      );
    },
  );
});

describe('names of inputs', () => {
  const named = (properties: object, more: object = {}) => ({
    $id: 'User',
    type: 'object',
    properties,
    ...more,
  });
  const string = { type: 'string' };

  it('are those of the outputs if both mean the same type', () => {
    const schema = made(() => named({ a: string }));
    expect(printed(schema)).toBe('export type User = { a?: string; }; User');
  });

  it('end with Input if they, or the types that they refer to, differ', () => {
    const group = (user: object, id = 'Group') => ({ $id: id, type: 'object', properties: { user } });
    const schema = made(
      () => ({ prefixItems: [group(group(named({ a: string }), 'Inner')), { $id: 'Other', ...string }] }),
      () => ({ prefixItems: [group(group(named({ b: string }), 'Inner')), { $id: 'Other', ...string }] }),
    );
    const { named: names } = schemaTypes(schema, 'input');
    expect(Object.keys(names).toSorted()).toEqual(['GroupInput', 'InnerInput', 'Other', 'UserInput']);
    expect(Object.keys(schemaTypes(schema, 'output').named)).not.toContain('UserInput');
  });

  it('are kept if the output has no type of that name', () => {
    const schema = made(
      () => ({ type: 'array', items: named({ a: string }) }),
      () => ({ type: 'array', items: { ...named({ b: string }), $id: 'Person' } }),
    );
    expect(printed(schema)).toBe('export type User = { a?: string; }; Array<User>');
  });

  it('are kept if the output has no JSON Schema', () => {
    const User = z.object({ a: z.string() }).meta({ id: 'User' });
    expect(printed(z.object({ user: User }).transform(String))).toBe(
      'export type User = { a: string; }; { user: User; }',
    );
    const schema = made(
      () => named({ a: string }),
      () => {
        throw new Error('nothing');
      },
    );
    expect(printed(schema)).toBe('export type User = { a?: string; }; User');
  });
});

describe('parts that JSON cannot represent', () => {
  const unrepresentable = (schema: unknown, io: 'input' | 'output') =>
    schemaTypes(schema, io).unrepresentable.map(({ path, what }) => `${path}: ${what}`);

  it('are results of transformations of valibot, but not their inputs', () => {
    const schema = toStandardJsonSchema(
      v.object({
        length: v.pipe(
          v.string(),
          v.transform((text) => text.length),
        ),
        short: v.pipe(
          v.string(),
          v.check((text) => text.length < 9),
        ),
        at: v.date(),
        nothing: v.optional(v.undefined()),
        none: v.optional(v.void()),
        big: v.bigint(),
      }),
    );
    expect(unrepresentable(schema, 'input')).toEqual(["big: a schema of the kind 'bigint'"]);
    expect(unrepresentable(schema, 'output')).toEqual([
      "length: the result of 'transform'",
      "big: a schema of the kind 'bigint'",
    ]);
    expect(printed(schema)).toBe(
      '{ at: string; big: unknown; length: string; none?: never; nothing?: never; short: string; }',
    );
    expect(schemaTypes(schema, 'input').type).toMatchObject({ fields: { 2: { type: { isDate: true } } } });
  });

  it('of arktype are described by their kind', () => {
    const schema = type({
      at: 'Date',
      big: 'bigint',
      map: 'Map',
      sign: 'symbol',
      one: type.unit(Symbol.for('one')),
      even: type('number').narrow((value) => value % 2 === 0),
      length: type('string').pipe((text) => text.length),
      some: 'string | undefined',
    });
    expect(unrepresentable(schema, 'input').toSorted()).toEqual([
      'big: a bigint',
      'map: a Map',
      'one: the value Symbol(one)',
      'sign: a symbol',
    ]);
    expect(printed(schema)).toBe(
      '{ at: string; big: unknown; even: number; length: string; map: unknown; one: unknown; sign: unknown; some: string; }',
    );
    expect(JSON.stringify(schemaTypes(schema, 'input').type)).toContain('"isDate":true');
  });

  it.each([
    ['no value', 'leave the schema out, or use null'],
    ['a void', 'leave the schema out, or use null'],
    ['a BigInt', 'use a string, and convert it to a bigint with a codec or a transform'],
    ["the result of 'trim'", 'declare the output: pipe it into a schema, or use a codec'],
    ['a morph', 'declare the output: pipe it into a schema, or use a codec'],
    ['a Map', 'use a type that JSON has'],
  ])('have a remedy: %s', (what, remedy) => expect(unrepresentableRemedy(what)).toBe(remedy));
});
