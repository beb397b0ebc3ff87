// The option `autoBatch` of the generated client: which calls share a request, and how each of them ends.

import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../app/app.js';
import { clientCode, form } from '../conformance/client-form.js';
import { JsonRpcError } from '../rpc/index.js';
import { RpcRegistry } from '../rpc/registry/registry.js';

// biome-ignore lint/suspicious/noExplicitAny: the client's types are checked elsewhere.
type Client = any;

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

let sent: Sent[];
/** What the network answers instead of the App. */
let trouble: (() => Promise<Response>) | undefined;
beforeEach(() => {
  sent = [];
  trouble = undefined;
});

const registry = new RpcRegistry()
  .queryWithTypes('double', ({ n }: { n: number }) => n * 2, '{ n: number }', 'number')
  .queryWithTypes('count', () => 3, 'void', 'number')
  .mutationWithTypes('save', ({ n }: { n: number }) => n, '{ n: number }', 'number')
  .mutationWithTypes('fail', () => Promise.reject(new JsonRpcError(7, 'no', { at: 1 })), 'void', 'void')
  .mutationWithTypes('upload', ({ file }: { file: File }) => file.size, '{ file: File | string }', 'number');

async function connected(options: object = {}, baseUrl = 'http://app/rpc'): Promise<Client> {
  const app = new App().mountRpc('/rpc', registry);
  const code = await clientCode(registry.generateClient({ client: form }));
  const { FwRpcClient } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const fetch = async (url: string, init: RequestInit) => {
    const { body, signal } = init;
    const text = typeof body === 'string' ? JSON.parse(body) : 'a form';
    sent.push({ url, headers: new Headers(init.headers), body: text, signal: signal as AbortSignal });
    return await (trouble?.() ?? app.fetch(new Request(url, init)));
  };
  return new FwRpcClient(baseUrl, { fetch, autoBatch: true, ...options });
}

const bodies = () => sent.map(({ body }) => body);
const request = (id: number, method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
  id,
});
const never = () => new Promise<Response>(() => {});

describe('the names of calls in the URL', () => {
  const call = async (options: object): Promise<Client> => connected({ autoBatch: false, ...options });

  it('are left out by default', async () => {
    await (await call({})).count();
    expect(sent[0]?.url).toBe('http://app/rpc');
  });

  it('are those of a call, a notification, an upload and a batch, each once', async () => {
    const client = await call({ callsInUrl: true });
    await client.count();
    await client.notify('count');
    await client.upload({ file: new File(['x'], 'x.txt') });
    await client.batch([{ method: 'double', params: { n: 1 } }, { method: 'count' }, { method: 'count' }]);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://app/rpc?call=count',
      'http://app/rpc?call=count',
      'http://app/rpc?call=upload',
      'http://app/rpc?call=double,count',
    ]);
  });

  it('are those of the calls of a tick', async () => {
    const client = await call({ callsInUrl: true, autoBatch: true });
    expect(await Promise.all([client.double({ n: 1 }), client.count()])).toEqual([2, 3]);
    expect(sent[0]?.url).toBe('http://app/rpc?call=double,count');
  });

  it('are ten at most', async () => {
    const client = await call({ callsInUrl: true });
    const names = Array.from({ length: 12 }, (_, at) => `nothing${at}`);
    await client.batch(names.map((method) => ({ method })));
    expect(sent[0]?.url).toBe(`http://app/rpc?call=${names.slice(0, 10).join(',')}`);
  });

  it('are behind the query of a base URL, and escaped', async () => {
    const client = await connected({ autoBatch: false, callsInUrl: true }, 'http://app/rpc?tenant=a');
    await client.notify('a&b');
    expect(sent[0]?.url).toBe('http://app/rpc?tenant=a&call=a%26b');
  });
});

