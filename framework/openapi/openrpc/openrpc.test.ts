import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FwError } from '../../index.js';
import {
  JsonRpcError,
  type OpenRpcDocument,
  type OpenRpcMethod,
  RpcMode,
  RpcRegistry,
} from '../../rpc/index.js';
import type { JsonSchema07 } from '../to-json-schema.js';

const info = { title: 'Shop', version: '2.1.0' };
const User = z.object({ id: z.uuid(), name: z.string().min(2).nullable() }).meta({ id: 'User' });

function registry(): RpcRegistry {
  return new RpcRegistry()
    .discoverable(info)
    .defineType('Node', '{ value: number; next: Node | null }')
    .mutation(
      'save',
      { input: z.object({ at: z.string().optional(), user: User }), output: User },
      ({ user }) => user,
    )
    .query(
      'list',
      { input: toStandardJsonSchema(v.object({ page: v.pipe(v.number(), v.minValue(1)) })) },
      () => [],
    )
    .queryWithTypes('pair', () => 1, '[number, string?]', 'number')
    .queryWithTypes('rest', () => 1, '[number, ...string[]]', 'number')
    .queryWithTypes('sum', () => 1, 'number[]', 'number')
    .queryWithTypes('either', () => 1, "{ kind: 'a'; a: number } | { kind: 'b' }", "'x' | 'y' | 1")
    .queryWithTypes('walk', () => 1, '{ node: Node }', 'Record<string, Node>')
    .queryWithTypes('ping', () => undefined, 'void', 'void')
    .queryWithTypes('maybe', () => 1, '{ a: number } | undefined', 'unknown');
}

const documentOf = async (rpc: RpcRegistry) => (await rpc.call('rpc.discover')) as OpenRpcDocument;

async function methodsOf(rpc: RpcRegistry): Promise<Record<string, OpenRpcMethod>> {
  const { methods } = await documentOf(rpc);
  return Object.fromEntries(methods.map((method) => [method.name, method]));
}

/** Every schema of the document, compiled; a reference without a target throws. */
async function compiled(): Promise<(schema: JsonSchema07, value: unknown) => boolean> {
  const document = JSON.parse(JSON.stringify(await documentOf(registry())));
  const ajv = new Ajv({ strictTuples: false, allowUnionTypes: true });
  formats.default(ajv);
  for (const word of ['openrpc', 'info', 'methods', 'components']) ajv.addKeyword(word);
  ajv.addSchema(document, 'doc');
  return (schema, value) => {
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/'));
    return ajv.compile(absolute)(value);
  };
}

