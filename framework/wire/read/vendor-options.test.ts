// Parts that JSON Schema cannot express, or that vendors throw for: dates, unrepresentable types, closed objects.
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toOpenApi } from '../../openapi/to-openapi.js';
import { printType } from '../print/print-typescript.js';
import { schemaTypes } from './standard.js';

const dates = { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() };

function printed(schema: unknown): string {
  return printType(schemaTypes(schema, 'input').type).replace(/\s+/g, ' ');
}

describe('dates', () => {
  const isoDate = { kind: 'string', rules: { format: 'date-time' } } as const;
  it.each<[string, unknown, 'input' | 'output']>([
    ['z.date()', z.date(), 'input'],
    ['z.date() behind', z.date(), 'output'],
    ['z.coerce.date()', z.coerce.date(), 'input'],
    ['z.coerce.date() behind', z.coerce.date(), 'output'],
    ['a codec behind', z.codec(z.iso.datetime(), z.date(), dates), 'output'],
    ['v.date()', toStandardJsonSchema(v.date()), 'input'],
    [
      'v.date() behind a transform',
      toStandardJsonSchema(
        v.pipe(
          v.string(),
          v.transform((text) => new Date(text)),
          v.date(),
        ),
      ),
      'output',
    ],
    ["type('Date')", type('Date'), 'input'],
    ["type('string.date.parse') behind", type('string.date.parse'), 'output'],
  ])('are strings of the format date-time: %s', (_what, schema, io) => {
    expect(schemaTypes(schema, io).type).toMatchObject(isoDate);
  });

  it('are marked if the schema expects a Date, but not if it converts a string', () => {
    expect(schemaTypes(z.date(), 'input').type).toHaveProperty('isDate', true);
    expect(schemaTypes(z.coerce.date(), 'input').type).not.toHaveProperty('isDate');
    expect(schemaTypes(z.codec(z.iso.datetime(), z.date(), dates), 'input').type).not.toHaveProperty(
      'isDate',
    );
  });
});

describe('parts that JSON cannot represent', () => {
  it('do not affect the other parts, and are named', () => {
    const schema = z.object({
      page: z.number(),
      list: z.array(z.object({ big: z.bigint(), at: z.date() })),
      byName: z.record(z.string(), z.map(z.string(), z.string())),
      pair: z.tuple([z.string(), z.set(z.string())]),
    });
    expect(schemaTypes(schema, 'input').unrepresentable).toEqual([
      { path: 'list[].big', what: 'a bigint' },
      { path: 'byName[key]', what: 'a Map' },
      { path: 'pair.1', what: 'a Set' },
    ]);
    expect(printed(schema)).toBe(
      '{ byName: Record<string, unknown>; list: Array<{ at: string; big: unknown; }>; page: number; pair: [string, unknown]; }',
    );
  });

  it.each<[string, unknown, string]>([
    [
      'valibot',
      toStandardJsonSchema(v.object({ page: v.number(), big: v.bigint() })),
      "a schema of the kind 'bigint'",
    ],
    ['arktype', type({ page: 'number', big: 'bigint' }), 'a bigint'],
  ])('are also found in schemas of %s', (_vendor, schema, what) => {
    expect(schemaTypes(schema, 'input').unrepresentable).toEqual([{ path: 'big', what }]);
    expect(printed(schema)).toBe('{ big: unknown; page: number; }');
  });

  it('do not include undefined in a union, which JSON omits', () => {
    expect(printed(z.object({ a: z.union([z.string(), z.undefined()]), b: z.undefined().optional() }))).toBe(
      '{ a: string; b?: never; }',
    );
    expect(printed(toStandardJsonSchema(v.object({ a: v.union([v.string(), v.undefined()]) })))).toBe(
      '{ a: string; }',
    );
    expect(printed(type({ a: 'string | undefined' }))).toBe('{ a: string; }');
  });

  it('do not include custom checks, because these only restrict a type', () => {
    expect(
      printed(
        toStandardJsonSchema(
          v.pipe(
            v.string(),
            v.check(() => true),
          ),
        ),
      ),
    ).toBe('string');
    expect(printed(type('string').narrow(() => true))).toBe('string');
  });
});

