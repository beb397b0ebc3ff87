import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { Json, WireType } from '../wire-type.js';
import { compileCheck } from './check.js';

const text: WireType = { kind: 'string' };
const number: WireType = { kind: 'number' };

function object(fields: Record<string, WireType>, values?: WireType): WireType {
  return {
    kind: 'object',
    fields: Object.entries(fields).map(([name, type]) => ({ name, type, isOptional: false })),
    ...(values && { values }),
  };
}

function run(type: string | WireType, value: unknown) {
  return compileCheck(typeof type === 'string' ? parseType(type) : type, {})(value);
}

/** `path: message` of each issue. */
function issues(type: string | WireType, value: unknown): string[] {
  const result = run(type, value);
  if ('value' in result) throw new Error(`accepted as ${JSON.stringify(result.value)}`);
  return result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** Counts how many elements of a value are read; `length` and the like do not count. */
function counted<Value extends object>(value: Value): { value: Value; reads: () => number } {
  const read = new Set<string | symbol>();
  const get = (target: Value, key: string | symbol): unknown => {
    if (key !== 'length') read.add(key);
    return Reflect.get(target, key);
  };
  return { value: new Proxy(value, { get }), reads: () => read.size };
}

const numbers = Array.from({ length: 1000 }, (_, index) => index);
const byName = Object.fromEntries(numbers.map((index) => [`k${index}`, index]));

describe('the validation of objects', () => {
  it('validates fields by their own types, and other keys by the type of the values', () => {
    const type = object({ a: text }, number);
    expect(run(type, { b: 1, a: 'x', c: 2 })).toEqual({ value: { a: 'x', b: 1, c: 2 } });
    expect(issues(type, { a: 1, b: 'x' })).toEqual([
      'a: expected string, got number',
      'b: expected number, got string',
    ]);
  });

  it('omits a field of type void', () => {
    expect(run(object({ a: { kind: 'void' } }), { a: null })).toStrictEqual({ value: {} });
    expect(issues(object({ a: { kind: 'void' } }), { a: 5 })).toEqual(['a: expected nothing, got number']);
  });

  it('copies the key __proto__ as an ordinary property', () => {
    const result = run(object({}, number), JSON.parse('{"__proto__":1,"a":2}'));
    if ('issues' in result) throw new Error('refused');
    const [odd, usual] = ['__proto__', 'a'].map((key) => Object.getOwnPropertyDescriptor(result.value, key));
    expect(odd).toEqual({ ...usual, value: 1 });
  });

  it('names an undefined type, also in a field', () => {
    const problem = new Error("the type 'Nobody' is not defined; define it, or write it out");
    expect(() => run('{ a: Nobody }', {})).toThrow(problem);
    expect(() => run('{ a: Nobody | null }', {})).toThrow(problem);
  });

  it.each<[Json]>([[null], [{}], [{ minLength: 1 }]])(
    'accepts any key if the rule for keys is %j',
    (rule) => {
      const type = { ...object({}, number), rules: { propertyNames: rule } };
      expect(run(type, { a: 1 })).toEqual({ value: { a: 1 } });
    },
  );

  it('reports each key that does not match its pattern, and invalid values of those that do', () => {
    const type = { ...object({}, number), rules: { propertyNames: { pattern: '^x.$' } } };
    expect(run(type, { 'x💚': 1 })).toEqual({ value: { 'x💚': 1 } });
    expect(issues(type, { xa: 'x', y: 1, z: 'x' })).toEqual([
      'xa: expected number, got string',
      'y: the key does not match ^x.$',
      'z: the key does not match ^x.$',
    ]);
  });

  it('validates the rules of an object only if its fields are valid', () => {
    const type: WireType = { ...object({ a: text }), rules: { minProperties: 2 } };
    expect(issues(type, { a: 1 })).toEqual(['a: expected string, got number']);
    expect(issues(type, { a: 'x' })).toEqual([': expected at least 2 keys']);
  });

  it('accepts values with up to 200 levels', () => {
    const chain: WireType = {
      kind: 'object',
      fields: [{ name: 'n', type: { kind: 'ref', name: 'Chain' }, isOptional: true }],
    };
    const check = compileCheck(chain, { Chain: chain });
    const nest = (levels: number): object =>
      JSON.parse(`${'{"n":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
    expect(check(nest(200))).toEqual({ value: nest(200) });
    expect(check(nest(201))).toEqual({
      issues: [{ path: Array.from({ length: 200 }, () => 'n'), message: 'nested deeper than 200 levels' }],
    });
  });
});

describe('after 20 issues', () => {
  it.each<[string, WireType, object]>([
    ['a list', { kind: 'array', items: text }, numbers],
    ['a tuple', { kind: 'tuple', items: [], rest: text }, numbers],
    [
      'the fields of an object',
      object(Object.fromEntries(Object.keys(byName).map((key) => [key, text]))),
      byName,
    ],
    ['a record', object({}, text), byName],
  ])('the rest of %s is not read', (_what, type, value) => {
    const { value: sent, reads } = counted(value);
    expect(issues(type, sent)).toHaveLength(20);
    expect(reads()).toBe(20);
  });

  it('validation stops, and not before', () => {
    expect(issues({ kind: 'tuple', items: [text, number, text] }, [1, 'x', 'x'])).toEqual([
      '0: expected string, got number',
      '1: expected number, got string',
    ]);
    expect(issues({ kind: 'array', items: text }, [1, 'x', 2])).toEqual([
      '0: expected string, got number',
      '2: expected string, got number',
    ]);
  });
});

describe('the message of an issue', () => {
  it.each<[WireType, unknown, string]>([
    [{ kind: 'void' }, 5, 'expected nothing, got number'],
    [{ kind: 'integer' }, 1.5, 'expected integer, got 1.5'],
    [{ kind: 'integer' }, 'x', 'expected integer, got string'],
    [{ kind: 'integer' }, true, 'expected integer, got boolean'],
    [{ kind: 'literal', value: 'a' }, 'b', 'expected "a", got "b"'],
    [{ kind: 'literal', value: 'a' }, true, 'expected "a", got true'],
    [{ kind: 'literal', value: 'a' }, {}, 'expected "a", got object'],
    [{ kind: 'literal', value: 1 }, 'b'.repeat(40), `expected 1, got "${'b'.repeat(40)}"`],
    [{ kind: 'literal', value: 1 }, 'b'.repeat(41), `expected 1, got "${'b'.repeat(40)}…"`],
  ])('for %j and %j', (type, value, message) => {
    expect(issues(type, value)).toEqual([`: ${message}`]);
  });

  it('is absent for null and undefined as void', () => {
    expect(run({ kind: 'void' }, null)).toStrictEqual({ value: undefined });
    expect(run({ kind: 'void' }, undefined)).toStrictEqual({ value: undefined });
  });
});

describe('an object that refuses other keys', () => {
  const closed: WireType = { ...object({ a: text }), rules: { additionalProperties: false } };

  it('names each of them, at any depth', () => {
    expect(issues(closed, { a: 'x', b: 1, __proto: 2 })).toEqual([
      'b: expected no such key',
      '__proto: expected no such key',
    ]);
    expect(issues(object({ inner: closed }), { inner: { a: 'x', b: 1 } })).toEqual([
      'inner.b: expected no such key',
    ]);
    expect(run(closed, { a: 'x' })).toEqual({ value: { a: 'x' } });
  });

  it('does so after many calls, too', () => {
    const check = compileCheck(closed, {});
    for (let call = 0; call < 200; call++) check({ a: 'x' });
    expect(check({ a: 'x', b: 1 })).toHaveProperty('issues');
  });

  it('names at most 20', () => {
    expect(issues(closed, { a: 'x', ...byName })).toHaveLength(20);
  });
});
