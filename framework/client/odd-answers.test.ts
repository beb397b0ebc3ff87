// The generated client if servers, proxies or fetch do not follow the protocol.

import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientCode, form } from '../conformance/client-form.js';
import { RpcRegistry } from '../rpc/registry/registry.js';
import { RpcMode } from '../rpc/registry/rpc-mode.js';

interface Init {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

type Fetch = (url: string, init: Init) => Promise<Response>;

// biome-ignore lint/suspicious/noExplicitAny: the client's types are checked elsewhere.
type Client = any;

const modules: Partial<Record<RpcMode, { FwRpcClient: new (baseUrl: string, options: object) => Client }>> =
  {};

beforeAll(async () => {
  for (const mode of [RpcMode.JsonRpc, RpcMode.Rest]) {
    const registry = RpcRegistry.withMode(mode)
      .queryWithTypes('count', () => 1, '{ of?: string } | undefined', 'number')
      .mutationWithTypes('reset', () => null, 'void', 'null')
      .mutationWithTypes('order', () => null, '{ id: string } | undefined', 'null');
    const code = await clientCode(registry.generateClient({ client: form }));
    modules[mode] = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  }
});

function clientOf(mode: RpcMode, fetch: Fetch, options: object = {}, baseUrl = '/base'): Client {
  const { FwRpcClient } = modules[mode] ?? {};
  if (FwRpcClient === undefined) throw new Error(`no client of ${mode}`);
  return new FwRpcClient(baseUrl, { fetch, ...options });
}

const answering =
  (body: string | null, init: ResponseInit = {}): Fetch =>
  async () =>
    new Response(body, init);

describe('the response to a call', () => {
  const call = (body: string | null, init?: ResponseInit): Promise<unknown> =>
    clientOf(RpcMode.JsonRpc, answering(body, init)).count();
  const none = { code: -32603, message: 'the server sent no response to this call' };

  it.each([null, '', 'null', '42', '"x"', '[]'])(
    'is an error if its body is not an object: %s',
    async (body) => {
      await expect(call(body)).rejects.toMatchObject({ name: 'JsonRpcClientError', ...none });
    },
  );

  it.each([
    ['{"error":{}}', -32603, 'the server sent no message', {}],
    ['{"error":"down"}', -32603, 'the server sent no message', 'down'],
    ['{"error":{"code":7}}', 7, 'the server sent no message', { code: 7 }],
    ['{"error":{"message":"no"}}', -32603, 'no', { message: 'no' }],
  ])('is an error with defaults for the missing members: %s', async (body, code, message, data) => {
    await expect(call(body)).rejects.toMatchObject({ name: 'JsonRpcClientError', code, message, data });
  });

  it('is the result if there is also an error of null, as in JSON-RPC 1.0', async () => {
    expect(await call('{"result":5,"error":null,"id":1}')).toBe(5);
    expect(await call('{"result":null,"id":1}')).toBeNull();
  });

  it('is null, as in the types, if the server omits the result', async () => {
    expect(await call('{"jsonrpc":"2.0","id":1}')).toBeNull();
  });

  it.each([RpcMode.JsonRpc, RpcMode.Rest])('is reported if it is not JSON: %s', async (mode) => {
    const client = clientOf(mode, answering('\n<!doctype html><title>Shop</title>'));
    await expect(client.count()).rejects.toThrow(
      /^\/base\S* answered '<!doctype html><title>Shop<\/title>', which is not JSON; is the base URL right\?$/,
    );
  });
});

describe('the response to a batch', () => {
  const batch = (body: string | null): Promise<unknown> =>
    clientOf(RpcMode.JsonRpc, answering(body)).batch([{ method: 'count' }, { method: 'count' }]);
  const none = { error: { code: -32603, message: 'the server sent no response to this call' } };

  it.each([null, '', 'null', '42', '{}', '{"result":1}'])(
    'is an error if its body is not an array: %s',
    async (body) => {
      await expect(batch(body)).rejects.toMatchObject({ name: 'JsonRpcClientError', code: -32603 });
    },
  );

  it.each([
    ['[]', [none, none]],
    ['[null,1,"x",{}]', [none, none]],
    ['[{"id":"1","result":1},{"id":3,"result":1}]', [none, none]],
    ['[{"id":2,"result":"b"},{"id":1,"result":"a"}]', [{ result: 'a' }, { result: 'b' }]],
    ['[{"id":2,"result":"b"},{"id":1}]', [{ result: null }, { result: 'b' }]],
    [
      '[{"id":1,"result":"a","error":null},{"id":2,"error":{"code":1,"message":"no"}}]',
      [{ result: 'a' }, { error: { code: 1, message: 'no' } }],
    ],
  ])('is assigned to the calls by id: %s', async (body, results) => {
    expect(await batch(body)).toEqual(results);
  });
});

describe('a notification', () => {
  const notify = (body: string | null): Promise<unknown> =>
    clientOf(RpcMode.JsonRpc, answering(body)).notify('reset');

  it('rejects if the server could not read it', async () => {
    for (const body of ['', '{}', 'null', '{"error":null}']) expect(await notify(body)).toBeUndefined();
    await expect(notify('{"error":{"code":-32600,"message":"no"},"id":null}')).rejects.toThrow('no');
    await expect(notify('<html>')).rejects.toThrow("answered '<html>'");
  });
});

describe('the request', () => {
  it('has each header field once, regardless of its case', async () => {
    const sent: Record<string, string>[] = [];
    const fetch: Fetch = async (_url, { headers }) => {
      sent.push(headers);
      return new Response('{"result":1}');
    };
    const client = clientOf(RpcMode.JsonRpc, fetch, {
      headers: { 'content-type': 'application/json; charset=utf-8', Authorization: 'a' },
    });
    await client.count({}, { headers: { authorization: 'b', 'x-trace': 'c' } });
    expect(sent).toEqual([
      { 'content-type': 'application/json; charset=utf-8', authorization: 'b', 'x-trace': 'c' },
    ]);
  });

  it('asks a function for its header fields before each call', async () => {
    const sent: (string | undefined)[] = [];
    const fetch: Fetch = async (_url, { headers, body }) => {
      sent.push(headers.Authorization);
      return new Response(body?.startsWith('[') ? '[]' : '{"result":1}');
    };
    let token = 0;
    const sync = clientOf(RpcMode.JsonRpc, fetch, { headers: () => ({ Authorization: `sync ${++token}` }) });
    await sync.count({});
    await sync.count({}, { headers: { authorization: 'own' } });
    await sync.batch([{ method: 'order', params: null }]);
    const headers = async () => ({ Authorization: `async ${++token}` });
    await clientOf(RpcMode.JsonRpc, fetch, { headers }).count({});
    expect(sent).toEqual(['sync 1', undefined, 'sync 3', 'async 4']);
  });

  it('is not sent if that function fails, or is still running when the call ends', async () => {
    const sent: unknown[] = [];
    const fetch: Fetch = async (url) => {
      sent.push(url);
      return new Response('{"result":1}');
    };
    const failing = clientOf(RpcMode.JsonRpc, fetch, {
      headers: () => Promise.reject(new Error('no token')),
    });
    await expect(failing.count({})).rejects.toThrow('no token');
    let finish = (): void => {};
    const slow = () => new Promise<Record<string, string>>((settle) => (finish = () => settle({})));
    const timed = clientOf(RpcMode.JsonRpc, fetch, { headers: slow, timeoutMs: 5 });
    await expect(timed.count({})).rejects.toThrow('no answer within 5 ms');
    finish();
    await new Promise(setImmediate);
    expect(sent).toEqual([]);
  });

  it('has no params and no body for a null input, which neither can represent', async () => {
    const bodies: unknown[] = [];
    const fetch: Fetch = async (_url, { body }) => {
      bodies.push(body && JSON.parse(body));
      return new Response('[]');
    };
    const client = clientOf(RpcMode.JsonRpc, fetch);
    await client.order(null).catch(() => {});
    await client.notify('order', null).catch(() => {});
    await client.batch([{ method: 'order', params: null }]);
    await clientOf(RpcMode.Rest, fetch).order(null);
    const call = { jsonrpc: '2.0', method: 'order' };
    expect(bodies).toEqual([{ ...call, id: 1 }, call, [{ ...call, id: 2 }], undefined]);
  });

  it('goes to the same URL if the base URL of REST ends with a slash', async () => {
    const urls: string[] = [];
    const fetch: Fetch = async (url) => {
      urls.push(url);
      return new Response('1');
    };
    await clientOf(RpcMode.Rest, fetch, {}, 'http://x/api/').count();
    await clientOf(RpcMode.Rest, fetch, {}, 'http://x/api').count();
    expect(urls).toEqual(['http://x/api/count', 'http://x/api/count']);
  });

  it('has no body if an optional input is omitted, and an empty object if the procedure has no input', async () => {
    const bodies: unknown[] = [];
    const fetch: Fetch = async (_url, { body, headers }) => {
      bodies.push([body, headers['Content-Type']]);
      return new Response('null');
    };
    const client = clientOf(RpcMode.Rest, fetch);
    await client.order();
    await client.order({ id: '1' });
    await client.reset();
    expect(bodies).toEqual([
      [undefined, undefined],
      ['{"id":"1"}', 'application/json'],
      ['{}', 'application/json'],
    ]);
  });
});

describe('the end of a call', () => {
  const deaf: Fetch = () => new Promise(() => {});

  it('comes with the timeout and with signals, even if fetch ignores them', async () => {
    const client = clientOf(RpcMode.JsonRpc, deaf);
    await expect(client.count({}, { timeoutMs: 5 })).rejects.toThrow('no answer within 5 ms');
    const controller = new AbortController();
    const call = client.count({}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('also comes if the body does not end', async () => {
    const client = clientOf(RpcMode.Rest, async () => new Response(new ReadableStream()));
    await expect(client.count({}, { timeoutMs: 5 })).rejects.toThrow('no answer within 5 ms');
  });

  it('leaves no listener on a signal, even if the request could not be made', async () => {
    const { signal } = new AbortController();
    const broken = clientOf(RpcMode.JsonRpc, answering('{"result":1}'), { signal, checkContract: {} });
    await expect(broken.count({}, { signal })).rejects.toThrow(TypeError);
    const sound = clientOf(RpcMode.JsonRpc, answering('{"result":1}'), { signal });
    await sound.count();
    const failing = clientOf(RpcMode.JsonRpc, async () => Promise.reject(new Error('down')), { signal });
    await expect(failing.count()).rejects.toThrow('down');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('comes before the request if the signal is already aborted', async () => {
    let calls = 0;
    const fetch: Fetch = () => {
      calls++;
      return deaf('', {} as Init);
    };
    const client = clientOf(RpcMode.JsonRpc, fetch);
    const signal = AbortSignal.abort(new Error('closed'));
    await expect(client.count({}, { signal })).rejects.toThrow('closed');
    expect(calls).toBe(0);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])('does not come with a timeout of %d ms', async (timeoutMs) => {
    const fetch: Fetch = async () => {
      // A timer that overflows fires after 1 ms.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response('{"result":1}');
    };
    expect(await clientOf(RpcMode.JsonRpc, fetch, { timeoutMs }).count()).toBe(1);
  });

  it('comes with the error that fetch throws', async () => {
    const fetch = (() => {
      throw new TypeError('no network');
    }) as Fetch;
    await expect(clientOf(RpcMode.JsonRpc, fetch).count()).rejects.toThrow('no network');
  });
});

describe('a client with procedures of one kind', () => {
  it('contains its kind in the table alone', () => {
    const queries = RpcRegistry.withMode(RpcMode.Rest).queryWithTypes('a', () => 1, 'void', 'number');
    expect(queries.generateClient()).not.toContain('kind: "mutation"');
    const mutations = RpcRegistry.withMode(RpcMode.Rest).mutationWithTypes('a', () => 1, 'void', 'number');
    expect(mutations.generateClient()).not.toContain('kind: "query"');
  });
});
