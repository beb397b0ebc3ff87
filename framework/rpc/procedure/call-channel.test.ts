// The tracing channel fw:rpc: calls by every way in.
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import { TestClient } from '../../testing/index.js';
import { RpcRegistry } from '../index.js';
import type { CallTrace } from './call-channel.js';

const span = new AsyncLocalStorage<string>();
const seen: string[] = [];
const channel = diagnostics.tracingChannel<unknown, CallTrace>('fw:rpc');
const subscribers = {
  start: ({ procedure, kind }: CallTrace) => void seen.push(`start ${kind} ${procedure}`),
  end: () => {},
  asyncStart: () => {},
  asyncEnd: ({ procedure, outcome }: CallTrace) => void seen.push(`asyncEnd ${procedure} ${outcome}`),
  error: ({ procedure, error }: CallTrace) =>
    void seen.push(`error ${procedure} ${(error as Error).message}`),
};

beforeEach(() => {
  seen.length = 0;
  channel.subscribe(subscribers);
  channel.start.bindStore(span, ({ procedure }) => `span of ${procedure}`);
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  channel.unsubscribe(subscribers);
  channel.start.unbindStore(span);
  vi.restoreAllMocks();
});

const rpc = () =>
  new RpcRegistry()
    .queryWithTypes('now', () => span.getStore() ?? 'none', 'void', 'string')
    .queryWithTypes('later', async () => 1, 'void', 'number')
    .mutation('buy', { input: z.object({ count: z.number() }), errors: { soldOut: {} } }, (_, { errors }) => {
      throw errors.soldOut();
    })
    .mutationWithTypes(
      'crash',
      async () => {
        throw new TypeError('oops');
      },
      'void',
      'void',
    )
    .subscriptionWithTypes('ticks', async function* () {}, 'void', 'number');

const call = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });

it('has calls over JSON-RPC, each of a batch, in the async context of the subscriber', async () => {
  const client = new TestClient(new App().mountRpc('/rpc', rpc()));
  const answered = await client.post('/rpc', { json: call('now') });
  expect(answered.json()).toMatchObject({ result: 'span of now' });
  await client.post('/rpc', { json: [call('later'), call('buy', { count: 1 })] });
  expect(seen.slice(0, 4)).toEqual([
    'start query now',
    'asyncEnd now ok',
    'start query later',
    'start mutation buy',
  ]);
  const ends = ['asyncEnd buy soldOut', 'asyncEnd later ok', 'error buy sold out'];
  expect(seen.slice(4).sort()).toEqual(ends);
});

it('has calls that a check refuses, and those that crash', async () => {
  const client = new TestClient(new App().mountRpc('/rpc', rpc()));
  await client.post('/rpc', { json: call('buy', { count: 'many' }) });
  await client.post('/rpc', { json: call('crash') });
  expect(seen.filter((line) => line.startsWith('asyncEnd'))).toEqual([
    'asyncEnd buy -32602',
    'asyncEnd crash -32603',
  ]);
});

it('has calls over REST, subscriptions, and calls in process', async () => {
  const registry = rpc();
  const client = new TestClient(new App().mountRest('/api', registry));
  await client.get('/api/now');
  await client.get('/api/ticks');
  await registry.call('later', undefined);
  await expect(registry.call('crash', undefined)).rejects.toThrow('oops');
  expect(seen.filter((line) => !line.startsWith('start'))).toEqual([
    'asyncEnd now ok',
    'asyncEnd ticks ok',
    'asyncEnd later ok',
    'error crash oops',
    'asyncEnd crash -32603',
  ]);
});
