import diagnostics from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FwError, type FwErrorEvent } from '../index.js';
import { JsonRpcError, RpcRegistry } from './index.js';

const reported: FwErrorEvent[] = [];
const collect = (event: unknown): void => void reported.push(event as FwErrorEvent);
beforeEach(() => diagnostics.subscribe('fw:error', collect));
afterEach(() => {
  diagnostics.unsubscribe('fw:error', collect);
  reported.length = 0;
});

const failure = new Error('the password is 1234');
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

const rpc = new RpcRegistry()
  .query('echo', { input: z.looseObject({}) }, (input) => input)
  .query('list', { input: z.array(z.number()) }, (input) => input)
  .query('late', { input: z.object({ name: z.string() }) }, async ({ name }) => `Hello ${name}`)
  .query('none', { input: z.object({}) }, () => undefined)
  .query('date', { input: z.object({}) }, () => ({ at: new Date(0) }))
  .query('bigint', { input: z.object({}) }, () => 1n)
  .query('cycle', { input: z.object({}) }, () => cyclic)
  .query('map', { input: z.object({}) }, () => new Map([['a', 1]]))
  .query('function', { input: z.object({}) }, () => () => 1)
  .query('error', { input: z.object({}) }, async () => failure)
  .query('throws', { input: z.object({}) }, () => {
    throw failure;
  })
  .query('rejects', { input: z.object({}) }, () => Promise.reject(failure))
  .query('typed', { input: z.object({}) }, () => {
    throw new JsonRpcError(4001, 'out of stock', { left: 0 });
  })
  .query('bare', { input: z.object({}) }, () => {
    throw new JsonRpcError(-32000, 'busy');
  })
  .query('circularData', { input: z.object({}) }, () => {
    throw new JsonRpcError(1, 'x', cyclic);
  })
  .query('hidden', { input: z.object({}) }, () => {
    throw new JsonRpcError(-32603, 'the password is 1234', 'secret');
  })
  .query('fw', { input: z.object({ variant: z.string() }) }, ({ variant }) => {
    throw FwError[variant as 'notFound']('the reason');
  });

async function send(message: unknown): Promise<unknown> {
  const text = typeof message === 'string' ? message : JSON.stringify(message);
  const body = (await rpc.handleRequest(text)).intoBody();
  return body && JSON.parse(new TextDecoder().decode(body));
}

const call = (method: unknown, params?: unknown, id: unknown = 1) =>
  send({ jsonrpc: '2.0', method, params, id });

const error = (code: number, message: string, id: unknown = 1, data?: unknown) => ({
  jsonrpc: '2.0',
  error: { code, message, ...(data !== undefined && { data }) },
  id,
});

const internal = error(-32603, 'Internal error');

describe('ids', () => {
  it.each(['', 'a"b\\ü\ud800', 0, -1, 1.5, 9007199254740991, null])('%j is returned', async (id) => {
    expect(await call('none', {}, id)).toEqual({ jsonrpc: '2.0', result: null, id });
  });

  it.each(['true', '[]', '{}', '[1]', '9007199254740993', '-9007199254740993', '1e400'])(
    '%s is refused',
    async (id) => {
      const message = 'Invalid request: the id is a string, null, or a number up to 9007199254740991';
      expect(await send(`{"jsonrpc":"2.0","method":"none","id":${id}}`)).toEqual(
        error(-32600, message, null),
      );
    },
  );
});

