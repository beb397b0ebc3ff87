// `X-Fw-Contract`: a client sends the types that it was generated for, and is refused if a change breaks it.
import diagnostics from 'node:diagnostics_channel';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import { contractHash } from '../../wire/compare/same-type.js';
import { RpcRegistry } from '../index.js';
import { ContractCheck } from './contract-check.js';

function registry(output = z.string()): RpcRegistry {
  return new RpcRegistry().query('a', { input: z.object({}), output }, () => 'answer');
}

async function answers(rpc: RpcRegistry, contract: string): Promise<unknown[]> {
  const app = new App().mountRpc('/rpc', rpc).mountRest('/api', rpc);
  const headers = { 'Content-Type': 'application/json', 'X-Fw-Contract': contract };
  const body = '{"jsonrpc":"2.0","method":"a","id":1}';
  const jsonRpc = await app.fetch(new Request('http://x/rpc', { method: 'POST', headers, body }));
  const rest = await app.fetch(new Request('http://x/api/a', { headers }));
  return [jsonRpc.status, await jsonRpc.json(), rest.status, await rest.json()];
}

it('answers a client that sends the hash of the same contract, in any order of registration', async () => {
  const order = registry().query('b', { input: z.object({}) }, () => 1);
  const other = new RpcRegistry()
    .query('b', { input: z.object({}) }, () => 2)
    .query('a', { input: z.object({}), output: z.string() }, () => 'answer');
  expect(await answers(order, contractHash(other.types()))).toEqual([
    200,
    { jsonrpc: '2.0', result: 'answer', id: 1 },
    200,
    'answer',
  ]);
});

it.each([
  '',
  'old',
  '{',
  '{}',
  '[]',
  '{"procedures":{"a":1},"types":{}}',
  '{"procedures":{"a":["query","(",""]},"types":{}}',
])('refuses an invalid contract: %j', async (sent) => {
  const [status, envelope, restStatus] = await answers(registry(), sent);
  expect([status, envelope, restStatus]).toMatchObject([200, { error: { code: -32010 }, id: 1 }, 409]);
});

