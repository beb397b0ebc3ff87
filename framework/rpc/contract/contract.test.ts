// The contract file: what `fw generate` writes is read again as it was, and anything else is refused.
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../config-error.js';
import { contract } from '../../conformance/inferred-registry.js';
import type { WireTypes } from '../../wire/wire-type.js';
import { RpcMode, RpcRegistry } from '../index.js';
import { contractText, isOfThisVersion } from './contract-text.js';

const types: WireTypes = {
  procedures: {
    b: { kind: 'mutation', input: { kind: 'ref', name: 'Task' }, output: { kind: 'void' } },
    'a.list': {
      kind: 'query',
      input: { kind: 'void' },
      output: { kind: 'array', items: { kind: 'ref', name: 'Task' } },
    },
  },
  named: {
    Task: {
      kind: 'object',
      description: 'One task.',
      fields: [
        {
          name: 'id',
          type: { kind: 'number' },
          isOptional: false,
          description: 'Assigned by "the" server.\n*/ ends',
        },
        {
          name: 'at',
          type: {
            kind: 'union',
            members: [{ kind: 'string', rules: { format: 'date-time' } }, { kind: 'null' }],
          },
          isOptional: true,
        },
      ],
    },
  },
};

describe('the text of a contract', () => {
  it('has each procedure and each named type on its own line, sorted', () => {
    expect(contractText(types)).toBe(`{
  "version": 2,
  "procedures": {
    "a.list": ["query", "void", "Task[]"],
    "b": ["mutation", "Task", "void"]
  },
  "named": {
    "Task": "/** One task. */ { at?: null | Date, /** Assigned by \\"the\\" server.\\n*\\\\/ ends */ id: number }"
  }
}
`);
  });

  it('shows its version', () => {
    expect(isOfThisVersion(contractText(types))).toBe(true);
    for (const other of ['', '{}', '{\n  "version": 1,', '{"version":20}']) {
      expect(isOfThisVersion(other), other).toBe(false);
    }
  });

  it('is read again as the same types', () => {
    const rpc = new RpcRegistry()
      .query('a.list', () => [])
      .mutation('b', () => undefined)
      .loadContract(JSON.parse(contractText(types)));
    expect(contractText(rpc.types())).toBe(contractText(types));
  });

  it('of no types has neither procedures nor names', () => {
    expect(JSON.parse(contractText({ procedures: {}, named: {} }))).toEqual({
      version: 2,
      procedures: {},
      named: {},
    });
  });
});

