// Errors that a procedure declares: what clients get over both wires, and what is refused.
import diagnostics from 'node:diagnostics_channel';
import { type } from 'arktype';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import { TestClient } from '../../testing/index.js';
import { errorCode, JsonRpcError, RpcError, RpcRegistry } from '../index.js';

const Order = z.object({ what: z.string() });

function shop(): RpcRegistry {
  return new RpcRegistry()
    .mutation(
      'buy',
      {
        input: Order,
        errors: {
          outOfStock: z.object({ left: z.number(), at: z.date().optional() }),
          closed: { status: 409, description: 'The shop is closed.' },
          tooLate: { status: 410, code: 4002, message: 'too late', data: v.object({ by: v.number() }) },
          not_for_sale: type({ item: 'string' }),
        },
      },
      async ({ what }, { errors }) => {
        if (what === 'stock') throw errors.outOfStock({ left: 2, secret: 'x' } as { left: number });
        if (what === 'dated') throw errors.outOfStock({ left: 2, at: new Date(0) });
        if (what === 'late') throw errors.tooLate({ by: 3 }, { message: 'three minutes late' });
        if (what === 'item') throw errors.not_for_sale({ item: 'sign' });
        if (what === 'wrong') throw errors.outOfStock({ left: 'two' } as never);
        if (what === 'returned') return errors.closed();
        throw errors.closed({ cause: new Error('night') });
      },
    )
    .query('plain', { input: Order }, (_input, call) => {
      expect(Object.keys(call.errors)).toEqual([]);
      throw new JsonRpcError(4001, 'plain', { left: 0 }, { status: 418 });
    });
}

interface Reported {
  readonly error: Error;
  readonly status: number;
  readonly procedure?: string;
}
let reported: Reported[] = [];
const collect = (event: unknown): void => void reported.push(event as Reported);
beforeEach(() => {
  reported = [];
  diagnostics.subscribe('fw:error', collect);
});
afterEach(() => {
  diagnostics.unsubscribe('fw:error', collect);
});

/** The error over JSON-RPC, then status and body over REST. */
async function sent(what: string, rpc = shop(), method = 'buy'): Promise<unknown[]> {
  const client = new TestClient(new App().mountRpc('/rpc', rpc).mountRest('/api', rpc));
  const call = { jsonrpc: '2.0', method, params: { what }, id: 1 };
  const { error } = (await client.post('/rpc', { json: call })).json() as { error: unknown };
  const answer = await client.post(`/api/${method}`, { json: { what } });
  return [error, answer.status, answer.json()];
}