describe('requests', () => {
  it.each(['1', '"text"', 'null', 'true'])('%s is not a request', async (text) => {
    expect(await send(text)).toEqual(error(-32600, 'Invalid request: a request is an object', null));
  });

  it.each(['', ' ', '{', '\ufeff', 'undefined', '{"jsonrpc":"2.0","method":"none","id":1}x', "{'a':1}"])(
    '%j is not JSON',
    async (text) => {
      expect(await send(text)).toEqual(error(-32700, 'Parse error', null));
    },
  );

  it.each([1, '2', '1.0', null, {}, 2.0])('are of version 2.0, not %j', async (jsonrpc) => {
    expect(await send({ jsonrpc, method: 'none', id: 7 })).toEqual(
      error(-32600, "Invalid request: 'jsonrpc' is not '2.0'", 7),
    );
  });

  it.each([null, 1, 'x', true])('have params that are an object or an array, not %j', async (params) => {
    const message = "Invalid request: 'params' is neither an object nor an array";
    expect(await call('none', params)).toEqual(error(-32600, message));
    expect(await send({ jsonrpc: '2.0', method: 'none', params })).toEqual(error(-32600, message, null));
    expect(await send({ method: 'none', params })).toEqual({ error: { code: -32600, message } });
  });

  it.each([null, 1, {}, ['none']])('have a method that is a string, not %j', async (method) => {
    expect(await call(method)).toEqual(error(-32600, "Invalid request: 'method' is not a string"));
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'rpc.discover', ''])(
    'with the method %j find no procedure',
    async (name) => {
      expect(await call(name)).toEqual(error(-32601, `Procedure '${name}' not found`));
    },
  );

  it('with a long method get a short response', async () => {
    const { error } = (await call('x'.repeat(10_000))) as { error: { message: string } };
    expect(error.message).toHaveLength("Procedure '' not found".length + 101);
  });

  it('of any depth do no harm', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(await send(deep)).toEqual([error(-32600, 'Invalid request: a request is an object', null)]);
    expect(await send(`{"jsonrpc":"2.0","method":${deep},"id":1}`)).toMatchObject({
      error: { code: -32600 },
    });
    expect(await send(`{"jsonrpc":"2.0","method":"none","id":${deep}}`)).toMatchObject({
      error: { code: -32600 },
    });
    const echo = (params: string): string =>
      `{"jsonrpc":"2.0","method":"echo","params":{"a":${params}},"id":1}`;
    const refused = error(-32602, 'Invalid input: nested too deeply');
    const nested = '['.repeat(5000) + ']'.repeat(5000);
    expect(await send(echo(deep))).toEqual(refused);
    expect(await send(`[${echo(nested)},${echo('[1]')}]`)).toEqual([
      refused,
      { jsonrpc: '2.0', result: { a: [1] }, id: 1 },
    ]);
    expect(reported).toEqual([]);
  });

  it('with a __proto__ key do not change prototypes', async () => {
    const text =
      '{"jsonrpc":"2.0","method":"echo","params":{"__proto__":{"admin":true}},"id":1,"__proto__":{}}';
    expect(await send(text)).toMatchObject({ id: 1 });
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });
});

describe('legacy requests', () => {
  it('are answered in the same form', async () => {
    expect(await send({ method: 'late', params: { name: 'Ada' } })).toEqual({ result: 'Hello Ada' });
    expect(await send({ method: 'nobody' })).toEqual({
      error: { code: -32601, message: "Procedure 'nobody' not found" },
    });
    expect(await send({ method: 'typed' })).toEqual({
      error: { code: 4001, message: 'out of stock', data: { left: 0 } },
    });
    expect(await send({ method: 'throws' })).toEqual({ error: { code: -32603, message: 'Internal error' } });
    expect(await send([{ method: 'none' }, { jsonrpc: '2.0', method: 'none', id: 1 }])).toEqual([
      { result: null },
      { jsonrpc: '2.0', result: null, id: 1 },
    ]);
  });

  it('without a method are answered with an envelope', async () => {
    for (const request of [{}, { foo: 'boo' }, { id: 1 }, { params: {} }]) {
      expect(await send(request)).toEqual(error(-32600, "Invalid request: 'method' is not a string", null));
    }
  });
});

describe('batches', () => {
  it('run their calls at the same time and answer in order', async () => {
    const order: string[] = [];
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const both = new RpcRegistry()
      .query('first', { input: z.object({}) }, async () => {
        await gate;
        order.push('first');
        return 1;
      })
      .query('second', { input: z.object({}) }, () => {
        order.push('second');
        open();
        return 2;
      });
    const text = JSON.stringify([
      { jsonrpc: '2.0', method: 'first', id: 'a' },
      { jsonrpc: '2.0', method: 'second', id: 'b' },
    ]);
    const body = (await both.handleRequest(text)).intoBody();
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual([
      { jsonrpc: '2.0', result: 1, id: 'a' },
      { jsonrpc: '2.0', result: 2, id: 'b' },
    ]);
    expect(order).toEqual(['second', 'first']);
  });

  it('of invalid calls get an error for each', async () => {
    const answers = (await send([null, [], 1, {}, { jsonrpc: '2.0' }, [{}]])) as { error: unknown }[];
    expect(answers).toHaveLength(6);
    for (const one of answers) expect(one).toMatchObject({ error: { code: -32600 }, id: null });
  });

  it('with more calls than allowed run none', async () => {
    const calls = (count: number) => Array(count).fill({ jsonrpc: '2.0', method: 'throws', id: 1 });
    const message = 'Invalid request: a batch holds 50 calls at most, got 10000; send several';
    expect(await send(calls(10_000))).toEqual(error(-32600, message, null));
    expect(reported).toEqual([]);
    expect(await send(calls(50))).toHaveLength(50);
    expect(reported).toHaveLength(50);
  });

  it('are limited to maxBatch calls', async () => {
    const small = new RpcRegistry().maxBatch(1);
    const body = (await small.handleRequest('[{},{}]')).intoBody();
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ error: { code: -32600 }, id: null });
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      expect(() => new RpcRegistry().maxBatch(bad)).toThrow(
        `maxBatch: the number of calls is ${bad}; give a whole number, 1 or more`,
      );
    }
  });
});

