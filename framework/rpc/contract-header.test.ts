// `X-Fw-Contract`: a client says which contract it was generated for.
import diagnostics from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../index.js';
import { RpcRegistry } from './index.js';
import { contractHash } from './types/same-type.js';

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

it('answers a client of the same contract, whatever the order of registration', async () => {
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

it.each(['', 'old', contractHash(registry(z.string().min(1)).types())])(
  'refuses another one: %j',
  async (sent) => {
    const [status, envelope, restStatus] = await answers(registry(), sent);
    expect([status, envelope, restStatus]).toMatchObject([200, { error: { code: -32010 }, id: 1 }, 409]);
  },
);

it('refuses every one where the types cannot be told, and reports why once', async () => {
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