describe('calls of one tick', () => {
  it('are one request in their order, mutations too', async () => {
    const client = await connected();
    const late = Promise.resolve().then(() => client.count());
    const results = [client.save({ n: 5 }), client.double({ n: 1 }), late];
    expect(await Promise.all(results)).toEqual([5, 2, 3]);
    expect(bodies()).toEqual([
      [request(1, 'save', { n: 5 }), request(2, 'double', { n: 1 }), request(3, 'count')],
    ]);
    await client.count();
    expect(sent.length).toBe(2);
  });

  it('are requests of their own without the option', async () => {
    for (const autoBatch of [undefined, false]) {
      const client = await connected({ autoBatch });
      await Promise.all([client.count(), client.count()]);
      expect(bodies()).toEqual([request(1, 'count'), request(2, 'count')]);
      sent = [];
    }
  });

  it('are a plain request if there is only one', async () => {
    const client = await connected();
    expect(await client.double({ n: 4 })).toBe(8);
    expect(bodies()).toEqual([request(1, 'double', { n: 4 })]);
  });

  it.each([
    [{ maxCalls: 2 }, [2, 2, 1]],
    [{ maxCalls: 2.9 }, [2, 2, 1]],
    [{ maxCalls: 0 }, [1, 1, 1, 1, 1]],
    [{ maxCalls: Number.NaN }, [1, 1, 1, 1, 1]],
    [{ maxCalls: Infinity }, [5]],
    [{}, [5]],
  ])('are %j at most in one request', async (autoBatch, sizes) => {
    const client = await connected({ autoBatch });
    const calls = [1, 2, 3, 4, 5].map((n) => client.double({ n }));
    expect(await Promise.all(calls)).toEqual([2, 4, 6, 8, 10]);
    expect(bodies().map((body) => (Array.isArray(body) ? body.length : 1))).toEqual(sizes);
  });

  it('are 50 at most by default, which is what a server accepts', async () => {
    const client = await connected();
    const calls = Array.from({ length: 51 }, (_, n) => client.double({ n }));
    expect((await Promise.all(calls)).at(-1)).toBe(100);
    expect(sent.length).toBe(2);
  });

  it('take their inputs as they are at the call, and one that is not JSON fails alone', async () => {
    const client = await connected();
    const input: Record<string, unknown> = { n: 1 };
    const first = client.double(input);
    input.n = 2;
    await Promise.all([
      expect(first).resolves.toBe(2),
      expect(client.double({ n: 1n })).rejects.toThrow(TypeError),
      expect(client.double(input)).resolves.toBe(4),
    ]);
  });
});

describe('a call that is sent alone', () => {
  it('has header fields of its own', async () => {
    const client = await connected();
    const calls = [client.count(), client.count({ headers: { 'x-own': '1' } }), client.count()];
    expect(await Promise.all(calls)).toEqual([3, 3, 3]);
    expect(bodies()).toEqual([request(2, 'count'), [request(1, 'count'), request(3, 'count')]]);
    expect(sent.map(({ headers }) => headers.get('x-own'))).toEqual(['1', null]);
  });

  it('has files', async () => {
    const client = await connected();
    const calls = [client.upload({ file: new Blob(['abc']) }), client.count(), client.count()];
    expect(await Promise.all(calls)).toEqual([3, 3, 3]);
    expect(bodies()).toEqual(['a form', [request(2, 'count'), request(3, 'count')]]);
  });

  it('is a batch or a notification', async () => {
    const client = await connected();
    const [counted] = await Promise.all([
      client.batch([{ method: 'count' }]),
      client.notify('count'),
      client.count(),
    ]);
    expect(counted).toEqual([expect.objectContaining({ result: 3 })]);
    expect(bodies()).toEqual([
      [request(1, 'count')],
      { jsonrpc: '2.0', method: 'count' },
      request(2, 'count'),
    ]);
  });
});