describe('a declared error', () => {
  it('has its name and the parsed data, without fields that nobody declared', async () => {
    expect(await sent('stock')).toEqual([
      { code: -32000, message: 'out of stock', name: 'outOfStock', data: { left: 2 } },
      400,
      { error: 'outOfStock', message: 'out of stock', code: -32000, data: { left: 2 } },
    ]);
    expect(errorCode.declared).toBe(-32000);
  });

  it('has the declared status, code and message', async () => {
    expect(await sent('anything')).toEqual([
      { code: -32000, message: 'The shop is closed.', name: 'closed' },
      409,
      { error: 'closed', message: 'The shop is closed.', code: -32000 },
    ]);
    expect(await sent('late')).toEqual([
      { code: 4002, message: 'three minutes late', name: 'tooLate', data: { by: 3 } },
      410,
      { error: 'tooLate', message: 'three minutes late', code: 4002, data: { by: 3 } },
    ]);
    expect(await sent('item')).toMatchObject([
      { message: 'not for sale', name: 'not_for_sale', data: { item: 'sign' } },
      400,
      { error: 'not_for_sale' },
    ]);
  });

  it('has a Date in its data as the string that JSON makes of it', async () => {
    const data = { left: 2, at: '1970-01-01T00:00:00.000Z' };
    expect(await sent('dated')).toMatchObject([{ data }, 400, { data }]);
  });

  it('that is returned counts as thrown', async () => {
    expect(await sent('returned')).toMatchObject([{ name: 'closed' }, 409, { error: 'closed' }]);
  });

  it('is a response, and not reported over JSON-RPC', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'buy', params: { what: 'stock' }, id: 1 });
    await shop().handleRequest(body);
    expect(reported).toEqual([]);
  });

  it('is the same object in process', async () => {
    const error = await shop()
      .call('buy', { what: 'closed' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toBeInstanceOf(JsonRpcError);
    expect(error).toMatchObject({
      name: 'closed',
      procedure: 'buy',
      code: -32000,
      status: 409,
      message: 'The shop is closed.',
      cause: expect.objectContaining({ message: 'night' }),
    });
    expect(error).toHaveProperty('data', undefined);
    await expect(shop().call('buy', { what: 'stock' })).rejects.toMatchObject({
      name: 'outOfStock',
      data: { left: 2 },
    });
  });

  it('keeps its form in a route that calls the procedure', async () => {
    const rpc = shop();
    const app = new App().post('/orders', async (ctx) => rpc.call('buy', await ctx.req.json(), { ctx }));
    const answer = await new TestClient(app).post('/orders', { json: { what: 'stock' } });
    answer.assertStatus(400).assertJson({
      error: 'outOfStock',
      message: 'out of stock',
      code: -32000,
      data: { left: 2 },
    });
  });

  it('is answered by onError, where the app has one', async () => {
    const app = new App()
      .onError((error, ctx) => ctx.json({ failed: error instanceof RpcError ? error.name : 'other' }))
      .mountRest('/api', shop());
    const answer = await new TestClient(app).post('/api/buy', { json: { what: 'closed' } });
    answer.assertStatus(409).assertJson({ failed: 'closed' });
  });

  it('in a batch belongs to the procedure of its call', async () => {
    const calls = ['stock', 'closed'].map((what, id) => ({
      jsonrpc: '2.0',
      method: 'buy',
      params: { what },
      id,
    }));
    const output = await shop().handleRequest(
      JSON.stringify([...calls, { ...calls[0], method: 'plain', id: 2 }]),
    );
    expect(JSON.parse(new TextDecoder().decode(output.intoBody()))).toMatchObject([
      { error: { name: 'outOfStock' } },
      { error: { name: 'closed' } },
      { error: { code: 4001, data: { left: 0 } } },
    ]);
  });

  it('whose data does not match is an internal error, and only the server learns why', async () => {
    expect(await sent('wrong')).toEqual([
      { code: -32603, message: 'Internal error' },
      500,
      { error: 'Internal', message: 'internal server error' },
    ]);
    const why =
      "the data of the error 'outOfStock' of procedure 'buy' does not match its schema: " +
      'left: Invalid input: expected number, received string';
    expect(reported).toMatchObject([
      { error: { message: why }, status: 500, procedure: 'buy' },
      { error: { message: why }, status: 500 },
    ]);
  });

  it('whose schema is asynchronous is an internal error', async () => {
    const rpc = new RpcRegistry().mutation(
      'buy',
      { input: Order, errors: { late: z.object({}).refine(async () => false) } },
      (_order, { errors }) => {
        throw errors.late({});
      },
    );
    expect(await sent('x', rpc)).toMatchObject([{ code: -32603 }, 500, { error: 'Internal' }]);
    expect(reported[0]?.error.message).toMatch(/^the data of the error 'late' .* has an asynchronous schema/);
  });

  it('loses its name when another procedure passes it on, whose clients know it by no name', async () => {
    const rpc: RpcRegistry = shop().mutation(
      'sell',
      { input: Order, errors: { closed: z.object({ until: z.string() }) } },
      ({ what }) => rpc.call('buy', { what }),
    );
    expect(await sent('closed', rpc, 'sell')).toEqual([
      { code: -32000, message: 'The shop is closed.' },
      409,
      { error: 'BadRequest', message: 'The shop is closed.', code: -32000 },
    ]);
    await expect(rpc.call('sell', { what: 'closed' })).rejects.toMatchObject({
      name: 'closed',
      procedure: 'buy',
    });
  });
});

describe('an error that is not declared', () => {
  it('has its code and data over REST too', async () => {
    const client = new TestClient(new App().mountRest('/api', shop()));
    const answer = await client.get('/api/plain?what=x');
    answer.assertStatus(418).assertJson({
      error: 'BadRequest',
      message: 'plain',
      code: 4001,
      data: { left: 0 },
    });
  });

  it('with data that JSON cannot represent is an internal error over REST', async () => {
    const rpc = new RpcRegistry().mutation('buy', { input: Order }, () => {
      throw new JsonRpcError(4001, 'big', { left: 1n });
    });
    expect(await sent('x', rpc)).toEqual([
      { code: -32603, message: 'Internal error' },
      500,
      { error: 'Internal', message: 'internal server error' },
    ]);
  });

  it('keeps the message, the code and the data of an internal one on the server', async () => {
    const rpc = new RpcRegistry().mutation('buy', { input: Order }, () => {
      throw new JsonRpcError(errorCode.internalError, 'no table', { sql: 'select' });
    });
    expect(await sent('x', rpc)).toEqual([
      { code: -32603, message: 'Internal error' },
      500,
      { error: 'Internal', message: 'internal server error' },
    ]);
  });

  it('of an input that is refused lists its issues, over both wires', async () => {
    const issues = [{ path: ['what'], message: 'Invalid input: expected string, received number' }];
    const message = 'Invalid input: what: Invalid input: expected string, received number';
    expect(await sent(7 as never)).toEqual([
      { code: -32602, message, data: { issues } },
      400,
      { error: 'BadRequest', message, code: -32602, issues },
    ]);
  });
});
