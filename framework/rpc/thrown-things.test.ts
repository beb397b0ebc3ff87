// Procedures that throw or return values that cannot be inspected: only their own call fails.
import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { FwErrorEvent } from '../index.js';
import { RpcRegistry } from './index.js';

const reported: FwErrorEvent[] = [];
const collect = (event: unknown): void => void reported.push(event as FwErrorEvent);
beforeEach(() => diagnostics.subscribe('fw:error', collect));
afterEach(() => {
  diagnostics.unsubscribe('fw:error', collect);
  reported.length = 0;
});

/** Throws at every access, even if it is asked whether it is an Error. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const rpc = new RpcRegistry()
  .queryWithTypes('fine', () => 'fine', 'void', 'string')
  .queryWithTypes(
    'throws',
    () => {
      throw revoked();
    },
    'void',
    'unknown',
  )
  .queryWithTypes('rejects', () => Promise.reject(revoked()), 'void', 'unknown')
  .queryWithTypes('gives', () => revoked(), 'void', 'unknown')
  .queryWithTypes('generator', async function* () {}, 'void', 'unknown')
  .queryWithTypes('iterator', () => new Map([['a', 1]]).values(), 'void', 'unknown')
  .queryWithTypes('pattern', () => /x/, 'void', 'unknown')
  .queryWithTypes('search', () => new URLSearchParams('a=1'), 'void', 'unknown');

async function answer(message: unknown): Promise<unknown> {
  const body = (await rpc.handleRequest(JSON.stringify(message))).intoBody();
  return body && JSON.parse(new TextDecoder().decode(body));
}

const internal = (id: number) => ({
  jsonrpc: '2.0',
  error: { code: -32603, message: 'Internal error' },
  id,
});

it.each(['throws', 'rejects', 'gives', 'generator', 'iterator', 'pattern', 'search'])(
  '%s results in -32603, and does not affect the other calls of the batch',
  async (method) => {
    const batch = [
      { jsonrpc: '2.0', method: 'fine', id: 1 },
      { jsonrpc: '2.0', method, id: 2 },
    ];
    expect(await answer(batch)).toEqual([{ jsonrpc: '2.0', result: 'fine', id: 1 }, internal(2)]);
    expect(reported).toMatchObject([{ status: 500, procedure: method }]);
  },
);

it('a notification that throws it has an empty response', async () => {
  expect(await answer({ jsonrpc: '2.0', method: 'throws' })).toBeUndefined();
  expect(reported).toHaveLength(1);
});