describe('errors of calls in one request', () => {
  it('are those of each call', async () => {
    const client = await connected();
    await Promise.all([
      expect(client.fail()).rejects.toMatchObject({ name: 'JsonRpcClientError', code: 7, data: { at: 1 } }),
      expect(client.double({ n: 'x' })).rejects.toMatchObject({ code: -32602 }),
      expect(client.count()).resolves.toBe(3),
    ]);
    expect(sent.length).toBe(1);
  });

  it.each([
    ['a network failure', () => Promise.reject(new TypeError('offline')), { message: 'offline' }],
    ['a status', async () => new Response('', { status: 503 }), { status: 503 }],
    ['text', async () => new Response('<html>'), { message: expect.stringContaining('not JSON') }],
    [
      'a refusal of the batch',
      async () => Response.json({ error: { code: -32600, message: 'too many' }, id: null }),
      { code: -32600 },
    ],
    ['no answers', async () => Response.json([]), { code: -32603 }],
  ])('are all the same after %s', async (_what, answer, error) => {
    const client = await connected();
    trouble = answer;
    const calls = [client.count(), client.save({ n: 1 })];
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(error)));
  });

  it('are repeated with the option retry, if they are of queries', async () => {
    const client = await connected({ retry: { attempts: 1, delayMs: () => 0 } });
    trouble = () => {
      trouble = undefined;
      return Promise.reject(new TypeError('offline'));
    };
    await Promise.all([
      expect(client.save({ n: 1 })).rejects.toThrow('offline'),
      expect(client.count()).resolves.toBe(3),
      expect(client.double({ n: 1 })).resolves.toBe(2),
    ]);
    expect(sent.length).toBe(2);
  });
});

describe('a call that ends early', () => {
  it('leaves the others, and the request ends with the last of them', async () => {
    const client = await connected();
    trouble = never;
    const [one, two] = [new AbortController(), new AbortController()];
    const calls = [client.count({ signal: one.signal }), client.count({ signal: two.signal })];
    await vi.waitFor(() => expect(sent.length).toBe(1));
    one.abort(new Error('first'));
    await expect(calls[0]).rejects.toThrow('first');
    expect(sent[0]?.signal.aborted).toBe(false);
    two.abort(new Error('second'));
    await expect(calls[1]).rejects.toThrow('second');
    expect(sent[0]?.signal).toMatchObject({ aborted: true, reason: new Error('second') });
    expect([one, two].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual([0, 0]);
  });

  it('is answered for the others', async () => {
    const client = await connected();
    const held: (() => void)[] = [];
    trouble = () =>
      new Promise((resolve) => {
        held.push(() => resolve(Response.json([{ result: 9, id: 2 }])));
      });
    const controller = new AbortController();
    const calls = [client.count({ signal: controller.signal }), client.count()];
    await vi.waitFor(() => expect(held.length).toBe(1));
    controller.abort(new Error('left'));
    await expect(calls[0]).rejects.toThrow('left');
    held[0]?.();
    expect(await calls[1]).toBe(9);
  });

  it('is not sent if that is before the request', async () => {
    const client = await connected();
    const controller = new AbortController();
    const calls = [client.count({ signal: controller.signal }), client.double({ n: 1 })];
    controller.abort(new Error('left'));
    await Promise.all([
      expect(calls[0]).rejects.toThrow('left'),
      expect(calls[1]).resolves.toBe(2),
      expect(client.count({ signal: controller.signal })).rejects.toThrow('left'),
    ]);
    expect(bodies()).toEqual([request(2, 'double', { n: 1 })]);
  });

  it('has its own time', async () => {
    const client = await connected({ timeoutMs: 60_000 });
    trouble = never;
    const controller = new AbortController();
    const calls = [client.count({ timeoutMs: 20 }), client.count({ signal: controller.signal })];
    await expect(calls[0]).rejects.toMatchObject({ name: 'TimeoutError', timeoutMs: 20 });
    expect(sent[0]?.signal.aborted).toBe(false);
    controller.abort(new Error('left'));
    await expect(calls[1]).rejects.toThrow('left');
  });

  it('ends with the signal of the client, and leaves no listener', async () => {
    const controller = new AbortController();
    const client = await connected({ signal: controller.signal });
    expect(await Promise.all([client.count(), client.count()])).toEqual([3, 3]);
    trouble = never;
    const calls = [client.count(), client.count()];
    await vi.waitFor(() => expect(sent.length).toBe(2));
    controller.abort(new Error('closed'));
    await Promise.all(calls.map((call) => expect(call).rejects.toThrow('closed')));
    expect(sent[1]?.signal.aborted).toBe(true);
    expect(getEventListeners(controller.signal, 'abort').length).toBe(0);
  });
});