it('refuses an invalid contract for every way to call', async () => {
  const ran: string[] = [];
  const rpc = new RpcRegistry()
    .query('query', () => void ran.push('query'))
    .mutation('mutation', () => void ran.push('mutation'))
    // biome-ignore lint/correctness/useYield: it must not run.
    .subscription('subscription', async function* () {
      ran.push('subscription');
    });
  const app = new App().mountRpc('/rpc', rpc).mountRest('/api', rpc);
  const ask = async (path: string, body?: unknown) => {
    const headers = { 'Content-Type': 'application/json', 'X-Fw-Contract': 'old' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await app.fetch(new Request(`http://x${path}`, init));
    return [response.status, await response.json()];
  };
  const refused = { error: { code: -32010 } };
  const call = (method: string) => ({ jsonrpc: '2.0', method, id: 1 });
  for (const method of ['query', 'mutation', 'subscription'])
    expect(await ask('/rpc', call(method))).toMatchObject([200, refused]);
  expect(await ask('/rpc', [call('query'), call('mutation')])).toMatchObject([200, [refused, refused]]);
  expect((await ask('/api/query'))[0]).toBe(409);
  expect((await ask('/api/mutation', {}))[0]).toBe(409);
  expect((await ask('/api/subscription'))[0]).toBe(409);
  expect(ran).toEqual([]);
});

/** The field that a client sends that was generated for the registry and calls these procedures. */
function fieldOf(rpc: RpcRegistry, ...names: string[]): string {
  const text = rpc.generateClient();
  const contract = new Function(
    `return ${/^export const contract: FwRpcContract = (\{.*?^\});$/ms.exec(text)?.[1]?.replace('field: contractField,', '')}`,
  )();
  const procedures: Record<string, unknown> = {};
  const types: Record<string, string> = {};
  for (const name of names) {
    const [kind, input, output, used] = contract.procedures[name];
    procedures[name] = [kind, input, output];
    for (const type of used) types[type] = contract.types[type];
  }
  return JSON.stringify({ procedures, types });
}

const User = z.object({ id: z.string(), name: z.string().max(9), age: z.int() }).meta({ id: 'User' });
const Recent = z.object({ limit: z.number().optional() });
const before = (): RpcRegistry =>
  new RpcRegistry()
    .query('a', { input: Recent, output: z.array(User) }, () => [])
    .query('b', { input: Recent, output: z.string() }, () => 'b');

it.each<[string, z.ZodType<object>, z.ZodType]>([
  ['nothing changed', Recent, z.array(User)],
  ['an optional field of the input', Recent.extend({ from: z.string().optional() }), z.array(User)],
  ['a field of the result', Recent, z.array(User.extend({ email: z.string() }).meta({ id: 'User' }))],
  ['a rule', Recent.extend({ limit: z.int().max(5).optional() }), z.array(User)],
  ['a name of a type', Recent, z.array(User.meta({ id: 'Person' }))],
])('answers a client that does not break by %s', async (_what, input, output) => {
  const now = new RpcRegistry()
    .query('a', { input, output }, () => [])
    .mutation('added', { input: z.object({}) }, () => 1);
  expect(await answers(now, fieldOf(before(), 'a'))).toMatchObject([200, { result: [] }, 200, []]);
});

it.each<[string, z.ZodType<object>, z.ZodType]>([
  ['a required field of the input', Recent.extend({ from: z.string() }), z.array(User)],
  ['a removed field of the result', Recent, z.array(User.omit({ name: true }).meta({ id: 'User' }))],
  ['another type', Recent.extend({ limit: z.string().optional() }), z.array(User)],
])('refuses a client that breaks by %s', async (_what, input, output) => {
  const now = new RpcRegistry()
    .query('a', { input, output }, () => [])
    .query('b', { input: Recent, output: z.string() }, () => 'b');
  const [status, envelope, restStatus] = await answers(now, fieldOf(before(), 'a'));
  expect([status, envelope, restStatus]).toMatchObject([
    200,
    { error: { code: -32010, message: expect.stringContaining("other types of 'a'") }, id: 1 },
    409,
  ]);
  // Its other procedures are not affected.
  const app = new App().mountRest('/api', now);
  const headers = { 'X-Fw-Contract': fieldOf(before(), 'b') };
  expect((await app.fetch(new Request('http://x/api/b', { headers }))).status).toBe(200);
});

it('refuses a client if a procedure was removed or is of another kind', async () => {
  const now = new RpcRegistry().mutation('a', { input: Recent, output: z.array(User) }, () => []);
  const check = new ContractCheck(now.types());
  expect(check.broken(fieldOf(before(), 'a', 'b'))).toEqual(['a', 'b']);
});

it('refuses a client if the data of a declared error is of another type', () => {
  const errors = { gone: z.object({ at: z.number() }) };
  const rpc = new RpcRegistry().query('a', { errors, output: z.string() }, () => 'answer');
  const sent = (data: string) =>
    JSON.stringify({ procedures: { a: ['query', 'void', 'string', { gone: data }] }, types: {} });
  const check = new ContractCheck(rpc.types());
  expect(check.broken(sent('{ at: number }'))).toEqual([]);
  expect(check.broken(sent('{ at: string }'))).toEqual(['a']);
});

it('reads contracts up to a length that no client sends, and keeps 500 answers at most', () => {
  const text = '{"procedures":{},"types":{}}';
  const check = new ContractCheck(registry().types());
  expect(check.broken(text.padEnd(8_192))).toEqual([]);
  expect(check.broken(text.padEnd(8_193))).toBeUndefined();
  const cleared = vi.spyOn(Map.prototype, 'clear');
  for (let length = 100; length < 599; length++) check.broken(text.padEnd(length));
  expect(cleared).not.toHaveBeenCalled();
  expect(check.broken(text)).toEqual([]);
  expect(cleared).toHaveBeenCalledTimes(1);
  cleared.mockRestore();
});

it('reads hostile contracts in limited time', () => {
  const check = new ContractCheck(before().types());
  const union = Array.from({ length: 900 }, (_, index) => index).join('|');
  const texts = [
    `{"procedures":{"a":["query","${union}","${union}"]},"types":{}}`,
    `{"procedures":{"a":["query","${'{a:'.repeat(90)}1${'}'.repeat(90)}","void"]},"types":{}}`,
    `{"procedures":{"a":["query","${'('.repeat(2_000)}","void"]},"types":{}}`,
    `{"procedures":{"a":["query","A","void"]},"types":{${Array.from({ length: 150 }, (_, index) => `"A${index}":"A${index + 1}|A${index + 2}"`).join()}}}`,
    `{"procedures":{"__proto__":["query","void","void"],"constructor":["query","void","void"]},"types":{"__proto__":"void"}}`,
  ];
  const began = performance.now();
  for (const text of texts) expect(check.broken(text)).not.toEqual([]);
  expect(performance.now() - began).toBeLessThan(2_000);
  for (let index = 0; index < 2_000; index++) check.broken(`{"procedures":{"b${index}":[]}}`);
});

it('refuses all clients if the types cannot be determined, and reports the reason once', async () => {
  const reported: unknown[] = [];
  const collect = (event: unknown): void => void reported.push(event);
  const rpc = registry().query('b', { input: z.map(z.string(), z.string()) }, () => 1);
  diagnostics.subscribe('fw:error', collect);
  const app = new App().mountRpc('/rpc', rpc);
  for (const contract of ['', 'old', 'old']) {
    const headers = { 'Content-Type': 'application/json', 'X-Fw-Contract': contract };
    const body = '{"jsonrpc":"2.0","method":"a","id":1}';
    const answer = await app.fetch(new Request('http://x/rpc', { method: 'POST', headers, body }));
    expect(await answer.json()).toMatchObject({ error: { code: -32010 } });
  }
  diagnostics.unsubscribe('fw:error', collect);
  expect(reported).toHaveLength(1);
  expect(reported).toMatchObject([{ error: { message: expect.stringContaining("the input of 'b'") } }]);
});
