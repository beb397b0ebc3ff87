import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { App } from '../../index.js';
import { RpcMode, RpcRegistry } from '../index.js';

const Any = { input: z.object({}) };

describe('names', () => {
  it('must be unique, and the error says both places', () => {
    const rpc = new RpcRegistry().query('one', Any, () => 1);
    expect(() => rpc.mutationWithTypes('one', () => 2, 'void', 'number')).toThrow(
      /^two procedures are named 'one': at \S+registry\.test\.ts:\d+:\d+ and at \S+registry\.test\.ts:\d+:\d+; rename/,
    );
  });

  it.each([
    ['rpc.discover', "starts with 'rpc.', which JSON-RPC 2.0 reserves"],
    ['batch', 'it is the method of the generated client that sends batches'],
    ['notify', 'it is the method of the generated client that sends notifications'],
    ['constructor', 'every class has a constructor already'],
    ['then', 'awaiting the client would call it'],
    ['toString', 'JavaScript calls it on every object'],
    [
      '__proto__',
      'a procedure cannot be named "__proto__": in JavaScript it refers to the prototype of an object; rename it',
    ],
    ['', 'the procedure name "" is empty'],
    ['  ', 'is empty'],
    ['a\nb', 'control characters'],
    ['\ud800', 'unpaired surrogates'],
    ['x'.repeat(201), 'has 201 characters; use 200 at most'],
    [7 as never, 'the name of a procedure must be a string, got a number'],
    [null as never, 'the name of a procedure must be a string, got null'],
  ])('%j is refused', (name, why) => {
    expect(() => new RpcRegistry().query(name, Any, () => 1)).toThrow(why);
    expect(() => new RpcRegistry().registerWithTypes(name, () => 1, 'void', 'void')).toThrow(why);
  });

  it.each(['a b', 'user.get', '😀', 'rpc', 'Batch', '1', 'größe', '"', "it's"])(
    '%j is accepted',
    async (name) => {
      const rpc = new RpcRegistry().query(name, Any, () => name);
      expect(await rpc.call(name)).toBe(name);
    },
  );

  it.each(['a/b', 'a?b', 'a#b', 'a{b}', ':id', '*', '..', '%41'])(
    '%j is refused only for REST',
    async (name) => {
      const rpc = new RpcRegistry().query(name, Any, () => 1);
      expect(await rpc.call(name)).toBe(1);
      expect(() => new App().mountRest('/api', rpc)).toThrow(
        `the procedure '${name}' cannot be mounted as REST`,
      );
      expect(() => RpcRegistry.withMode(RpcMode.Rest).query(name, Any, () => 1)).toThrow(
        'cannot be mounted as REST',
      );
    },
  );
});