describe('objects that refuse unknown keys', () => {
  it.each<[string, unknown]>([
    ['strict ones of zod', z.strictObject({ a: z.string() })],
    ['partial records', z.partialRecord(z.enum(['a', 'b']), z.number())],
    ['records of names', z.record(z.enum(['a', 'b']), z.number())],
    ['records of a union of names', z.record(z.union([z.literal('a'), z.enum(['b'])]), z.number())],
    ['strict ones that refine', z.strictObject({ a: z.string() }).refine(() => true)],
    ['strict ones that are joined', z.strictObject({ a: z.string() }).and(z.strictObject({ b: z.string() }))],
    ['ones of zod whose other values are never there', z.object({ a: z.string() }).catchall(z.never())],
    ['ones of valibot of that kind', toStandardJsonSchema(v.objectWithRest({ a: v.string() }, v.never()))],
    ['records of names of valibot', toStandardJsonSchema(v.record(v.picklist(['a', 'b']), v.number()))],
    ['records of one name of valibot', toStandardJsonSchema(v.record(v.literal('a'), v.number()))],
    ['strict ones of valibot', toStandardJsonSchema(v.strictObject({ a: v.string() }))],
    ['strict ones of arktype', type({ '+': 'reject', a: 'string' })],
  ])('%s', (_what, schema) => {
    const { type: made, named } = schemaTypes(schema, 'input');
    expect(toOpenApi(made, named)).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it.each<[string, unknown, unknown]>([
    [
      'loose records',
      z.looseRecord(z.enum(['a', 'b']), z.number()),
      { properties: { a: { type: 'number' }, b: { type: 'number' } }, additionalProperties: true },
    ],
    [
      'records of names and others',
      z.record(z.union([z.enum(['a']), z.string().min(3)]), z.number()),
      { additionalProperties: { type: 'number' } },
    ],
  ])('are not %s', (_what, schema, expected) => {
    const { type: made, named } = schemaTypes(schema, 'input');
    expect(toOpenApi(made, named)).toMatchObject({ type: 'object', ...Object(expected) });
  });

  it('refuse them only in an input, because clients must not rely on what a result omits', () => {
    const { type: made, named } = schemaTypes(z.strictObject({ a: z.string() }), 'output');
    expect(toOpenApi(made, named)).not.toHaveProperty('additionalProperties');
  });
});

describe('properties of an output that may be undefined', () => {
  const unknown = z.unknown().meta({ id: 'Anything' });
  it.each<[string, unknown]>([
    [
      'of zod',
      z.object({
        a: z.unknown(),
        b: z.any(),
        c: z.unknown().nullable(),
        d: unknown,
        e: z.lazy(() => z.unknown()),
        f: z.unknown().transform((value) => value),
        g: z.undefined(),
        h: z.string().or(z.undefined()),
        i: z.custom<string | undefined>(() => true),
        j: z.string().optional(),
        sure: z.string(),
        given: z.unknown().default(1),
        list: z.array(z.unknown()),
        none: z.null(),
        either: z.string().or(z.number()),
      }),
    ],
    [
      'of valibot',
      toStandardJsonSchema(
        v.object({
          a: v.unknown(),
          b: v.any(),
          c: v.undefined(),
          d: v.union([v.string(), v.undefined()]),
          e: v.undefinedable(v.string()),
          f: v.optional(v.string()),
          sure: v.string(),
          list: v.array(v.unknown()),
          none: v.null(),
          either: v.union([v.string(), v.number()]),
          both: v.intersect([v.object({ x: v.string() }), v.object({ y: v.string() })]),
        }),
      ),
    ],
    [
      'of arktype',
      type({ a: 'unknown', b: 'string | undefined', 'c?': 'string', sure: 'string', list: 'unknown[]' }),
    ],
    ['of a record', z.object({ sure: z.record(z.enum(['a']), z.string()) })],
  ])('%s are not required', (_what, schema) => {
    const { type: made, named } = schemaTypes(schema, 'output');
    const { properties, required } = toOpenApi(made, named);
    const sure = Object.keys(Object(properties)).filter((name) => name.length > 1);
    expect(required).toEqual(sure);
  });

  it('are those of a record of anything, too', () => {
    const { type: made } = schemaTypes(z.record(z.enum(['a', 'b']), z.unknown()), 'output');
    expect(toOpenApi(made, {})).not.toHaveProperty('required');
  });

  it('stay required in an input if their schema demands them', () => {
    const { type: made } = schemaTypes(z.object({ a: z.unknown() }), 'input');
    expect(toOpenApi(made, {})).toMatchObject({ required: ['a'] });
  });
});
