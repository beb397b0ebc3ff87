// Errors that a procedure declares, as a part of its types: what breaks clients, and what documents tell of them.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import { contractHash, diffTypes } from '../../wire/compare/same-type.js';
import { ContractCheck } from '../contract/contract-check.js';
import { type ErrorDeclarations, type OpenRpcDocument, RpcMode, RpcRegistry } from '../index.js';

const User = z.object({ id: z.string() }).meta({ id: 'User' });
const left = z.object({ left: z.int().min(0) });

function shop(errors: ErrorDeclarations, mode: RpcMode = RpcMode.JsonRpc): RpcRegistry {
  return RpcRegistry.withMode(mode).mutation(
    'buy',
    { input: z.object({}), output: z.string(), errors },
    () => '',
  );
}

const declared: ErrorDeclarations = {
  outOfStock: left,
  closed: { status: 409, description: 'The shop is closed.' },
  taken: { status: 409, code: 4009, message: 'taken already', data: z.object({ by: User }) },
};

describe('the types of declared errors', () => {
  it('are part of the types of the procedure, sorted by name', () => {
    const { procedures, named } = shop(declared).types();
    expect(Object.keys(procedures.buy?.errors ?? {})).toEqual(['closed', 'outOfStock', 'taken']);
    expect(procedures.buy?.errors).toEqual({
      closed: {
        data: { kind: 'void' },
        code: -32000,
        status: 409,
        message: 'The shop is closed.',
        description: 'The shop is closed.',
      },
      outOfStock: {
        data: expect.objectContaining({ kind: 'object' }),
        code: -32000,
        status: 400,
        message: 'out of stock',
      },
      taken: {
        data: expect.objectContaining({ kind: 'object' }),
        code: 4009,
        status: 409,
        message: 'taken already',
      },
    });
    expect(Object.keys(named)).toEqual(['User']);
  });

  it('are named after the procedure in clients, so that no other type has that name', () => {
    const Other = z.object({ a: z.string() }).meta({ id: 'BuyError' });
    const taken = shop(declared).query('other', { output: Other }, () => ({ a: '' }));
    expect(() => taken.types()).toThrow(
      "two types are named 'BuyError': that of the errors of 'buy', and that of the output of 'other'",
    );
    const twice = shop(declared).mutation('Buy', { errors: declared }, () => 1);
    expect(() => twice.types()).toThrow("two types are named 'BuyError'");
    const reserved = new RpcRegistry().query('jsonRpc', { errors: declared }, () => 1);
    expect(() => reserved.types()).toThrow(
      "the type 'JsonRpcError' of the errors of 'jsonRpc' cannot be declared",
    );
  });

  it('must be JSON', () => {
    expect(() => shop({ odd: z.map(z.string(), z.string()) }).types()).toThrow(
      /^the data of the error 'odd' of 'buy': the output of a schema of zod has no JSON Schema: .*; 'buy' is registered at/,
    );
  });
});

/** The changes between two sets of errors. */
function changes(before: ErrorDeclarations, after: ErrorDeclarations): string[] {
  return diffTypes(shop(before).types(), shop(after).types()).map(
    ({ path, what, isBreaking }) => `${isBreaking ? '!' : ''}${path}: ${what}`,
  );
}

