// The parameters and the errors of procedures: what is required, and what an answer may be.
import { describe, expect, it } from 'vitest';
import { errorCode } from '../rpc/protocol/rpc-error.js';
import { parseType } from '../wire/read/parse-type.js';
import type { NamedTypes, WireType } from '../wire/wire-type.js';
import { errorResponses } from './error-responses.js';
import { paramsOf } from './openrpc/params.js';
import { registryOpenRpc } from './openrpc/registry-openrpc.js';
import { fieldsOf, mayBeNothing } from './parameters.js';

const named: NamedTypes = {
  Page: parseType('{ page: number; size?: number }'),
  Again: { kind: 'ref', name: 'Page' },
  Loop: { kind: 'union', members: [{ kind: 'ref', name: 'Loop' }, parseType('{ depth: number }')] },
  Self: { kind: 'ref', name: 'Self' },
};
const ref = (name: string): WireType => ({ kind: 'ref', name });

describe('the parameters of a query', () => {
  const shown = (input: WireType) =>
    fieldsOf(input, named).map(({ name, isOptional }) => `${name}${isOptional ? '?' : ''}`);

  it.each<[string, WireType, string[]]>([
    ['an object', parseType('{ a: string; b?: string }'), ['a', 'b?']],
    ['a named object', ref('Again'), ['page', 'size?']],
    [
      'objects, one of which lacks a field',
      parseType('{ a: string; b: string } | { a: string }'),
      ['a', 'b?'],
    ],
    ['objects, one of which may lack a field', parseType('{ a: string } | { a?: string }'), ['a?']],
    ['an object that may be left out', parseType('{ a: string } | undefined'), ['a?']],
    ['an object or null', parseType('{ a: string } | null'), ['a?']],
    ['a type that refers to itself', ref('Loop'), ['depth']],
    ['a type that is nothing but itself', ref('Self'), []],
    ['a type that is not there', ref('Nowhere'), []],
    ['a text', parseType('string'), []],
  ])('are those of %s', (_, input, fields) => {
    expect(shown(input)).toEqual(fields);
  });

  it('may be absent as a whole only where void or null is one of them', () => {
    expect(
      ['void', 'null', '{ a: string } | null', '{ a: string }'].map((text) => mayBeNothing(parseType(text))),
    ).toEqual([true, true, true, false]);
  });
});

describe('the errors of a procedure', () => {
  it('are one response for each status, which the field error tells apart', () => {
    const responses = errorResponses(
      {
        input: parseType('void'),
        kind: 'query',
        output: parseType('void'),
        errors: {
          Gone: { data: parseType('void'), status: 410, code: 7, message: 'It is gone' },
          Taken: { data: parseType('{ by: string }'), status: 409, description: 'Somebody has it.' },
          Sold: { data: parseType('string | undefined'), status: 409 },
        },
      },
      {},
    );
    const body = (name: string, code: number, data?: object, isRequired = false) => ({
      type: 'object',
      properties: {
        error: { type: 'string', enum: [name] },
        message: { type: 'string' },
        code: { type: 'integer', enum: [code] },
        ...(data && { data }),
      },
      required: ['error', 'message', 'code', ...(isRequired ? ['data'] : [])],
    });
    const { declared } = errorCode;
    expect(responses).toEqual({
      410: {
        description: 'Gone: It is gone',
        content: { 'application/json': { schema: body('Gone', 7) } },
      },
      409: {
        description: 'Taken: Somebody has it.\n\nSold: Sold',
        content: {
          'application/json': {
            schema: {
              oneOf: [
                body(
                  'Taken',
                  declared,
                  { type: 'object', properties: { by: { type: 'string' } }, required: ['by'] },
                  true,
                ),
                body('Sold', declared, { type: 'string' }),
              ],
            },
          },
        },
      },
    });
  });

  it('have an invalid input beside them, where there is an input', () => {
    const of = (errors?: object) =>
      errorResponses({ input: parseType('string'), kind: 'query', output: parseType('void'), ...errors }, {});
    const { 400: plain } = of();
    expect(plain?.description).toBe('The input is invalid.');
    expect(plain?.content?.['application/json']?.schema).toMatchObject({
      properties: { error: { enum: ['BadRequest', 'ValidationError'] } },
    });
    const { 400: both } = of({ errors: { Bad: { data: parseType('void') } } });
    expect(both?.description).toBe('Bad: Bad');
    expect(both?.content?.['application/json']?.schema).toMatchObject({
      oneOf: [
        { properties: { error: { enum: ['Bad'] } } },
        { properties: { error: { enum: ['BadRequest', 'ValidationError'] } } },
      ],
    });
  });
});

