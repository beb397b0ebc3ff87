import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract, inferred } from '../../conformance/inferred-registry.js';
import { App } from '../../index.js';
import { RpcRegistry } from '../index.js';

describe('types', () => {
  it('come from the schema, else the type string, else the contract, sorted and named', () => {
    const rpc = inferred()
      .loadContract(contract)
      .query('both', { input: z.object({ a: z.number() }), output: z.string() }, () => '')
      .queryWithTypes('text', String, '{ user: User }', 'Array<User>')
      .defineType('User', '{ id: string }');
    const field = (name: string, type: unknown) => ({ name, type, isOptional: false });
    expect(rpc.types()).toEqual({
      procedures: {
        both: { kind: 'query', input: { kind: 'ref', name: 'BothInput' }, output: { kind: 'string' } },
        find: {
          kind: 'query',
          input: {
            kind: 'union',
            members: [{ kind: 'object', fields: [field('id', { kind: 'number' })] }, { kind: 'void' }],
          },
          output: { kind: 'unknown' },
        },
        ping: { kind: 'query', input: { kind: 'void' }, output: { kind: 'string' } },
        rename: {
          kind: 'mutation',
          input: { kind: 'ref', name: 'Rename' },
          output: { kind: 'boolean' },
        },
        text: {
          kind: 'query',
          input: { kind: 'object', fields: [field('user', { kind: 'ref', name: 'User' })] },
          output: { kind: 'array', items: { kind: 'ref', name: 'User' } },
        },
      },
      named: {
        BothInput: { kind: 'object', fields: [field('a', { kind: 'number' })] },
        Rename: { kind: 'object', fields: [field('name', { kind: 'string' })] },
        User: { kind: 'object', fields: [field('id', { kind: 'string' })] },
      },
    });
    expect(Object.keys(rpc.types().procedures)).toEqual(['both', 'find', 'ping', 'rename', 'text']);
  });

  it('of recursive schemas without an id are named by their procedures', () => {
    const tree = () =>
      z.object({
        value: z.string(),
        get children() {
          return z.array(z.any());
        },
      });
    const list = () => {
      const node: z.ZodType = z.lazy(() => z.object({ next: node.nullable() }));
      return z.object({ node });
    };
    const rpc = new RpcRegistry()
      .query('one', { input: list(), output: tree() }, () => ({ value: '', children: [] }))
      .query('two', { input: list() }, () => 1);
    const names = Object.keys(rpc.types().named);
    expect(names.filter((name) => name.startsWith('OneInput')).length).toBeGreaterThan(0);
    expect(names.filter((name) => name.startsWith('TwoInput')).length).toBeGreaterThan(0);
    expect(names).not.toContain('Recursive');
  });

  it('of a result that may be undefined include null, which is what is sent', async () => {
    const rpc = new RpcRegistry().queryWithTypes('find', () => undefined, 'void', 'string | void');
    expect(rpc.types().procedures.find?.output).toEqual({
      kind: 'union',
      members: [{ kind: 'string' }, { kind: 'null' }],
    });
    expect(await rpc.call('find')).toBeNull();
  });

  it('of an inferred procedure without a contract are unknown', () => {
    expect(inferred().types().procedures.rename).toEqual({
      kind: 'mutation',
      input: { kind: 'unknown' },
      output: { kind: 'unknown' },
    });
  });

  it('in type strings may refer to the contract', async () => {
    const rpc = new RpcRegistry()
      .loadContract(contract)
      .queryWithTypes('a', (input) => input, 'Rename', 'Rename');
    expect(Object.keys(rpc.types().named)).toEqual(['Rename']);
    expect(await rpc.call('a', { name: 'x', other: 1 })).toEqual({ name: 'x' });
  });

  it('must not use one name for two types', () => {
    const rpc = new RpcRegistry()
      .query('get.user', { input: z.object({ a: z.number() }) }, () => 1)
      .query('getUser', { input: z.object({ b: z.number() }) }, () => 1);
    expect(() => rpc.types()).toThrow(
      "two types are named 'GetUserInput': that of the input of 'get.user', and that of the input of 'getUser'; give one of them another id",
    );
  });

  it('must have a name that a client can declare', () => {
    const named = (id: string) =>
      new RpcRegistry().query('a', { output: z.object({ b: z.string() }).meta({ id }) }, () => ({ b: '' }));
    expect(() => named('JsonRpcError').types()).toThrow(
      "the id 'JsonRpcError' cannot name a TypeScript type",
    );
    expect(Object.keys(named('as').types().named)).toEqual(['As']);
    for (const name of ['FwRpcClient', 'Größe']) {
      const rpc = new RpcRegistry()
        .query('a', (input: unknown) => input)
        .loadContract({
          version: 2,
          procedures: { a: ['query', 'void', name] },
          named: { [name]: 'string' },
        });
      expect(() => rpc.generateClient()).toThrow(
        `the type '${name}' of the output of 'a' cannot be declared in a generated client`,
      );
    }
  });

  it('with mistakes throw one error for all procedures', () => {
    const User = z.object({ id: z.string() }).meta({ id: 'User' });
    const Other = z.object({ id: z.number() }).meta({ id: 'User' });
    const rpc = new RpcRegistry()
      .query('a', { output: z.bigint() }, () => 1n)
      .query('b', { input: z.map(z.string(), z.string()), output: User }, () => ({ id: '1' }))
      .query('c', { output: Other }, () => ({ id: 1 }));
    let thrown: unknown;
    try {
      rpc.types();
    } catch (error) {
      thrown = error;
    }
    const place = expect.stringMatching(/registry-types\.test\.ts:\d+:\d+$/);
    expect(thrown).toMatchObject({
      message: expect.stringMatching(
        /^3 types of procedures are wrong:\n- the output of 'a'.*\n- the input of 'b'/,
      ),
      faults: [
        { message: expect.stringContaining("the output of 'a': the output of a schema of zod"), place },
        { message: expect.stringContaining("the input of 'b'"), place },
        { message: expect.stringContaining("two types are named 'User'"), place },
      ],
    });
    const names = new RpcRegistry()
      .queryWithTypes('a', String, '{ user: strng }', 'void')
      .queryWithTypes('b', String, 'void', 'Usr');
    expect(() => names.types()).toThrow(/^2 types of procedures are wrong:\n- .*'strng'.*\n- .*'Usr'/);
  });

  it('with mistakes throw an error with the place of the procedure', () => {
    const schema = new RpcRegistry().query('a', { output: z.bigint() }, () => 1n);
    expect(() => schema.types()).toThrow(
      /use a string.*; 'a' is registered at .*registry-types\.test\.ts:\d+:\d+$/,
    );
    const text = new RpcRegistry().queryWithTypes('a', String, '{ user: strng }', 'void');
    expect(() => text.types()).toThrow(
      /'strng', which is not defined.*; 'a' is registered at .*\.test\.ts:\d+:\d+$/,
    );
  });

  it('must be defined', () => {
    const rpc = new RpcRegistry().queryWithTypes('a', String, '{ user: User }', 'void');
    const message =
      "the input of 'a' refers to the type 'User', which is not defined; define it by defineType('User'";
    expect(() => rpc.types()).toThrow(message);
    expect(() => new App().mountRpc('/rpc', rpc)).toThrow(message);
    for (const name of ['a b', 'class', 'string', 'Record', 'as', 'FwRpcClient', 'JsonRpcError', 'Größe']) {
      expect(() => new RpcRegistry().defineType(name, 'string')).toThrow(
        `'${name}' is not a valid name for a type`,
      );
    }
    expect(() => new RpcRegistry().defineType('A', 'string').defineType('A', 'string')).toThrow(
      'defined twice',
    );
  });
});
