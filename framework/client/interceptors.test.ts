// Interceptors of the generated client, in both modes and for the routes of an App.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { App } from '../app/app.js';
import { check, options, rest, types } from '../conformance/checked-client.js';
import { clientCode, form } from '../conformance/client-form.js';
import { Path } from '../extract/path.js';
import { route } from '../extract/route.js';
import { FwError } from '../http/errors.js';
import { RpcMode, RpcRegistry } from '../rpc/index.js';
import { clientFromApp } from './app/client-from-app.js';
import { printClient } from './print-client.js';

interface Call {
  readonly name: string;
  readonly kind: string;
  readonly input: unknown;
  readonly options: { readonly headers?: Record<string, string>; readonly timeoutMs?: number };
}

type Interceptor = (call: Call, next: (call: Call) => Promise<unknown>) => Promise<unknown>;

// biome-ignore lint/suspicious/noExplicitAny: the client's types are checked by the compiler below.
type Client = any;

/** An App whose calls need the header field `authorization: new`. */
async function connected(mode: RpcMode, interceptors: readonly Interceptor[]): Promise<Client> {
  const rpc = RpcRegistry.withMode(mode)
    .query('double', { input: z.object({ n: z.coerce.number() }), output: z.number() }, ({ n }, { ctx }) => {
      if (ctx.req.header('authorization') !== 'new') throw FwError.unauthorized('the token is old');
      return n * 2;
    })
    .mutation('save', { input: z.object({ n: z.number() }), output: z.number() }, ({ n }) => n);
  const mount = (app: App) =>
    mode === RpcMode.Rest ? app.mountRest('/rpc', rpc) : app.mountRpc('/rpc', rpc);
  const app = mount(new App()).get(
    route('/users/:id', { operationId: 'users.get', returns: z.object({ id: z.number() }) }),
    Path('id', z.coerce.number()),
    (id) => ({ id }),
  );
  const code = await clientCode(clientFromApp(app, { rpc, client: form }).toString());
  const { FwRpcClient } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const fetch = (url: string, init: RequestInit) => app.fetch(new Request(url, init));
  return new FwRpcClient('http://app/rpc', { fetch, interceptors, headers: { authorization: 'old' } });
}

describe.each([RpcMode.JsonRpc, RpcMode.Rest])('interceptors in mode %s', (mode) => {
  it('see every query, mutation and route, the first of them first', async () => {
    const seen: unknown[] = [];
    const noting =
      (by: string): Interceptor =>
      async (call, next) => {
        seen.push([by, call]);
        const result = await next(call);
        seen.push([by, result]);
        return result;
      };
    const client = await connected(mode, [noting('outer'), noting('inner')]);
    expect(await client.save({ n: 1 }, { timeoutMs: 5_000 })).toBe(1);
    const saved = { name: 'save', kind: 'mutation', input: { n: 1 }, options: { timeoutMs: 5_000 } };
    expect(seen.splice(0)).toEqual([
      ['outer', saved],
      ['inner', saved],
      ['inner', 1],
      ['outer', 1],
    ]);
    expect(await client.users.get({ id: 3 })).toEqual({ id: 3 });
    expect(seen.splice(0)[1]).toEqual([
      'inner',
      { name: 'users.get', kind: 'route', input: { id: 3 }, options: {} },
    ]);
    await expect(client.double({ n: 2 })).rejects.toThrow();
    expect(seen[0]).toEqual(['outer', { name: 'double', kind: 'query', input: { n: 2 }, options: {} }]);
  });

  it('may call again with other options, such as a new token', async () => {
    let failures = 0;
    const client = await connected(mode, [
      async (call, next) => {
        try {
          return await next(call);
        } catch {
          failures += 1;
          return await next({ ...call, options: { ...call.options, headers: { Authorization: 'new' } } });
        }
      },
    ]);
    expect(await client.double({ n: 2 })).toBe(4);
    expect(failures).toBe(1);
  });

  it('may give another input and another result, or answer alone', async () => {
    const client = await connected(mode, [
      async (call, next) => {
        if (call.kind === 'query') return 'kept';
        if (call.kind === 'route') return await next({ ...call, input: { id: 9 } });
        return [await next({ ...call, name: 'other', input: { n: 7 } })];
      },
    ]);
    expect(await client.save({ n: 1 })).toEqual([7]);
    expect(await client.users.get({ id: 1 })).toEqual({ id: 9 });
    expect(await client.double({ n: 1 })).toBe('kept');
  });

  it('fail the call with what they throw', async () => {
    const client = await connected(mode, [
      () => {
        throw new Error('not now');
      },
    ]);
    await expect(client.save({ n: 1 })).rejects.toThrow('not now');
  });
});

it('interceptors are typed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'fw-interceptors-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const program = `import { FwRpcClient, type FwRpcInterceptor } from './client.js';
const once: FwRpcInterceptor = (call, next) => next({ ...call, options: { ...call.options, timeoutMs: 1 } });
export const client: FwRpcClient = new FwRpcClient('/rpc', {
  interceptors: [
    once,
    async (call, next) => {
      call.name satisfies string;
      call.kind satisfies 'query' | 'mutation' | 'route';
      call.options.headers satisfies Record<string, string> | undefined;
      // @ts-expect-error an input is checked before it is used
      call.input.id;
      const result: unknown = await next(call);
      return result;
    },
  ],
});
// @ts-expect-error an interceptor that does not call with a call
export const wrong: FwRpcInterceptor = (call, next) => next(call.name);
`;
  for (const mode of [options, rest]) {
    expect(check(directory, 'typescript', { 'client.ts': printClient(types, mode) }, program)).toBe('');
  }
});
