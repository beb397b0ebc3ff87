import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../app/app.js';
import { RpcRegistry } from './registry.js';

interface Client {
  at(input: { day: string }, options?: object): Promise<string>;
  nothing(options?: object): Promise<void>;
  fail(options?: object): Promise<never>;
  path(options?: object): Promise<string>;
  stopped(options?: object): Promise<boolean>;
  'odd-name'(options?: object): Promise<number>;
  readonly users: { readonly admin: { count(options?: object): Promise<number> } };
}

const failure = new Error('broken');

function registry(): RpcRegistry {
  return new RpcRegistry()
    .query('at', { input: z.object({ day: z.date() }) }, ({ day }) => new Date(day.getTime() + 1000))
    .query('nothing', () => undefined)
    .query('fail', () => {
      throw failure;
    })
    .query('path', (_: undefined, { ctx }) => ctx.req.path)
    .query('stopped', (_: undefined, { signal }) => signal.aborted)
    .query('odd-name', () => 1)
    .query('users.admin.count', () => 3);
}

describe('a caller', () => {
  it('gives the results that a client gets', async () => {
    const api = registry().caller<Client>();
    expect(await api.at({ day: '2026-01-01T00:00:00.000Z' })).toBe('2026-01-01T00:00:01.000Z');
    expect(await api.nothing()).toBeNull();
    expect(await api.users.admin.count()).toBe(3);
    expect(await api['odd-name']()).toBe(1);
  });

  it('throws what the procedure throws, and refuses a wrong input', async () => {
    const api = registry().caller<Client>();
    await expect(api.fail()).rejects.toBe(failure);
    await expect(api.at({ day: 'never' })).rejects.toMatchObject({ code: -32602 });
  });

  it('passes the context and the signal on', async () => {
    const rpc = registry();
    const app = new App().get('/page', async (ctx) => rpc.caller<Client>({ ctx }).path());
    expect(await (await app.fetch(new Request('http://localhost/page'))).text()).toBe('/page');
    expect(await rpc.caller<Client>({ signal: AbortSignal.abort() }).stopped()).toBe(true);
  });

  it('has nothing but the procedures, so that it can be returned from an async function', async () => {
    const api = await Promise.resolve(registry().caller<Client>());
    expect(Object.keys(api)).toEqual(['at', 'nothing', 'fail', 'path', 'stopped', 'odd-name', 'users']);
    expect('toString' in api).toBe(false);
  });
});
