// What is known of the RPC calls of a request: in the log, and by ctx.operation().
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, FwError } from '../index.js';
import { logger } from '../middleware/index.js';
import { RpcRegistry } from '../rpc/index.js';
import { TestClient } from '../testing/index.js';
import { subscribe, type TracingEvent } from '../tracing/index.js';
import type { Context } from './context.js';

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

function registry(): RpcRegistry {
  return new RpcRegistry()
    .queryWithTypes('getUser', () => ({ id: '1' }), 'void', '{ id: string }')
    .queryWithTypes('later', async () => 1, 'void', 'number')
    .queryWithTypes(
      'nested',
      async (_, { ctx }) => await rpcOf(ctx).call('getUser', undefined, { ctx }),
      'void',
      '{ id: string }',
    )
    .mutation(
      'buy',
      { input: z.object({ count: z.number() }), errors: { outOfStock: z.object({ left: z.number() }) } },
      ({ count }, { errors }) => {
        if (count > 1) throw errors.outOfStock({ left: 1 });
      },
    )
    .mutationWithTypes(
      'refuse',
      () => {
        throw FwError.forbidden('not yours');
      },
      'void',
      'void',
    )
    .mutationWithTypes(
      'crash',
      () => {
        throw new TypeError('oops');
      },
      'void',
      'void',
    )
    .subscriptionWithTypes('ticks', async function* () {}, 'void', 'number');
}

const rpcs = new WeakMap<Context, RpcRegistry>();
const rpcOf = (ctx: Context) => rpcs.get(ctx) as RpcRegistry;

/** An app that keeps the operations and the events of its requests. */
function observed(rpc = registry()) {
  const operations: (string | undefined)[] = [];
  const events: TracingEvent[] = [];
  ended.push(subscribe((event) => events.push(event)));
  const app = new App()
    .use(async (ctx, next) => {
      rpcs.set(ctx, rpc);
      try {
        return await next();
      } finally {
        operations.push(ctx.operation());
      }
    })
    .use(logger());
  return { app, rpc, operations, events };
}

const responses = (events: readonly TracingEvent[]) =>
  events
    .filter(({ message }) => message.startsWith('<--'))
    .map(({ message, fields: { path, method, status, durationMs, ...fields } }) => [
      message.replace(/ \([\d.]+ms\)$/, ''),
      fields,
    ]);

const call = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 1, method, params });