describe('results', () => {
  it('that are undefined become null, others what their toJSON returns', async () => {
    expect(await call('none')).toEqual({ jsonrpc: '2.0', result: null, id: 1 });
    expect(await call('date')).toMatchObject({ result: { at: '1970-01-01T00:00:00.000Z' } });
  });

  it.each([
    ['bigint', 'a bigint has no JSON form; convert it first, as with String()'],
    ['cycle', 'circular'],
    ['map', "procedure 'map' returned a Map, whose JSON would be {}; convert it first"],
    ['function', "procedure 'function' returned a function, which has no JSON form"],
    ['error', 'the password is 1234'],
  ])('without a JSON form (%s) are internal errors, and reported', async (name, message) => {
    expect(await call(name)).toEqual(internal);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatchObject({ status: 500, procedure: name });
    expect(String(reported[0]?.error)).toContain(message);
  });
});

describe('errors of procedures', () => {
  it.each(['throws', 'rejects'])('are reported, and their message is not sent: %s', async (name) => {
    expect(await call(name)).toEqual(internal);
    expect(reported).toEqual([{ error: failure, status: 500, method: 'RPC', path: '', procedure: name }]);
  });

  it('are also reported for notifications', async () => {
    expect(await send({ jsonrpc: '2.0', method: 'rejects' })).toBeUndefined();
    expect(reported).toHaveLength(1);
  });

  it('that are typed are sent with code, message and data', async () => {
    expect(await call('typed')).toEqual(error(4001, 'out of stock', 1, { left: 0 }));
    expect(await call('bare')).toEqual(error(-32000, 'busy'));
    expect(reported).toEqual([]);
  });

  it('with data that has no JSON form are internal errors', async () => {
    expect(await call('circularData')).toEqual(internal);
    expect(String(reported[0]?.error)).toBe("Error: the error of procedure 'circularData' cannot be sent");
  });

  it('with the code -32603 do not send their message', async () => {
    expect(await call('hidden')).toEqual(internal);
    expect(reported).toHaveLength(1);
  });

  it.each([
    ['badRequest', -32602, 400],
    ['validationError', -32602, 400],
    ['unauthorized', -32001, 401],
    ['forbidden', -32003, 403],
    ['notFound', -32004, 404],
    ['methodNotAllowed', -32005, 405],
    ['requestTimeout', -32008, 408],
    ['conflict', -32009, 409],
    ['preconditionFailed', -32012, 412],
    ['payloadTooLarge', -32013, 413],
    ['unsupportedMediaType', -32015, 415],
    ['rangeNotSatisfiable', -32016, 416],
    ['preconditionRequired', -32028, 428],
    ['tooManyRequests', -32029, 429],
    ['serviceUnavailable', -32053, 503],
  ])('FwError.%s has the code %i', async (variant, code, status) => {
    const data = { error: variant.charAt(0).toUpperCase() + variant.slice(1), status };
    expect(await call('fw', { variant })).toEqual(error(code, 'the reason', 1, data));
    expect(reported).toMatchObject([{ status, procedure: 'fw' }]);
  });

  it.each(['internal', 'databaseError'])('FwError.%s does not send its message', async (variant) => {
    expect(await call('fw', { variant })).toEqual(internal);
    expect(reported).toMatchObject([{ status: 500 }]);
  });

  it('cannot have a code that JSON-RPC reserves', () => {
    for (const code of [-32100, -32768, -32699]) {
      expect(() => new JsonRpcError(code, 'x')).toThrow(`the error code ${code} is reserved by JSON-RPC 2.0`);
    }
    for (const code of [1.5, Number.NaN, '1' as never]) {
      expect(() => new JsonRpcError(code, 'x')).toThrow(
        `${code} is not a JSON-RPC error code: use an integer`,
      );
    }
    for (const code of [-32000, -32099, -32602, 0, 1, -1])
      expect(new JsonRpcError(code, 'x').code).toBe(code);
  });
});

describe('params', () => {
  it('that are absent are an object or an array, depending on the input', async () => {
    expect(await call('echo')).toMatchObject({ result: {} });
    expect(await call('list')).toMatchObject({ result: [] });
  });

  it('by position are for arrays and tuples only', async () => {
    expect(await call('list', [1, 2])).toMatchObject({ result: [1, 2] });
    expect(await call('echo', [1])).toMatchObject({ error: { code: -32602 } });
    expect(await call('list', { 0: 1 })).toMatchObject({ error: { code: -32602 } });
  });

  it('that are invalid are refused with the reason', async () => {
    expect(await call('late', { name: 7 })).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringMatching(/^Invalid input: name: .*string/),
        data: { issues: [{ path: ['name'], message: expect.any(String) }] },
      },
    });
    expect(reported).toEqual([]);
  });
});

it('ends a stream that a notification returns, which nobody gets', async () => {
  let hasEnded = false;
  const streaming = new RpcRegistry().query('stream', { input: z.object({}) }, () => {
    return new ReadableStream({
      cancel() {
        hasEnded = true;
      },
    });
  });
  await streaming.handleRequest('{"jsonrpc":"2.0","method":"stream"}');
  await expect.poll(() => hasEnded).toBe(true);
});
