// The option `retry` of the generated client: what is repeated, and what ends the wait.

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { clientCode, form } from '../conformance/client-form.js';
import { Path } from '../extract/path.js';
import { route } from '../extract/route.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { clientFromApp } from './app/client-from-app.js';

// biome-ignore lint/suspicious/noExplicitAny: the client's types are checked elsewhere.
type Client = any;

const offline = () => new TypeError('fetch failed');
const status = (code: number) => new Response('', { status: code });

/** What the network does with the next requests, before it works. */
let troubles: (Response | Error | 'nothing')[];
let requests: number;
beforeEach(() => {
  troubles = [];
  requests = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function connected(mode: RpcMode, options: object): Promise<Client> {
  const rpc = RpcRegistry.withMode(mode)
    .queryWithTypes('count', () => 3, 'void', 'number')
    .mutationWithTypes('save', () => 4, 'void', 'number');
  const mount = (app: App) =>
    mode === RpcMode.Rest ? app.mountRest('/rpc', rpc) : app.mountRpc('/rpc', rpc);
  const app = mount(new App())
    .get(
      route('/users/:id', { operationId: 'users.get', returns: z.object({ id: z.number() }) }),
      Path('id', z.coerce.number()),
      (id) => ({ id }),
    )
    .post(route('/users', { operationId: 'users.add', returns: z.object({ id: z.number() }) }), () => ({
      id: 1,
    }));
  const code = await clientCode(clientFromApp(app, { rpc, client: form }).toString());
  const { FwRpcClient } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const fetch = async (url: string, init: RequestInit) => {
    requests += 1;
    const trouble = troubles.shift();
    if (trouble instanceof Error) throw trouble;
    if (trouble === 'nothing') return await new Promise<Response>(() => {});
    return trouble ?? (await app.fetch(new Request(url, init)));
  };
  return new FwRpcClient('http://app/rpc', { fetch, ...options });
}

/** The result after all waits. */
async function settled(call: Promise<unknown>): Promise<unknown> {
  call.catch(() => undefined);
  let isDone = false;
  call.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  while (!isDone) await vi.advanceTimersToNextTimerAsync();
  return await call;
}

/** The times that the timers were set to. */
const waits = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map(([, ms]) => ms);

describe.each([RpcMode.JsonRpc, RpcMode.Rest])('retry in mode %s', (mode) => {
  it('repeats queries and GET routes after failures that may pass', async () => {
    const client = await connected(mode, { retry: 6 });
    const set = vi.spyOn(globalThis, 'setTimeout');
    troubles = [offline(), ...[408, 429, 502, 503, 504].map(status)];
    expect(await settled(client.count())).toBe(3);
    expect(requests).toBe(7);
    expect(waits(set)).toEqual([200, 400, 800, 1_600, 3_200, 5_000]);
    troubles = [offline()];
    expect(await settled(client.users.get({ id: 3 }))).toEqual({ id: 3 });
    expect(requests).toBe(9);
  });

  it('repeats no mutation, no other route, and nothing without the option', async () => {
    const client = await connected(mode, { retry: 5 });
    for (const call of [() => client.save(), () => client.users.add()]) {
      troubles = [offline()];
      await expect(call()).rejects.toThrow('fetch failed');
    }
    expect(requests).toBe(2);
    troubles = [offline()];
    await expect((await connected(mode, {})).count()).rejects.toThrow('fetch failed');
    expect(requests).toBe(3);
  });

  it('ends with the last error after as many attempts as allowed', async () => {
    const client = await connected(mode, { retry: 2 });
    troubles = [status(502), status(503), status(504)];
    await expect(settled(client.count())).rejects.toMatchObject({ status: 504 });
    troubles = [status(500)];
    await expect(client.count()).rejects.toMatchObject({ status: 500 });
    troubles = [new Response('<html>')];
    await expect(client.count()).rejects.toThrow('not JSON');
    expect(requests).toBe(5);
  });

  it('asks the given functions', async () => {
    const asked: unknown[] = [];
    const delayMs = (attempt: number, error: { status?: number }) => {
      asked.push([attempt, error.status]);
      return attempt * 10;
    };
    const when = ({ status }: { status?: number }) => status === 500 || status === 501;
    const client = await connected(mode, { retry: { attempts: 3, delayMs, when } });
    const set = vi.spyOn(globalThis, 'setTimeout');
    troubles = [status(500), status(501), status(503)];
    await expect(settled(client.count())).rejects.toMatchObject({ status: 503 });
    expect(asked).toEqual([
      [1, 500],
      [2, 501],
    ]);
    expect(waits(set)).toEqual([10, 20]);
  });

  it('does not repeat an attempt that took too long, unless it is told to', async () => {
    troubles = ['nothing'];
    const client = await connected(mode, { retry: 3, timeoutMs: 50 });
    await expect(settled(client.count())).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(requests).toBe(1);
    troubles = ['nothing'];
    const patient = await connected(mode, { retry: { attempts: 1, when: () => true }, timeoutMs: 50 });
    expect(await settled(patient.count())).toBe(3);
  });

  it('does not repeat it if fetch rejects with the time-out either, nor together with others', async () => {
    let asked = 0;
    const fetch = async (_url: string, { signal }: RequestInit) => {
      asked += 1;
      return await new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    for (const more of [{}, { autoBatch: true }]) {
      asked = 0;
      const client = await connected(mode, { retry: 3, timeoutMs: 50, fetch, ...more });
      const two = Promise.allSettled([client.count(), client.count()]);
      const late = { status: 'rejected', reason: expect.objectContaining({ name: 'TimeoutError' }) };
      expect(await settled(two)).toEqual([late, late]);
      expect(asked).toBe(mode === RpcMode.JsonRpc && 'autoBatch' in more ? 1 : 2);
    }
  });

  it.each(['of the client', 'of the call'])('ends at once with the signal %s', async (which) => {
    const [ofClient, ofCall] = [new AbortController(), new AbortController()];
    const client = await connected(mode, { retry: 3, signal: ofClient.signal });
    const aborting = which === 'of the call' ? ofCall : ofClient;
    const listeners = () => [ofClient, ofCall].map(({ signal }) => getEventListeners(signal, 'abort').length);
    troubles = [offline()];
    const waiting = client.count({ signal: ofCall.signal });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    aborting.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners()).toEqual([0, 0]);
    expect(requests).toBe(1);
  });

  it('does not repeat an attempt that was aborted', async () => {
    const controller = new AbortController();
    const when = vi.fn(() => true);
    const client = await connected(mode, { retry: { attempts: 3, when } });
    troubles = ['nothing'];
    const call = client.count({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect([requests, vi.getTimerCount()]).toEqual([1, 0]);
    expect(when).not.toHaveBeenCalled();
  });

  it('keeps no listener and no timer after the wait', async () => {
    const { signal } = new AbortController();
    const client = await connected(mode, { retry: 1, signal });
    troubles = [offline()];
    expect(await settled(client.count())).toBe(3);
    expect(getEventListeners(signal, 'abort').length).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('repeats after the JSON-RPC errors that stand for 408, 429 and 503, and after no other', async () => {
  const client = await connected(RpcMode.JsonRpc, { retry: 3 });
  const failed = (code: number) => Response.json({ jsonrpc: '2.0', error: { code, message: 'no' }, id: 1 });
  troubles = [-32_008, -32_029, -32_053].map(failed);
  expect(await settled(client.count())).toBe(3);
  troubles = [failed(-32_603)];
  await expect(client.count()).rejects.toThrow('no');
  expect(requests).toBe(5);
});
