import diagnostics from 'node:diagnostics_channel';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App, FwError } from '../../index.js';
import { JsonRpcError, type RpcMiddleware, RpcRegistry } from '../index.js';

const Any = { input: z.object({}) };

afterEach(() => vi.restoreAllMocks());

describe('a value that is nested too deeply', () => {
  const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as object;

  it('is refused in process as over HTTP, before the procedure runs', async () => {
    const ran: string[] = [];
    const rpc = new RpcRegistry()
      .queryWithTypes('echo', (it) => ran.push('echo') && it, 'unknown', 'unknown')
      .subscription('events', { input: z.unknown() }, async function* (it) {
        ran.push('events');
        yield it;
      });
    const api = rpc.caller<{ echo(it: object, options?: object): Promise<unknown> }>();
    const refused = { code: -32602, message: 'Invalid input: nested too deeply' };
    await expect(rpc.call('echo', { deep })).rejects.toMatchObject(refused);
    await expect(rpc.call('events', { deep })).rejects.toMatchObject(refused);
    await expect(api.echo({ deep })).rejects.toMatchObject(refused);
    expect(ran).toEqual([]);
  });

  it('is an error with a remedy as the result', async () => {
    // With a method `toJSON` inside, newer versions of Node.js overflow the stack too.
    let result: object = { at: new Date(0) };
    for (let depth = 0; depth < 20_000; depth += 1) result = [result];
    const api = new RpcRegistry()
      .queryWithTypes('deep', () => result, 'undefined', 'unknown')
      .caller<{ deep(): Promise<unknown> }>();
    await expect(api.deep()).rejects.toThrow(
      'nested too deeply to have a JSON form; send a list of its parts',
    );
  });
});

describe('results', () => {
  it('are the output of the output schema', async () => {
    const rpc = new RpcRegistry()
      .query('a', { output: z.object({ id: z.string() }) }, (_input: object) => ({ id: '1', secret: 'x' }))
      .query('late', { output: z.object({ id: z.string() }) }, async () => ({ id: '1', secret: 'x' }));
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await rpc.call('a')).toEqual({ id: '1' });
    expect(await rpc.call('late')).toEqual({ id: '1' });
  });

  it('may be a thenable whose `then` returns nothing, as `await` allows', async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested.
    const later = (value: unknown) => ({ then: (done: (value: unknown) => void) => void done(value) });
    const rpc = new RpcRegistry().query(
      'checked',
      { output: z.object({ id: z.string() }) },
      (_input: object) => later({ id: '1', secret: 'x' }) as never,
    );
    const around = new RpcRegistry()
      .use(() => later('from the middleware') as never)
      .query('a', Any, () => 'from the procedure');
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await rpc.call('checked')).toEqual({ id: '1' });
    expect(await around.call('a', {})).toBe('from the middleware');
  });

  it('that do not match are internal errors', async () => {
    const reported: unknown[] = [];
    const collect = (event: unknown): void => void reported.push(event);
    const rpc = new RpcRegistry().query(
      'a',
      { ...Any, output: z.object({ id: z.string() }) },
      () => ({ id: 1 }) as never,
    );
    diagnostics.subscribe('fw:error', collect);
    const body = (await rpc.handleRequest('{"jsonrpc":"2.0","method":"a","id":1}')).intoBody();
    diagnostics.unsubscribe('fw:error', collect);
    expect(new TextDecoder().decode(body)).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Internal error"},"id":1}',
    );
    expect(reported).toMatchObject([
      {
        error: {
          message: expect.stringMatching(
            /^the result of procedure 'a' does not match its output schema: id: /,
          ),
        },
      },
    ]);
  });
});

describe('handleRequest', () => {
  const rpc = new RpcRegistry().query('a', Any, () => 1);

  it.each([undefined, null, 5, { jsonrpc: '2.0', method: 'a', id: 1 }])(
    'refuses %j, and says what it accepts',
    async (body) => {
      await expect(rpc.handleRequest(body as never)).rejects.toThrow(
        `takes the body of a request as bytes or text, got ${body === null ? 'null' : typeof body}; pass it`,
      );
    },
  );

  it('accepts a string, and bytes of every kind', async () => {
    const text = '{"jsonrpc":"2.0","method":"a","id":1}';
    const bytes = new TextEncoder().encode(text);
    for (const body of [text, bytes, bytes.buffer, Buffer.from(text)]) {
      const output = await rpc.handleRequest(body as never);
      expect(new TextDecoder().decode(output.intoBody())).toBe('{"jsonrpc":"2.0","result":1,"id":1}');
    }
  });
});