describe('contracts', () => {
  it('may be absent', () => {
    expect(() => new RpcRegistry().loadContract(undefined)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'it is not an object'],
    ['a list', [], 'it is not an object'],
    ['no version', { procedures: {}, named: {} }, 'version is missing, this fw reads 2; run fw generate'],
    [
      'the version before',
      { version: 1, procedures: { a: { kind: 'query', input: { kind: 'void' }, output: { kind: 'void' } } } },
      'version is 1, this fw reads 2; run fw generate',
    ],
    ['a later version', { version: 3 }, 'version is 3, this fw reads 2'],
    ['no procedures', { version: 2, named: {} }, 'procedures is not an object'],
    ['no named types', { version: 2, procedures: {} }, 'named is not an object'],
    ['a named type that is not a text', named({ A: { kind: 'null' } }), 'named["A"] is not a string'],
    [
      'a procedure that is not a list',
      { ...named({}), procedures: { a: {} } },
      'procedures["a"] is not an array',
    ],
    [
      'an unknown kind of procedure',
      part('void', 'void', 'x'),
      `procedures["a"][0] is not 'query', 'mutation' or 'subscription'`,
    ],
    ['no input', part(undefined, 'void'), 'procedures["a"][1] is not a string'],
    ['no output', part('void', null), 'procedures["a"][2] is not a string'],
  ])('with %s are refused', async (_, value, message) => {
    expect(await refusal(() => new RpcRegistry().loadContract(value))).toContain(message);
  });

  it.each([
    ['', 'expected a type at its end'],
    ['{ a: number', "expected ',' at its end"],
    ['{ a: }', 'expected a type at "}"'],
    ['string number', 'expected the end at "number"'],
    ['constructor', "refers to the type 'constructor', which is not in 'named'"],
    ['__proto__', "refers to the type '__proto__', which is not in 'named'"],
    ['{ a: number, a: string }', "a second field 'a'"],
    ['['.repeat(50_000), 'is nested more than 200 deep'],
    [`string${'[]'.repeat(50_000)}`, 'is nested more than 200 deep'],
  ])('with the input %j are refused by the first call at the latest', async (input, message) => {
    const rpc = new RpcRegistry().loadContract(part(input, 'void'));
    expect(await refusal(() => rpc.query('a', () => 1).call('a', {}))).toContain(message);
  });

  it('with an input that REST cannot send are refused as its procedure is registered', () => {
    const rpc = RpcRegistry.withMode(RpcMode.Rest).loadContract(
      part('{ a: { b: { c: string } }[] }', 'void'),
    );
    expect(() => rpc.query('a', () => 1)).toThrow(/cannot be sent in a query string/);
    const scalar = new RpcRegistry().loadContract(part("'x' | 'y'", 'void'));
    expect(() => scalar.query('a', () => 1)).toThrow(/is a scalar/);
  });

  it('with a faulty named type are refused by the first call of a procedure whose input refers to it', async () => {
    const rpc = new RpcRegistry().loadContract({
      ...named({ A: '{ b?: B }', B: 'B[] | C' }),
      procedures: { a: ['query', '{ a: A }', 'void'] },
    });
    const call = () => rpc.query('a', () => 1).call('a', { a: {} });
    expect(await refusal(call)).toContain(`named["B"] refers to the type 'C', which is not in 'named'`);
  });

  it('with a faulty named type serve the procedures whose inputs do not refer to it, and refuse every other call', async () => {
    const rpc = new RpcRegistry()
      .loadContract({
        ...named({ A: '{ id: string }', B: '{ a: A', Unused: '{' }),
        procedures: { a: ['query', '{ a: A }', 'void'], b: ['query', '{ b: B }', 'void'] },
      })
      .query('a', (input) => input)
      .query('b', (input) => input);
    expect(await rpc.call('a', { a: { id: '1', more: 1 } })).toEqual({ a: { id: '1' } });
    for (const _ of [1, 2]) {
      expect(await refusal(() => rpc.call('b', { b: {} }))).toContain('named["B"] expected');
    }
  });

  it('with a faulty output are refused as types are made', async () => {
    const rpc = new RpcRegistry().loadContract(part('void', 'Lost')).query('a', () => 1);
    expect(await refusal(() => rpc.types())).toContain(`procedures["a"].output refers to the type 'Lost'`);
  });

  it('may have types that refer to each other, and to nothing else', async () => {
    const rpc = new RpcRegistry()
      .loadContract({
        ...named({ A: 'B', B: 'A', Node: '{ next?: Node }' }),
        procedures: { a: ['query', 'A', 'B'], b: ['query', 'Node', 'Node'] },
      })
      .query('a', () => 1)
      .query('b', (input) => input);
    expect(await rpc.call('b', { next: { next: {}, more: 1 } })).toEqual({ next: { next: {} } });
    await expect(rpc.call('b', { next: 1 })).rejects.toThrow(/^Invalid input: next: /);
    expect(Object.keys(rpc.types().named)).toEqual(['A', 'B', 'Node']);
  });

  it('may have any names, also those of the prototype of objects', async () => {
    const named = `"named":{"__proto__":"{ __proto__: string }","constructor":"number"}`;
    const text = `{"version":2,"procedures":{"a":["query","__proto__","constructor"],"__proto__":["query","void","void"]},${named}}`;
    const rpc = new RpcRegistry()
      .loadContract(JSON.parse(text))
      .query('a', (input) => JSON.stringify(input))
      .query('hasOwnProperty_', (input) => input);
    const input = JSON.parse('{"__proto__":"x","other":1}');
    expect(await rpc.call('a', input)).toBe('{"__proto__":"x"}');
    expect(await rpc.call('hasOwnProperty_', { any: 1 })).toEqual({ any: 1 });
  });

  it('have only their own procedures, not those of a prototype', async () => {
    const procedures = Object.create({ a: ['query', '{ id: string }', 'void'] });
    const rpc = new RpcRegistry().loadContract({ version: 2, procedures, named: {} });
    expect(await rpc.query('a', (input) => input).call('a', { any: 1 })).toEqual({ any: 1 });
  });

  it('may have names that refer to one another in a long chain', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`A${i}`, `{ next: A${(i + 1) % 20_000} }`]),
    );
    const rpc = new RpcRegistry()
      .loadContract({ ...named(chain), procedures: { a: ['query', 'A0', 'A0'] } })
      .query('a', () => 1);
    expect(Object.keys(rpc.types().named)).toHaveLength(20_000);
  });

  it('are not changed', () => {
    const before = structuredClone(contract);
    const frozen = Object.freeze(contract);
    new RpcRegistry()
      .loadContract(frozen)
      .query('find', () => 1)
      .types();
    expect(contract).toEqual(before);
  });
});

async function refusal(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ code: 'FW_RPC_CONTRACT' });
    return (error as Error).message;
  }
  throw new Error('it was not refused');
}

function named(types: Readonly<Record<string, unknown>>): object {
  return { version: 2, procedures: {}, named: types };
}

function part(input: unknown, output: unknown, kind = 'query'): unknown {
  return { version: 2, procedures: { a: [kind, input, output] }, named: {} };
}
