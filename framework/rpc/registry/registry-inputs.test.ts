import diagnostics from 'node:diagnostics_channel';
import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { contract, inferred } from '../../conformance/inferred-registry.js';
import { App } from '../../index.js';
import { subscribe, type TracingEvent } from '../../tracing/index.js';
import { errorCode, RpcMode, RpcRegistry } from '../index.js';

const Any = { input: z.object({}) };
afterEach(() => vi.restoreAllMocks());

describe('inputs', () => {
  it('are validated by their schema, whose output the handler receives', async () => {
    const rpc = new RpcRegistry().query(
      'a',
      {
        input: z.object({
          at: z.iso.datetime().transform((text) => new Date(text)),
          n: z.number().default(1),
        }),
      },
      ({ at, n }) => [at.getTime(), n],
    );
    expect(await rpc.call('a', { at: '1970-01-01T00:00:00Z', other: 1 })).toEqual([0, 1]);
    await expect(rpc.call('a', { at: 'now' })).rejects.toMatchObject({ code: errorCode.invalidParams });
  });

  it('are validated by their type string, without unknown keys', async () => {
    const rpc = new RpcRegistry().queryWithTypes(
      'a',
      (input) => input,
      '{ a: number; b?: string }',
      'unknown',
    );
    expect(await rpc.call('a', { a: 1, c: 2 })).toEqual({ a: 1 });
    await expect(rpc.call('a', { a: '1' })).rejects.toThrow(/^Invalid input: a: .*number/);
    await expect(rpc.call('a')).rejects.toThrow(/^Invalid input: a: /);
  });

  it('are validated by the contract', async () => {
    const rpc = inferred().loadContract(structuredClone(contract));
    expect(await rpc.call('rename', { name: 'x', admin: true })).toEqual(['name']);
    await expect(rpc.call('rename', { name: 1 })).rejects.toThrow(/^Invalid input: name: .*string/);
    expect(await rpc.call('ping', { anything: 1 })).toBe('pong');
    expect(await rpc.call('find')).toBe('all');
    expect(await rpc.call('find', { id: 1 })).toEqual({ id: 1 });
    await expect(rpc.call('find', {})).rejects.toThrow(/^Invalid input: id: /);
  });

  it('are validated by asynchronous schemas', async () => {
    const input = v.pipeAsync(
      v.objectAsync({ name: v.string() }),
      v.checkAsync(async ({ name }) => name !== 'taken', 'taken already'),
    );
    const rpc = new RpcRegistry().query('a', { input }, ({ name }) => name);
    expect(await rpc.call('a', { name: 'free' })).toBe('free');
    await expect(rpc.call('a', { name: 'taken' })).rejects.toThrow('Invalid input: taken already');
  });

  it('that are too deep for their schema are refused', async () => {
    const Tree = z.object({
      get child() {
        return Tree.optional();
      },
    });
    const rpc = new RpcRegistry().query('a', { input: Tree }, () => 1);
    const deep = JSON.parse(`${'{"child":'.repeat(50_000)}{}${'}'.repeat(50_000)}`);
    await expect(rpc.call('a', deep)).rejects.toMatchObject({ code: -32602 });
  });

  it('with dates are converted to Dates, unless the schema does it', async () => {
    const at = { made: z.coerce.date(), taken: z.date().min(new Date(0)) };
    const input = z.object({
      ...at,
      list: z.array(z.date()).optional(),
      either: z.union([z.string(), z.date()]),
    });
    const rpc = new RpcRegistry().query('a', { input }, ({ made, taken, list, either }) => [
      made.getTime(),
      taken.getTime(),
      list?.map((one) => one.getTime()),
      either,
    ]);
    const time = '1970-01-01T00:00:01Z';
    expect(await rpc.call('a', { made: '1970-01-01', taken: time, list: [time], either: time })).toEqual([
      0,
      1000,
      [1000],
      time,
    ]);
    for (const taken of ['now', '1970-01-01', 1000, '1969-12-31T00:00:00Z', '2020-13-45T99:00:00Z']) {
      await expect(rpc.call('a', { made: time, taken, either: '' })).rejects.toThrow(
        /^Invalid input: taken: /,
      );
    }
    expect(rpc.generateClient()).toContain('taken: string;');
  });

  it('with dates in a recursive type are converted to Dates at any depth', async () => {
    const Node = z.object({
      at: z.date(),
      get next() {
        return Node.optional();
      },
    });
    const rpc = new RpcRegistry().query('a', { input: Node }, ({ next }) => next?.next?.at.getTime());
    const at = '1970-01-01T00:00:01Z';
    expect(await rpc.call('a', { at, next: { at, next: { at } } })).toBe(1000);
    const deep = JSON.parse(`${`{"at":"${at}","next":`.repeat(20_000)}null${'}'.repeat(20_000)}`);
    await expect(rpc.call('a', deep)).rejects.toMatchObject({ code: -32602 });
  });

  it('whose schema has no JSON Schema are still validated by it', async () => {
    const input = z.map(z.string(), z.number());
    const rpc = new RpcRegistry().mutation('a', { input }, (map) => map.size);
    await expect(rpc.call('a', {})).rejects.toThrow(/^Invalid input: /);
    expect(() => rpc.types()).toThrow(/^the input of 'a': .*use a type that JSON has/);
  });

  it('with a part that JSON cannot represent are reported when its type is needed, once', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const input = z.object({ page: z.number(), filter: z.object({ big: z.bigint() }) });
    const rpc = new RpcRegistry().query('find', { input }, () => 1);
    expect(warned).not.toHaveBeenCalled();
    rpc.types();
    expect(warned.mock.calls).toEqual([
      [
        "the input of query('find'): 'filter.big' is a bigint, which JSON cannot represent: it is unknown in clients " +
          'and documents; use a string, and convert it to a bigint with a codec or a transform',
      ],
    ]);
    expect(rpc.generateClient()).toContain('big: unknown;');
    rpc.generateOpenapi('x', '1', '/api');
    expect(warned).toHaveBeenCalledTimes(1);
  });

  it('with a part that JSON cannot represent reach subscribers', () => {
    const events: TracingEvent[] = [];
    const end = subscribe((event) => void events.push(event));
    new RpcRegistry().query('find', { input: z.object({ big: z.bigint() }) }, () => 1).types();
    end();
    expect(events).toMatchObject([{ level: 'warn', fields: { path: 'big', what: 'a bigint' } }]);
  });

  it('from a query string are converted to the types of the schema, even if JSON cannot represent other parts', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const input = z.object({
      page: z.number(),
      since: z.date().optional(),
      before: z.coerce.date().optional(),
      big: z.coerce.bigint().optional(),
    });
    const rpc = RpcRegistry.withMode(RpcMode.Rest)
      .query('open', { input }, ({ page, since, before, big }) => [page, since, before, String(big)])
      .query('strict', { input: z.strictObject({ page: z.number() }) }, ({ page }) => page)
      .query('loose', { input: z.looseObject({ page: z.number() }) }, (value) => value);
    const routes = new App().mountRest('/api', rpc);
    const ask = async (path: string): Promise<unknown> =>
      (await routes.oneshot(new Request(`http://localhost/api/${path}`))).json();
    const time = '1970-01-01T00:00:01.000Z';
    expect(await ask(`open?page=2&since=${time}&before=${time}&big=9`)).toEqual([2, time, time, '9']);
    expect(await ask('open?page=2&other=1')).toEqual([2, null, null, 'undefined']);
    expect(await ask('strict?page=2')).toBe(2);
    expect(await ask('strict?page=2&other=1')).toMatchObject({
      error: 'BadRequest',
      message: expect.stringContaining('other'),
    });
    expect(await ask('loose?page=2&other=1')).toEqual({ page: 2, other: '1' });
  });

  it.each([
    ['is optional', z.object({ a: z.number() }).optional(), null],
    ['has a default', z.object({ a: z.number() }).default({ a: 5 }), { a: 5 }],
    ['takes an empty object', z.object({ a: z.number().default(1) }).optional(), null],
    [
      'is asynchronous',
      z
        .object({ a: z.number() })
        .optional()
        .refine(async () => true),
      null,
    ],
  ])('that are absent are passed to a schema that %s', async (_what, input, expected) => {
    const rpc = new RpcRegistry().query('a', { input }, (value) => value ?? null);
    expect(await rpc.call('a')).toEqual(expected);
    const routes = new App().mountRest(
      '/api',
      RpcRegistry.withMode(RpcMode.Rest).query('a', { input }, (value) => value ?? null),
    );
    const response = await routes.oneshot(new Request('http://localhost/api/a'));
    expect(await response.json()).toEqual(expected);
  });

  it('that are absent are null if the type includes null, which params cannot represent', async () => {
    const register = (mode: RpcMode) =>
      RpcRegistry.withMode(mode)
        .queryWithTypes('text', (value) => [value], '{ a: number } | null', 'unknown')
        .mutationWithTypes('list', (value) => [value], 'Array<number> | null', 'unknown')
        .query('schema', { input: z.object({ a: z.number() }).nullable() }, (value) => [value]);
    const rpc = register(RpcMode.JsonRpc);
    for (const name of ['text', 'list', 'schema']) expect(await rpc.call(name)).toEqual([null]);
    const routes = new App().mountRest('/api', register(RpcMode.Rest));
    const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
      (await routes.oneshot(new Request(`http://localhost/api/${path}`, init))).json();
    expect(await ask('text')).toEqual([null]);
    expect(await ask('schema?a=1')).toEqual([{ a: 1 }]);
    expect(await ask('list', { method: 'POST' })).toEqual([null]);
  });

  it('that are absent are refused with the missing fields if the schema requires an object', async () => {
    const rpc = new RpcRegistry()
      .query('a', { input: z.object({ a: z.number() }) }, () => 1)
      .query('b', { input: z.object({ a: z.number() }).refine(async () => true) }, () => 1);
    for (const name of ['a', 'b']) {
      await expect(rpc.call(name)).rejects.toMatchObject({
        code: -32602,
        data: { issues: [{ path: ['a'] }] },
      });
    }
  });

  it('are refused with the error that a schema throws', async () => {
    const input = z.object({}).transform(() => {
      throw new TypeError('broken');
    });
    await expect(new RpcRegistry().query('a', { input }, () => 1).call('a')).rejects.toThrow(TypeError);
  });

  it('without a validation are reported once, with the remedy', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const rpc = inferred().query('checked', Any, () => 1);
    expect(await rpc.call('rename', { other: 1 })).toEqual(['other']);
    await rpc.call('ping');
    expect(warned.mock.calls).toEqual([
      [
        "the input of 'rename', 'ping', 'find' is not checked: run fw generate and load its contract by loadContract(), or give a schema",
      ],
    ]);
  });

  it('without a validation are published as an event if there is a subscriber', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const events: TracingEvent[] = [];
    const end = subscribe((event) => void events.push(event));
    await inferred()
      .loadContract({ ...contract, procedures: {} })
      .call('ping');
    end();
    expect(events).toMatchObject([{ level: 'warn', fields: { procedures: ['rename', 'ping', 'find'] } }]);
    expect(warned).not.toHaveBeenCalled();
  });

  it('without a validation are told later if fw dev asks for that', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const held: (() => void)[] = [];
    const hold = (tell: unknown): void => void held.push(tell as () => void);
    diagnostics.subscribe('fw:unchecked', hold);
    await inferred().call('ping');
    diagnostics.unsubscribe('fw:unchecked', hold);
    expect(warned).not.toHaveBeenCalled();
    for (const tell of held) tell();
    expect(warned).toHaveBeenCalledTimes(1);
  });
});