describe('rpc.discover', () => {
  it('describes the procedures, sorted by name', async () => {
    const document = await documentOf(registry());
    expect(document.openrpc).toBe('1.3.2');
    expect(document.info).toEqual(info);
    const names = ['either', 'list', 'maybe', 'pair', 'ping', 'rest', 'save', 'sum', 'walk'];
    expect(document.methods.map(({ name }) => name)).toEqual(names);
    expect(Object.keys(document.components?.schemas ?? {})).toEqual([
      'ListInput',
      'Node',
      'SaveInput',
      'User',
    ]);
  });

  it('describes the fields of an object as params by name, required ones first', async () => {
    const { save, list } = await methodsOf(registry());
    expect(save).toEqual({
      name: 'save',
      tags: [{ name: 'mutation' }],
      paramStructure: 'by-name',
      params: [
        { name: 'user', required: true, schema: { $ref: '#/components/schemas/User' } },
        { name: 'at', required: false, schema: { type: 'string' } },
      ],
      result: { name: 'result', schema: { $ref: '#/components/schemas/User' } },
      errors: [
        { code: -32602, message: 'Invalid input' },
        { code: -32603, message: 'Internal error' },
      ],
    });
    expect(list?.params).toEqual([{ name: 'page', required: true, schema: { type: 'number', minimum: 1 } }]);
  });

  it('describes the items of a tuple as params by position', async () => {
    const { pair, rest } = await methodsOf(registry());
    expect(pair).toMatchObject({
      paramStructure: 'by-position',
      params: [
        { name: 'param1', required: true, schema: { type: 'number' } },
        { name: 'param2', required: false, schema: { type: 'string' } },
      ],
    });
    expect(pair).not.toHaveProperty('x-params');
    expect(rest?.['x-params']).toEqual({
      type: 'array',
      items: [{ type: 'number' }],
      additionalItems: { type: 'string' },
      minItems: 1,
    });
  });

  it.each([
    ['sum', 'by-position', [], { type: 'array', items: { type: 'number' } }],
    [
      'maybe',
      'by-name',
      [['a', false]],
      { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
    ],
    ['ping', 'either', [], undefined],
  ])('describes the params of %s as one schema', async (name, structure, params, whole) => {
    const method = (await methodsOf(registry()))[name];
    expect(method?.paramStructure).toBe(structure);
    expect(method?.params.map((one) => [one.name, one.required])).toEqual(params);
    expect(method?.['x-params']).toEqual(whole);
  });

  it('has schemas that compile and accept the same values as the types', async () => {
    const matches = await compiled();
    const methods = await methodsOf(registry());
    for (const method of Object.values(methods)) {
      const schemas = [method.result.schema, ...method.params.map(({ schema }) => schema)];
      for (const schema of schemas) expect(matches(schema, null)).toBeTypeOf('boolean');
    }
    const user = { id: '0190a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b', name: null };
    expect(matches(methods.save?.result.schema ?? {}, user)).toBe(true);
    expect(matches(methods.save?.result.schema ?? {}, { ...user, name: 'x' })).toBe(false);
    expect(
      matches(methods.walk?.result.schema ?? {}, { a: { value: 1, next: { value: 2, next: null } } }),
    ).toBe(true);
    expect(matches(methods.walk?.result.schema ?? {}, { a: { value: 1, next: {} } })).toBe(false);
    expect(matches(methods.either?.['x-params'] ?? {}, { kind: 'b' })).toBe(true);
    expect(matches(methods.either?.['x-params'] ?? {}, { kind: 'a' })).toBe(false);
    expect(matches(methods.either?.result.schema ?? {}, 'x')).toBe(true);
    expect(matches(methods.either?.result.schema ?? {}, 2)).toBe(false);
    expect(matches(methods.rest?.['x-params'] ?? {}, [1, 'a'])).toBe(true);
    expect(matches(methods.rest?.['x-params'] ?? {}, [1, 2])).toBe(false);
    expect(() => matches({ $ref: '#/components/schemas/Nobody' }, 1)).toThrow('Nobody');
  });

  it('is generated once', async () => {
    const rpc = registry();
    expect(await documentOf(rpc)).toBe(await documentOf(rpc));
  });

  it('asks a schema that has no JSON Schema only once', async () => {
    let asked = 0;
    const schema = z.object({});
    const silent = {
      '~standard': {
        ...schema['~standard'],
        jsonSchema: {
          input: () => ({ type: 'object' }),
          output: () => {
            asked += 1;
            throw new Error('no form in JSON');
          },
        },
      },
    };
    const rpc = new RpcRegistry()
      .discoverable(info)
      .query('odd', { output: silent as never }, () => ({}) as never);
    await expect(rpc.call('rpc.discover')).rejects.toThrow("the output of 'odd'");
    const before = asked;
    await expect(rpc.call('rpc.discover')).rejects.toThrow("the output of 'odd'");
    expect(before).toBeGreaterThan(0);
    expect(asked).toBe(before);
  });

  it('is protected by the middleware of the registry', async () => {
    const rpc = registry().use(() => {
      throw FwError.unauthorized('who is there?');
    });
    await expect(rpc.call('rpc.discover')).rejects.toThrow('who is there?');
  });

  it('is disabled by default', async () => {
    const rpc = new RpcRegistry();
    await expect(rpc.call('rpc.discover')).rejects.toThrow(JsonRpcError);
    await expect(rpc.call('rpc.discover')).rejects.toMatchObject({ code: -32601 });
  });

  it.each([
    [undefined, 'needs a title, got undefined'],
    [{ title: '', version: '1' }, 'needs a title, got ""'],
    [{ title: 'Shop', version: 1 }, 'needs a version, got 1'],
  ])('refuses %j', (given, message) => {
    expect(() => new RpcRegistry().discoverable(given as never)).toThrow(message);
  });

  it('is for JSON-RPC only, and must be enabled before the first call', async () => {
    expect(() => RpcRegistry.withMode(RpcMode.Rest).discoverable(info)).toThrow('generateOpenapi()');
    const rpc = registry();
    await documentOf(rpc);
    expect(() => rpc.discoverable(info)).toThrow('openRpc came too late');
  });
});
