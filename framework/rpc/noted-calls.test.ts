// What the log says of calls that fail in unusual ways: their names and outcomes.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, FwError } from '../index.js';
import { logger } from '../middleware/index.js';
import { TestClient } from '../testing/index.js';
import { subscribe } from '../tracing/index.js';
import { JsonRpcError, RpcMode, RpcRegistry } from './index.js';

afterEach(() => vi.restoreAllMocks());

async function outcomes(app: App, send: (http: TestClient) => Promise<unknown>): Promise<unknown[]> {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const noted: unknown[] = [];
  const unsubscribe = subscribe(({ fields }) => {
    if (fields?.outcome !== undefined) noted.push([fields.procedure, fields.outcome]);
  });
  await send(new TestClient(app));
  unsubscribe();
  return noted;
}

describe('the line of the log about a call', () => {
  it('has the error of a subscription over REST that is refused', async () => {
    const rpc = RpcRegistry.withMode(RpcMode.Rest).subscription('follow', () => {
      throw FwError.forbidden('not yours');
    });
    const app = new App().use(logger()).mountRest('/api', rpc);
    expect(await outcomes(app, (http) => http.get('/api/follow'))).toEqual([['follow', '-32003']]);
  });

  it('has the error of a call whose own error has no JSON form', async () => {
    const rpc = new RpcRegistry().query('count', { input: z.object({}) }, () => {
      throw new JsonRpcError(-32050, 'too many', { most: 1n });
    });
    const app = new App().use(logger()).mountRpc('/rpc', rpc);
    const json = { jsonrpc: '2.0', id: 1, method: 'count', params: {} };
    expect(await outcomes(app, (http) => http.post('/rpc', { json }))).toEqual([['count', '-32603']]);
  });
});