describe('the params of a method of OpenRPC', () => {
  it('are listed by name, the required ones first, with what is said of them', () => {
    const input: WireType = {
      kind: 'object',
      fields: [
        { name: 'b', type: { kind: 'string' }, isOptional: true },
        { name: 'd', type: { kind: 'string' }, isOptional: false },
        { name: 'a', type: { kind: 'string' }, isOptional: true },
        { name: 'c', type: { kind: 'string' }, isOptional: false, description: 'The third.' },
      ],
    };
    const schema = { type: 'string' };
    const all = [
      { name: 'c', required: true, schema, description: 'The third.' },
      { name: 'd', required: true, schema },
      { name: 'a', required: false, schema },
      { name: 'b', required: false, schema },
    ];
    expect(paramsOf(input, {})).toEqual({ structure: 'by-name', params: all, isWhole: true });
    const absent = paramsOf({ kind: 'union', members: [input, { kind: 'void' }] }, {});
    expect(absent.isWhole).toBe(false);
    expect(absent.params.map(({ name, required }) => [name, required])).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => [name, false]),
    );
  });

  it.each<[string, WireType, string, number, boolean]>([
    ['a tuple', parseType('[string, number]'), 'by-position', 2, true],
    ['a tuple with more behind', parseType('[string, ...number[]]'), 'by-position', 1, false],
    [
      'a tuple with a rule',
      { kind: 'tuple', items: [{ kind: 'string' }], rules: { uniqueItems: true } },
      'by-position',
      1,
      false,
    ],
    [
      'an object with a rule',
      { kind: 'object', fields: [], rules: { minProperties: 1 } },
      'by-name',
      0,
      false,
    ],
    ['a record', parseType('{ [key: string]: number }'), 'by-name', 0, false],
    ['two objects', parseType('{ a: 1 } | { b: 1 }'), 'by-name', 0, false],
    ['a list or a tuple', parseType('string[] | [number]'), 'by-position', 0, false],
    ['a list or an object', parseType('string[] | { a: 1 }'), 'either', 0, false],
    ['a text', parseType('string'), 'either', 0, false],
    ['nothing', parseType('void'), 'either', 0, true],
    ['a name that is not there', ref('Nowhere'), 'either', 0, false],
    [
      'a member that is not there',
      { kind: 'union', members: [ref('Nowhere'), parseType('{ a: 1 }')] },
      'either',
      0,
      false,
    ],
    ['a named object', ref('Again'), 'by-name', 2, true],
  ])('of %s', (_, input, structure, count, isWhole) => {
    const { params, ...rest } = paramsOf(input, named);
    expect(rest).toEqual({ structure, isWhole });
    expect(params).toHaveLength(count);
  });

  it('are sorted by the names of the methods, with events of subscriptions', () => {
    const procedure = (kind: 'query' | 'subscription') => ({
      kind,
      input: parseType('void'),
      output: parseType('string'),
    });
    const types = {
      procedures: { b: procedure('query'), c: procedure('subscription'), a: procedure('query') },
      named: { Two: parseType('string'), One: parseType('number') },
    };
    const document = registryOpenRpc(types, { title: 'T', version: '1' });
    expect(document.methods.map(({ name, result }) => [name, result.name])).toEqual([
      ['a', 'result'],
      ['b', 'result'],
      ['c', 'event'],
    ]);
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(['One', 'Two']);
    expect('components' in registryOpenRpc({ ...types, named: {} }, { title: 'T', version: '1' })).toBe(
      false,
    );
  });
});