describe('JSON-RPC', () => {
  it.each([
    ['a result', call('getUser'), 'getUser', 'ok', 'getUser'],
    ['a result that is awaited', call('later'), 'later', 'ok', 'later'],
    ['a call inside of another, which is none of the client', call('nested'), 'nested', 'ok', 'nested'],
    ['a notification', { jsonrpc: '2.0', method: 'getUser' }, 'getUser', 'ok', 'getUser', 204],
    ['a declared error', call('buy', { count: 2 }), 'buy', 'outOfStock', 'buy'],
    ['an input that is not valid', call('buy', { count: 'x' }), 'buy', '-32602', 'buy'],
    ['an error of HTTP', call('refuse'), 'refuse', '-32003', 'refuse'],
    ['a crash', call('crash'), 'crash', '-32603', 'crash'],
    ['an unknown name', call('nothing'), 'nothing', '-32601', '_OTHER'],
    ['a message without a name', { jsonrpc: '2.0', id: 1 }, '', '-32600', 'POST /rpc'],
  ])('logs %s', async (_what, message, procedure, outcome, operation, status = 200) => {
    const { app, rpc, operations, events } = observed();
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { json: message });
    expect(operations).toEqual([operation]);
    expect(responses(events)).toEqual([
      [`<-- POST /rpc ${procedure || '?'} ${outcome} ${status}`, { procedure, outcome }],
    ]);
  });

  it('logs a text that is not JSON', async () => {
    const { app, rpc, events } = observed();
    const headers = { 'content-type': 'application/json' };
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { body: '{', headers });
    expect(responses(events)).toEqual([['<-- POST /rpc ? -32700 200', { procedure: '', outcome: '-32700' }]]);
  });

  it('logs a subscription', async () => {
    const { app, rpc, operations, events } = observed();
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { json: call('ticks') });
    expect(operations).toEqual(['ticks']);
    expect(responses(events)).toEqual([
      ['<-- POST /rpc ticks ok 200', { procedure: 'ticks', outcome: 'ok' }],
    ]);
  });

  it('logs each call of a batch, and counts those that would be too many for a line', async () => {
    const { app, rpc, operations, events } = observed();
    const client = new TestClient(app.mountRpc('/rpc', rpc));
    await client.post('/rpc', {
      json: [call('later'), call('buy', { count: 2 }), call('ticks'), call('nothing'), 7],
    });
    await client.post('/rpc', { json: Array.from({ length: 7 }, () => call('getUser')) });
    await client.post('/rpc', { json: [call('getUser')] });
    expect(operations).toEqual(['rpc.batch', 'rpc.batch', 'getUser']);
    const [first, second, third] = responses(events);
    expect(first).toEqual([
      '<-- POST /rpc later ok, buy outOfStock, ticks -32600, nothing -32601, ? -32600 200',
      {
        calls: [
          { procedure: 'later', outcome: 'ok' },
          { procedure: 'buy', outcome: 'outOfStock' },
          { procedure: 'ticks', outcome: '-32600' },
          { procedure: 'nothing', outcome: '-32601' },
          { procedure: '', outcome: '-32600' },
        ],
      },
    ]);
    expect(second?.[0]).toBe(`<-- POST /rpc ${Array(5).fill('getUser ok').join(', ')} and 2 more 200`);
    expect(third?.[0]).toBe('<-- POST /rpc getUser ok 200');
  });

  it('shortens a name that no procedure has', async () => {
    const { app, rpc, events } = observed();
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { json: call('x'.repeat(1000)) });
    expect(responses(events)[0]?.[0]).toBe(`<-- POST /rpc ${'x'.repeat(100)}… -32601 200`);
  });

  it('names a procedure that a client of other types calls', async () => {
    const { app, rpc, operations, events } = observed();
    const headers = { 'x-fw-contract': 'x' };
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { json: call('getUser'), headers });
    expect(operations).toEqual(['getUser']);
    expect(responses(events)[0]?.[0]).toMatch(/^<-- POST \/rpc getUser -\d+ 200$/);
  });

  it('names the procedure in the event of an error', async () => {
    const { app, rpc, events } = observed();
    await new TestClient(app.mountRpc('/rpc', rpc)).post('/rpc', { json: call('crash') });
    expect(events.find(({ level }) => level === 'error')).toMatchObject({
      message: 'POST /rpc crash failed: oops',
      fields: { procedure: 'crash', status: 500 },
    });
  });

  it('remembers only so many calls of a context that lives long', async () => {
    const rpc = registry();
    let called: Context['called'];
    const app = new App().get('/', async (ctx) => {
      for (let count = 0; count < 1100; count += 1) {
        await rpc.handleRequest(JSON.stringify(call(count % 2 === 0 ? 'refuse' : 'nothing')), { ctx });
      }
      called = ctx.called;
      return 'done';
    });
    const quiet = vi.spyOn(console, 'error').mockImplementation(() => {});
    await new TestClient(app).get('/');
    quiet.mockRestore();
    expect(called).toHaveProperty('size', 1000);
  });
});

describe('REST', () => {
  it.each([
    ['GET', 'getUser', undefined, 'ok', 200],
    ['POST', 'buy', { count: 2 }, 'outOfStock', 400],
    ['POST', 'buy', { count: 'x' }, '-32602', 400],
    ['POST', 'crash', undefined, '-32603', 500],
    ['GET', 'ticks', undefined, 'ok', 200],
  ] as const)('logs %s %s with %j', async (method, name, json, outcome, status) => {
    const { app, rpc, operations, events } = observed();
    const client = new TestClient(app.mountRest('/api', rpc));
    await client.request(method, `/api/${name}`, json === undefined ? {} : { json });
    expect(operations).toEqual([name]);
    const [[message, fields] = []] = responses(events);
    expect(message).toBe(`<-- ${method} /api/${name} ${name} ${outcome} ${status}`);
    expect(fields).toEqual({ procedure: name, outcome });
  });
});

describe('the operation of a route', () => {
  it('is its method and path, with the prefixes of mounts, and nothing without a route', async () => {
    const { app, operations, events } = observed();
    const users = new App().get('/:id', () => 'x').all('/any', () => 'any');
    const client = new TestClient(app.route('/users', users));
    await client.get('/users/7');
    await client.request('HEAD', '/users/7');
    await client.request('BREW', '/users/any');
    await client.get('/nowhere');
    expect(operations).toEqual(['GET /users/:id', 'HEAD /users/:id', '_OTHER /users/any', undefined]);
    expect(responses(events)[0]).toEqual(['<-- GET /users/7 200', {}]);
  });
});