describe('registration', () => {
  it('refuses invalid handlers, schemas, options, middleware and types', () => {
    const rpc = new RpcRegistry();
    const query = rpc.query.bind(rpc) as (...args: unknown[]) => unknown;
    expect(() => query('a')).toThrow("the handler of query('a') is undefined; give a function");
    expect(() => query('a', {})).toThrow("the handler of query('a') is an object; give a function");
    // Schemas of valibot are plain objects.
    for (const schema of [z.object({}), { '~standard': { validate: () => ({ value: 1 }) } }]) {
      expect(() => query('a', schema, String)).toThrow(
        "query('a') takes an object of options, got a schema; write { input: schema }",
      );
    }
    expect(() => query('a', null, String)).toThrow("query('a') takes an object of options, got null");
    expect(() => query('a', { inputs: 1 }, String)).toThrow(
      "query('a') has no option 'inputs'; did you mean 'input'? there are",
    );
    expect(() => query('a', { input: {} }, String)).toThrow(
      "the input of query('a') takes a Standard Schema",
    );
    expect(() => query('a', { output: 'x' }, String)).toThrow(
      "the output of query('a') takes a Standard Schema",
    );
    expect(() => query('a', { use: [1] }, String)).toThrow("the option 'use' of query('a') takes functions");
    expect(() => rpc.use(null as never)).toThrow(
      'RpcRegistry.use takes functions (call, next) => …, or middleware of createMiddleware(), got null',
    );
    expect(() => rpc.queryWithTypes('a', String, '{ a: ', 'void')).toThrow("the input type of query 'a': ");
    expect(() => rpc.mutationWithTypes('a', String, 'void', 'Map<string, 1>')).toThrow(
      "the output type of mutation 'a': ",
    );
    expect(() => rpc.queryWithTypes('a', String, undefined as never, 'void')).toThrow(
      "the input type of query 'a' is undefined; give a text, such as '{ id: string }'",
    );
    expect(() => RpcRegistry.withMode('soap' as never)).toThrow("there is no RPC mode 'soap'");
  });

  it.each(['string', 'number | null', '"a" | "b"', 'boolean | void'])('refuses the input %s', (type) => {
    expect(() => new RpcRegistry().queryWithTypes('a', String, type, 'void')).toThrow(
      "the input of query 'a' is a scalar, but params are an object or an array; use an object such as { value }",
    );
  });

  it.each([z.string(), z.number(), z.enum(['a']), z.boolean().nullable()])(
    'refuses scalar schemas',
    (input) => {
      expect(() => new RpcRegistry().query('a', { input }, () => 1)).toThrow('is a scalar');
    },
  );

  it('refuses a name that stands for a scalar', () => {
    const rpc = new RpcRegistry().queryWithTypes('a', String, 'Id', 'void').defineType('Id', 'string');
    expect(() => new App().mountRpc('/rpc', rpc)).toThrow('is a scalar');
  });

  it('is closed by the first use', async () => {
    const late = /came too late: the registry is mounted or was called/;
    for (const use of [
      (rpc: RpcRegistry) => void new App().mountRpc('/rpc', rpc),
      (rpc: RpcRegistry) => void new App().mountRest('/rpc', rpc),
      (rpc: RpcRegistry) => rpc.handleRequest('{}'),
      (rpc: RpcRegistry) => rpc.call('a'),
    ]) {
      const rpc = new RpcRegistry().query('a', Any, () => 1);
      await use(rpc);
      expect(() => rpc.query('b', Any, () => 1)).toThrow(late);
      expect(() => rpc.registerWithTypes('b', String, 'void', 'void')).toThrow(late);
      expect(() => rpc.use((_call, next) => next())).toThrow(late);
      expect(() => rpc.maxBatch(1)).toThrow(late);
      expect(() => rpc.loadContract(undefined)).toThrow(late);
      expect(() => rpc.defineType('A', 'string')).toThrow(late);
    }
  });

  it('is not closed by types()', () => {
    const rpc = new RpcRegistry().query('a', Any, () => 1);
    rpc.types();
    expect(() => rpc.query('b', Any, () => 1)).not.toThrow();
  });
});

describe('mounting', () => {
  it('refuses a registry for REST as JSON-RPC, and values that are not a registry', () => {
    expect(() => new App().mountRpc('/rpc', RpcRegistry.withMode(RpcMode.Rest))).toThrow(
      "mountRpc('/rpc') takes a registry for JSON-RPC; mount one for REST by mountRest()",
    );
    expect(() => new App().mountRpc('/rpc', {} as never)).toThrow(
      "mountRpc('/rpc') takes an RpcRegistry of 'fw/rpc'",
    );
    expect(() => new App().mountRest('/api', null as never)).toThrow('got null');
  });

  it.each(['/', '/api/', 'api'])('refuses the prefix %j as REST', (prefix) => {
    expect(() => new App().mountRest(prefix, new RpcRegistry())).toThrow(
      `mountRest takes a prefix such as '/api', without a slash at its end, got '${prefix}'`,
    );
  });

  it('refuses conflicts, with both places', () => {
    const rpc = new RpcRegistry().query('a', Any, () => 1);
    const app = new App().get('/api/a', () => 'own');
    expect(() => app.mountRest('/api', rpc)).toThrow(
      /^route conflict: GET \/api\/a \(\S+registry\.test\.ts:\d+:\d+\) matches the same requests as GET \/api\/a \(\S+registry\.test\.ts/,
    );
    const both = new App().mountRpc('/rpc', rpc);
    expect(() => both.mountRpc('/rpc', rpc)).toThrow('route conflict: POST /rpc');
  });

  it('refuses queries whose input cannot be sent in a query string', () => {
    const nested = '{ user: { name: string } }';
    expect(() => RpcRegistry.withMode(RpcMode.Rest).queryWithTypes('a', String, nested, 'void')).toThrow(
      "the input of query 'a' cannot be sent in a query string: ",
    );
    RpcRegistry.withMode(RpcMode.Rest).mutationWithTypes('a', String, nested, 'void');
    const jsonRpc = new RpcRegistry().queryWithTypes('a', String, nested, 'void');
    expect(() => new App().mountRest('/api', jsonRpc)).toThrow('make it a mutation');
  });
});