describe('a change of declared errors', () => {
  it.each<[string, ErrorDeclarations, ErrorDeclarations, string[]]>([
    ['a new error', {}, { closed: {} }, ['buy.errors.closed: new error']],
    [
      'an error that is gone',
      { closed: {}, gone: left },
      { closed: {} },
      ['buy.errors.gone: the error is gone'],
    ],
    [
      'other data',
      { gone: left },
      { gone: z.object({ left: z.string() }) },
      [
        '!buy.errors.gone.left: was number, is string',
        'buy.errors.gone.left: maximum was removed, was 9007199254740991',
        'buy.errors.gone.left: minimum was removed, was 0',
      ],
    ],
    ['data that is gone', { gone: left }, { gone: {} }, ['!buy.errors.gone: was { left: number; }, is void']],
    [
      'a field that was removed',
      { gone: left },
      { gone: z.object({}) },
      ['!buy.errors.gone.left: the field was removed'],
    ],
    [
      'a field more',
      { gone: z.object({}) },
      { gone: z.object({ a: z.string() }) },
      ['buy.errors.gone.a: new required field'],
    ],
    ['another status, code and text', { gone: {} }, { gone: { status: 410, code: 1, message: 'x' } }, []],
  ])('%s', (_what, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('changes the hash of the contract, but only where something of the types changed', () => {
    const hash = (errors: ErrorDeclarations) => contractHash(shop(errors).types());
    expect(hash({ a: {}, b: left })).toBe(hash({ b: left, a: { status: 409 } }));
    expect(hash({ a: {} })).not.toBe(hash({}));
    expect(hash({ a: {} })).not.toBe(hash({ a: left }));
  });

  /** The field that a client generated for the registry sends with a call of `buy`. */
  const field = (errors: ErrorDeclarations): string => {
    const text = shop(errors).generateClient();
    const contract = new Function(
      `return ${/^export const contract: FwRpcContract = (\{.*?^\});$/ms.exec(text)?.[1]?.replace('field: contractField,', '')}`,
    )();
    const [kind, input, output, used, data] = contract.procedures.buy;
    const types = Object.fromEntries(used.map((name: string) => [name, contract.types[name]]));
    return JSON.stringify({ procedures: { buy: [kind, input, output, data] }, types });
  };

  it.each<[string, ErrorDeclarations, string[]]>([
    ['none', declared, []],
    ['an error more', { ...declared, more: {} }, []],
    ['an error less', { outOfStock: left }, []],
    ['other data', { ...declared, outOfStock: z.object({ left: z.string() }) }, ['buy']],
    ['another named type', { ...declared, taken: z.object({ by: z.string() }) }, ['buy']],
  ])('refuses a client only if it breaks: %s', (_what, after, broken) => {
    expect(new ContractCheck(shop(after).types()).broken(field(declared))).toEqual(broken);
  });

  it.each(['7', '[]', '"x"', 'null', '{"a":7}', '{"a":"("}'])(
    'refuses a client whose errors are %s',
    (errors) => {
      const sent = `{"procedures":{"buy":["mutation","{}","string",${errors}]},"types":{}}`;
      expect(new ContractCheck(shop(declared).types()).broken(sent)).toBeUndefined();
    },
  );

  it('is told to a client over HTTP', async () => {
    const app = new App().mountRest(
      '/api',
      shop({ ...declared, outOfStock: z.object({ left: z.string() }) }),
    );
    const headers = { 'X-Fw-Contract': field(declared) };
    const answer = await app.fetch(new Request('http://x/api/buy', { method: 'POST', headers }));
    expect([answer.status, await answer.json()]).toMatchObject([409, { error: 'BadRequest', code: -32010 }]);
  });
});

describe('the OpenAPI document', () => {
  it('has one response for each status, whose errors are told apart by their names', async () => {
    const spec = shop({ ...declared, gone: { status: 410 } }, RpcMode.Rest).generateOpenapi(
      'Shop',
      '1.0.0',
      '/api',
    );
    const responses = spec.toJSON().paths['/buy']?.post?.responses ?? {};
    expect(Object.keys(responses)).toEqual(['200', '400', '409', '410']);
    const named = (name: string, code: number) => ({
      error: { type: 'string', enum: [name] },
      message: { type: 'string' },
      code: { type: 'integer', enum: [code] },
    });
    const schemaOf = (status: number) => responses[status]?.content?.['application/json']?.schema;
    expect(schemaOf(410)).toEqual({
      type: 'object',
      properties: named('gone', -32000),
      required: ['error', 'message', 'code'],
    });
    expect(responses[409]?.description).toBe('closed: The shop is closed.\n\ntaken: taken already');
    expect(schemaOf(409)).toMatchObject({
      oneOf: [
        { properties: named('closed', -32000) },
        {
          properties: {
            ...named('taken', 4009),
            data: { properties: { by: { $ref: '#/components/schemas/User' } } },
          },
          required: ['error', 'message', 'code', 'data'],
        },
      ],
    });
    // What an input that is not valid is answered with has the same status.
    expect(schemaOf(400)).toMatchObject({
      oneOf: [
        { properties: { ...named('outOfStock', -32000), data: { required: ['left'] } } },
        { properties: { error: { enum: ['BadRequest', 'ValidationError'] } } },
      ],
    });
    const { valid, errors } = await new Validator().validate(JSON.parse(spec.toJson()));
    expect([valid, errors]).toEqual([true, undefined]);
    const config = await createConfig({ rules: { struct: 'error' } });
    expect(await lintFromString({ source: spec.toJson(), config })).toEqual([]);
  });

  it('of a JSON-RPC registry lists the names', () => {
    const { paths } = shop(declared).generateOpenapi('Shop', '1.0.0', '/').toJSON();
    expect(paths['/rpc']?.post?.responses[200]?.content?.['application/json']?.schema).toMatchObject({
      properties: { error: { properties: { name: { enum: ['closed', 'outOfStock', 'taken'] } } } },
    });
  });
});

it('the OpenRPC document has an error for each code, with the schemas of the data', async () => {
  const rpc = shop(declared).discoverable({ title: 'Shop', version: '1.0.0' });
  const { methods } = (await rpc.call('rpc.discover')) as OpenRpcDocument;
  expect(methods[0]?.errors).toMatchObject([
    { code: -32602 },
    { code: -32603 },
    {
      code: -32000,
      message: 'The shop is closed. / out of stock',
      data: {
        anyOf: [
          { title: 'closed', description: 'The shop is closed.', not: {} },
          { title: 'outOfStock', type: 'object', required: ['left'] },
        ],
      },
    },
    { code: 4009, message: 'taken already', data: { title: 'taken', required: ['by'] } },
  ]);
  const codes = methods[0]?.errors.map(({ code }) => code) ?? [];
  expect(new Set(codes).size).toBe(codes.length);
});
