// Calls without params where HTTP is not the way: in process, over a WebSocket, and in a form.
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ABSENT, ABSENT_LISTS, shownInput } from '../../conformance/cases/absent-params.js';
import { serve } from '../../conformance/websocket/trial-socket.js';
import { App, type StandardSchemaV1 } from '../../index.js';
import { websocket } from '../../websocket/index.js';
import { RpcRegistry } from '../index.js';

const ALL = Object.entries({ ...ABSENT, ...ABSENT_LISTS });

/** A schema that counts how often it is asked. */
function counted(schema: StandardSchemaV1): { readonly schema: StandardSchemaV1; readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const { validate, ...standard } = schema['~standard'];
  const counting = (value: unknown) => {
    asked.push(value);
    return validate(value);
  };
  return { schema: { '~standard': { ...standard, validate: counting } }, asked };
}

describe('a call without params', () => {
  it.each(ALL)('gives the default of %s in process', async (_name, [input, expected]) => {
    const rpc = new RpcRegistry()
      .query('a', { input }, shownInput)
      .subscription('events', { input }, async function* (given) {
        yield shownInput(given);
      });
    expect(await rpc.call('a')).toEqual(expected);
    expect(await rpc.caller<{ a(): Promise<unknown> }>().a()).toEqual(expected);
    const events: unknown[] = [];
    for await (const one of (await rpc.call('events')) as AsyncIterable<unknown>) events.push(one);
    expect(events).toEqual([expected]);
  });

  it('gives the defaults over a WebSocket', async () => {
    const rpc = new RpcRegistry();
    for (const [name, [input]] of ALL) {
      rpc.subscription(name, { input }, async function* (given) {
        yield shownInput(given);
      });
    }
    const { connect } = await serve(new App().websocket('/live', websocket({}, { rpc })));
    const client = await connect('/live');
    for (const [id, [method]] of ALL.entries()) client.send({ subscribe: { id, method } });
    const dataOf = () =>
      client.json.flatMap((frame) => {
        const { id, data } = (frame as { subscription: { id: number; data?: unknown } }).subscription;
        return data === undefined ? [] : [[id, data] as const];
      });
    await vi.waitFor(() => expect(dataOf()).toHaveLength(ALL.length));
    expect(new Map(dataOf())).toEqual(new Map(ALL.map(([, [, expected]], id) => [id, expected])));
  });

  it('gives the default to a mutation with files that is called by a form', async () => {
    const input = z
      .object({ title: z.string(), cover: z.file().optional() })
      .default({ title: 'none', cover: undefined });
    const app = new App().mountRpc('/rpc', new RpcRegistry().mutation('add', { input }, shownInput));
    const form = new FormData();
    form.set('json', '{"jsonrpc":"2.0","id":1,"method":"add"}');
    form.set('files', '[]');
    const init = { method: 'POST', body: form, headers: { 'X-Fw-Upload': '1' } };
    const response = await app.oneshot(new Request('http://localhost/rpc', init));
    expect(await response.json()).toMatchObject({ result: { title: 'none' } });
  });

  it.each([
    ['with params', z.object({}).optional(), { a: 1 }, [{ a: 1 }]],
    ['that the schema takes', z.object({}).optional(), undefined, [undefined]],
    ['of a schema that cannot take it', z.object({}), undefined, [undefined, {}]],
  ])('asks a schema once %s, and once more for the substitute', async (_what, given, params, expected) => {
    const { schema, asked } = counted(given);
    await new RpcRegistry().query('a', { input: schema }, () => 1).call('a', params);
    expect(asked).toEqual(expected);
  });

  it('does not ask an object of zod for what it refuses', async () => {
    const input = z.object({});
    const validate = vi.spyOn(input['~standard'], 'validate');
    await new RpcRegistry().query('a', { input }, () => 1).call('a');
    expect(validate.mock.calls).toEqual([[{}]]);
  });

  it.each([
    ['throws', (): never => fail()],
    ['rejects with', async () => fail()],
  ])('fails with what a schema %s, if it refuses the substitute too', async (_what, broken) => {
    const validate = (value: unknown) => (value === undefined ? broken() : { issues: [{ message: 'no' }] });
    const input: StandardSchemaV1 = { '~standard': { version: 1, vendor: 'test', validate } };
    await expect(new RpcRegistry().query('a', { input }, () => 1).call('a')).rejects.toThrow(TypeError);
  });
});

function fail(): never {
  throw new TypeError('no value');
}
