// The generated client with signals that live longer than its calls, such as one for the whole life of an application.

import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientCode, form } from '../conformance/client-form.js';
import { RpcRegistry } from '../rpc/registry/registry.js';

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

type Fetch = () => Promise<Response>;

interface Client {
  count(input: object, options?: CallOptions): Promise<number>;
}

let FwRpcClient: new (baseUrl: string, options: { fetch: Fetch; signal: AbortSignal }) => Client;

beforeAll(async () => {
  const registry = new RpcRegistry().queryWithTypes('count', () => 1, '{ of?: string }', 'number');
  const code = await clientCode(registry.generateClient({ client: form }));
  ({ FwRpcClient } = await import(`data:text/javascript,${encodeURIComponent(code)}`));
});

const outcomes: Record<string, { fetch: Fetch; timeoutMs?: number }> = {
  'an answer': { fetch: async () => new Response('{"result":1}') },
  'an error of the server': { fetch: async () => new Response('{"error":{"code":1,"message":"no"}}') },
  'an answer that is not JSON': { fetch: async () => new Response('<html>') },
  'a network that fails': { fetch: () => Promise.reject(new TypeError('no network')) },
  'a time that runs out': { fetch: () => new Promise(() => {}), timeoutMs: 1 },
};

describe('a signal that outlives the calls', () => {
  it.each(Object.keys(outcomes))('keeps no listener after %s', async (name) => {
    const { fetch, timeoutMs } = outcomes[name] as (typeof outcomes)[string];
    const [ofClient, ofCall] = [new AbortController().signal, new AbortController().signal];
    const client = new FwRpcClient('/rpc', { fetch, signal: ofClient });
    for (let call = 0; call < 3; call += 1) {
      const ended = client.count({}, { signal: ofCall, ...(timeoutMs && { timeoutMs }) });
      await ended.then(undefined, () => {});
    }
    expect([ofClient, ofCall].map((signal) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });
});
