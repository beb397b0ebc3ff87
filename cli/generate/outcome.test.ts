// The result of a generation: files whose text changed, and what that means for clients.
import { expect, it } from 'vitest';
import { ClientReader } from '../../framework/client/read-client.js';
import { absolutePath } from '../../framework/files/absolute-path.js';
import { RpcRegistry } from '../../framework/rpc/index.js';
import type { Generated } from './generation.js';
import { outcomeOf } from './outcome.js';

function clientOf(types: Record<string, readonly [input: string, output: string]>): string {
  const registry = new RpcRegistry();
  for (const [name, [input, output]] of Object.entries(types))
    registry.queryWithTypes(name, () => undefined, input, output);
  return registry.generateClient();
}

function generated(before: string | undefined, after: string): Generated {
  const types = { file: absolutePath('/app/client.ts'), before, after };
  const map = { file: absolutePath('/app/client.d.ts.map'), before: 'old', after: 'new', isLocal: true };
  return {
    ok: true,
    client: { files: [types, map], types },
    contract: { file: absolutePath('/app/src/rpc-contract.json'), before: '{}', after: '{}' },
    procedures: 0,
    warnings: [],
    isStored: false,
    times: { types: 1, build: 1, run: 1 },
  };
}

const old = clientOf({ a: ['{ x: string }', 'number'], 'a-b': ['void', 'number'], c: ['void', 'string'] });

it('counts procedures, and lists changes that break older clients', async () => {
  const now = clientOf({
    a: ['{ x: string; y: number; z: number }', 'number'],
    'a-b': ['void', 'number'],
    d: ['void', 'string'],
  });
  expect(await outcomeOf(generated(old, now))).toEqual({
    ok: true,
    written: ['/app/client.ts'],
    change: {
      procedures: 3,
      breaking: [
        'a.input.y: new required field',
        'a.input.z: new required field',
        'c: the query was removed',
      ],
    },
    warnings: [],
  });
});

it('says what changed besides procedures', async () => {
  const others = async (after: string, before = old) => {
    const outcome = await outcomeOf(generated(before, after));
    return 'change' in outcome ? outcome.change : undefined;
  };
  const change = { procedures: 0, breaking: [] };
  const other = new RpcRegistry().queryWithTypes('a', () => 1, 'void', 'number');
  const [rpc, api] = ['/rpc', '/api'].map((baseUrl) => other.generateClient({ baseUrl }));
  expect(await others(api ?? '', rpc)).toEqual({ ...change, others: ['base URL changed to "/api"'] });
  const routes = 'export interface FwRoutes {\n  "GET /a": 1;\n}\n\n';
  expect(await others(`${old}\n${routes}`)).toEqual({ ...change, others: ['routes changed'] });
  const sockets = 'export interface FwSockets {\n  chat: 1;\n}\n\n';
  expect(await others(`${old}\n${sockets}`)).toEqual({ ...change, others: ['WebSockets changed'] });
  const commented = old.replace('export interface FwRpcProcedures', '/** New. */\n$&');
  expect(await others(commented)).toEqual({ ...change, others: ['comments changed'] });
  expect(await others(old.replace(/fw \S+\. /, 'fw 0.0.1. '))).toEqual({
    ...change,
    others: ['version of fw changed'],
  });
});

it('compares comments in linear time, and only these', async () => {
  const others = async (before: string) => {
    const outcome = await outcomeOf(generated(before, old));
    return 'change' in outcome ? outcome.change?.others : undefined;
  };
  const began = performance.now();
  await others(`${old}${'/**\n'.repeat(50_000)}`);
  await others(`${old}${'/** */ a'.repeat(25_000)}`);
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(await others(`${old}/** A. */ export const a = 1;\n/** B. */\n`)).toBeUndefined();
});

it('assigns changes to the right procedure if one name begins like another', async () => {
  const now = clientOf({ a: ['{ x: string }', 'number'], 'a-b': ['void', 'string'], c: ['void', 'string'] });
  expect(await outcomeOf(generated(old, now))).toMatchObject({
    change: { procedures: 1, breaking: ['a-b.output: was number, is string'] },
  });
});

it('contains neither unchanged files nor moved places', async () => {
  expect(await outcomeOf(generated(old, old))).toMatchObject({ written: [], change: undefined });
});

it.each([[undefined], ['// by hand\n']])('does not compare with an old file of %j', async (before) => {
  expect(await outcomeOf(generated(before, old))).toMatchObject({
    written: ['/app/client.ts'],
    change: undefined,
  });
});

it('passes on failures', async () => {
  const failure: Generated = { ok: false, run: { title: 'Error: no', frames: [], details: '' } };
  expect(await outcomeOf(failure)).toBe(failure);
});

it('compares with the client of the result before, whose declarations are not read again', async () => {
  const reader = new ClientReader();
  const first = clientOf({ a: ['{ x: string }', 'number'], b: ['{ x: { y: string } }', 'number'] });
  const second = first.replace('y: string', 'y: number');
  const third = second.replace('x: string', 'x?: string');
  const breaking = async (before: string, after: string) => {
    const outcome = await outcomeOf(generated(before, after), reader);
    return outcome.ok && outcome.isUnaffected !== true ? outcome.change?.breaking : outcome;
  };
  expect(await breaking(first, second)).toEqual(['b.input.x.y: was string, is number']);
  expect(await breaking(second, third)).toEqual([]);
  expect(await breaking(third, second)).toEqual(['a.input.x: is required now']);
  expect(await breaking('// Something else.', first)).toBeUndefined();
  expect(await breaking(third, first)).toHaveLength(2);
});