describe('call', () => {
  it('names an invalid procedure name in its error', async () => {
    const rpc = new RpcRegistry().query('a', Any, () => 1);
    for (const name of [undefined, null, Symbol('x')]) {
      await expect(rpc.call(name as never)).rejects.toMatchObject({
        code: -32601,
        message: `Procedure '${String(name)}' not found`,
      });
    }
  });

  it('rejects with the error that the procedure throws', async () => {
    const thrown = FwError.forbidden('no');
    const rpc = new RpcRegistry().query('a', Any, () => {
      throw thrown;
    });
    await expect(rpc.call('a')).rejects.toBe(thrown);
  });

  it('rejects with typed errors that also have an HTTP status', async () => {
    const rpc = new RpcRegistry().queryWithTypes('a', () => 1, '{ a: number }', 'number');
    const app = new App().get('/:name', async (ctx) =>
      ctx.json(await rpc.call(ctx.req.param('name'), {}, { ctx })),
    );
    const get = async (path: string) => {
      const response = await app.fetch(new Request(`http://x/${path}`));
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await get('nobody')).toEqual([404, 'NotFound']);
    expect(await get('a')).toEqual([400, 'BadRequest']);
    await expect(rpc.call('nobody')).rejects.toBeInstanceOf(JsonRpcError);
    await expect(rpc.call('nobody')).rejects.toMatchObject({
      code: -32601,
      message: "Procedure 'nobody' not found",
    });
  });

  it('resolves to null if the result is undefined', async () => {
    expect(await new RpcRegistry().query('a', Any, () => undefined).call('a')).toBeNull();
  });

  it('passes on the signal, and throws if a procedure reads a missing context', async () => {
    const rpc = new RpcRegistry()
      .query('aborted', Any, (_input, { signal }) => signal.aborted)
      .query('path', Any, (_input, { ctx }) => ctx.req.path);
    expect(await rpc.call('aborted', {}, { signal: AbortSignal.abort() })).toBe(true);
    expect(await rpc.call('aborted')).toBe(false);
    await expect(rpc.call('path')).rejects.toThrow('pass it as call(name, params, { ctx })');
  });
});

describe('middleware', () => {
  const order: string[] = [];
  const step =
    (name: string): RpcMiddleware =>
    async (call, next) => {
      order.push(`${name} ${call.kind} ${call.name} ${JSON.stringify(call.input)}`);
      const result = await next();
      order.push(`${name} leaves`);
      return `${name}(${result as string})`;
    };

  it('runs around procedures: first that of the registry, then that of the procedure', async () => {
    const rpc = new RpcRegistry()
      .use(step('outer'))
      .query('a', { ...Any, use: [step('inner')] }, () => 'a')
      .mutation('b', Any, async () => 'b');
    expect(await rpc.call('a', { x: 1 })).toBe('outer(inner(a))');
    expect(order).toEqual(['outer query a {"x":1}', 'inner query a {"x":1}', 'inner leaves', 'outer leaves']);
    expect(await rpc.call('b')).toBe('outer(b)');
  });

  it('keeps the result if it returns nothing', async () => {
    const rpc = new RpcRegistry()
      .use(async (_call, next) => {
        await next();
      })
      .use((_call, next) => void next())
      .query('a', Any, () => 'a');
    expect(await rpc.call('a')).toBe('a');
  });

  it('may throw before the input is validated', async () => {
    const rpc = new RpcRegistry()
      .use(() => {
        throw FwError.unauthorized('who are you?');
      })
      .query('a', { input: z.object({ secret: z.string() }) }, () => 1);
    await expect(rpc.call('a', {})).rejects.toMatchObject({ status: 401 });
    const body = (await rpc.handleRequest('{"jsonrpc":"2.0","method":"a","id":1}')).intoBody();
    expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({ error: { code: -32001 } });
  });

  it('may return a result itself, and catch errors of the procedure', async () => {
    const caught: unknown[] = [];
    const rpc = new RpcRegistry()
      .query('own', { ...Any, use: [() => 'own'] }, () => 'a')
      .query(
        'fails',
        {
          input: z.object({ a: z.number() }),
          use: [
            async (_call, next) => {
              try {
                return await next();
              } catch (error) {
                caught.push(error);
                return 'caught';
              }
            },
          ],
        },
        () => 1,
      );
    expect(await rpc.call('own')).toBe('own');
    expect(await rpc.call('fails')).toBe('caught');
    expect(caught).toMatchObject([{ code: -32602 }]);
  });

  it('that calls next() twice or not at all fails', async () => {
    const rpc = new RpcRegistry()
      .query('silent', { ...Any, use: [function silent() {}] }, () => 1)
      .query('twice', { ...Any, use: [async (_call, next) => [await next(), await next()]] }, () => 1);
    await expect(rpc.call('silent')).rejects.toThrow(
      "rpc middleware 'silent' returned nothing and did not call next()",
    );
    await expect(rpc.call('twice')).rejects.toThrow('rpc middleware (anonymous) called next() twice');
  });
});

describe('a call over HTTP', () => {
  const send = (rpc: RpcRegistry, message: object, type = 'application/json') => {
    const init = { method: 'POST', body: JSON.stringify(message), headers: { 'Content-Type': type } };
    return new App().mountRpc('/rpc', rpc).fetch(new Request('http://x/rpc', init));
  };

  it.each([
    ['application/json; charset=utf-8', 200],
    ['application/json-rpc', 200],
    ['application/jsonrpc', 200],
    ['application/JSON-RPC ; charset=UTF-8', 200],
    ['application/json-rpc; charset="utf-8"', 200],
    ['application/json-rpc; charset=latin1', 415],
    ['application/json-rpcs', 415],
    ['text/plain', 415],
  ])('of the media type %s is answered %i', async (type, status) => {
    const rpc = new RpcRegistry().query('one', Any, () => 1);
    const response = await send(rpc, { jsonrpc: '2.0', id: 1, method: 'one' }, type);
    expect(response.status).toBe(status);
    if (status === 415) expect(await response.text()).toContain(type);
  });

  it('has the status of its transport, whatever status the procedure gives its context', async () => {
    const rpc = new RpcRegistry().query('odd', Any, (_, { ctx }) => {
      ctx?.status(418);
      ctx?.header('X-Odd', 'yes');
      return 1;
    });
    const message = { jsonrpc: '2.0', method: 'odd' };
    const [answered, notified] = [await send(rpc, { ...message, id: 1 }), await send(rpc, message)];
    expect([answered.status, answered.headers.get('x-odd'), notified.status]).toEqual([200, 'yes', 204]);
  });
});
