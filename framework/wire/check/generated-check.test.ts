import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseType } from '../read/parse-type.js';
import type { NamedTypes, WireType } from '../wire-type.js';
import { compileCheck } from './check.js';
import { INVALID } from './check-walk.js';
import { generateCheck } from './generated-check.js';

const named: NamedTypes = {
  User: parseType('{ id: string; tags?: Array<string> }'),
  One: parseType("'admin'"),
  Role: parseType("'admin' | 'guest'"),
  Tree: parseType('{ children: Array<Tree> }'),
};

/** Values of every kind; some are valid for the types below, some are not. */
const values: readonly unknown[] = [
  undefined,
  null,
  0,
  -0,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'admin',
  'a "quoted" name',
  true,
  [],
  [1, 'a', null],
  ['a', 'b'],
  [{ id: 'a' }, { id: 'b', tags: ['x'], more: 1 }],
  {},
  { a: 1, b: 2 },
  { b: 2, a: 1, c: 3 },
  { a: '1', b: 2 },
  { a: null },
  { a: undefined, b: undefined },
  { id: 'a', tags: null },
  { id: 'a', tags: ['x', 1] },
  { user: { id: 'a', other: true }, role: 'guest' },
  { user: { id: 5 }, role: 'guest' },
  { 'a-b': 1, 'it\'s "b"': 'x', constructor: 'c', toString: 't' },
  { outer: { inner: [{ n: 1 }, { n: 2, m: 'x' }] } },
  JSON.parse('{"__proto__":{"a":1},"b":2}'),
  Object.create({ a: 1, b: 2 }),
  Object.assign(Object.create(null), { a: 1, b: 2 }),
];

const generated: readonly (string | WireType)[] = [
  'string',
  'number',
  'boolean',
  'null',
  'unknown',
  '\'a "quoted" name\'',
  'Role',
  'string | number | null',
  "'admin' | 0 | true",
  'One | null',
  'never',
  'Array<string>',
  'Array<string | null>',
  'Array<User>',
  '{ a: number; b: number }',
  '{ a?: number; b: unknown }',
  '{ a: unknown; b?: number; c: number }',
  '{ b: number | null; a?: string | null }',
  '{ user: User; role: Role }',
  'User | null',
  '{ "a-b": number; "it\'s \\"b\\"": string; constructor: string }',
  '{ constructor: string; toString: string }',
  '{ outer: { inner: Array<{ n: number; m?: string }> } }',
  { kind: 'integer', rules: { minimum: 0 } },
  { kind: 'string', rules: { pattern: '^a' } },
  {
    kind: 'object',
    fields: [{ name: 'a', type: { kind: 'unknown' }, isOptional: true }],
    rules: { minProperties: 2 },
  },
  { kind: 'ref', name: 'User', rules: { maxProperties: 1 } },
];

const asType = (type: string | WireType): WireType => (typeof type === 'string' ? parseType(type) : type);

describe('generateCheck', () => {
  it.each(generated)('accepts the same values as the closures, and returns the same copy: %j', (text) => {
    const type = asType(text);
    const fast = generateCheck(type, named);
    if (fast === undefined) throw new Error('left to the closures');
    for (const value of values) {
      const slow = compileCheck(type, named)(value);
      const accepted = fast(value);
      expect(accepted === INVALID ? 'refused' : 'accepted').toBe('issues' in slow ? 'refused' : 'accepted');
      if ('value' in slow) {
        expect(accepted).toStrictEqual(slow.value);
        expect(JSON.stringify(accepted)).toBe(JSON.stringify(slow.value));
      }
    }
  });

  it.each([
    'void',
    'string | undefined',
    'Tree',
    'Nobody',
    '[string, number]',
    'Record<string, number>',
    '{ a: number } | { b: number }',
    '{ __proto__: string }',
    `{ ${Array.from({ length: 300 }, (_, i) => `f${i}: string`).join('; ')} }`,
    Array.from({ length: 40 }, (_, i) => `'${i}'`).join(' | '),
  ])('leaves to the closures: %s', (text) => {
    expect(generateCheck(parseType(text), named)).toBeUndefined();
  });

  it('copies, and does not change the input', () => {
    const sent = { id: 'a', tags: ['x'], more: 1 };
    const copy = generateCheck(asType('User'), named)?.(sent) as typeof sent;
    expect(copy).not.toBe(sent);
    expect(copy.tags).not.toBe(sent.tags);
    expect(sent).toEqual({ id: 'a', tags: ['x'], more: 1 });
  });
});

describe('compileCheck after many calls', () => {
  it('still accepts, refuses and gives reasons', () => {
    const check = compileCheck(parseType('{ a: number; b?: string }'), named);
    const good = new Set<string>();
    const bad = new Set<string>();
    for (let call = 0; call < 300; call++) {
      good.add(JSON.stringify(check({ a: 1, c: call })));
      bad.add(JSON.stringify(check({ a: 'x', b: 1 })));
    }
    expect([...good]).toEqual(['{"value":{"a":1}}']);
    expect([...bad]).toEqual([
      '{"issues":[{"path":["a"],"message":"expected number, got string"},{"path":["b"],"message":"expected string, got number"}]}',
    ]);
  });

  it('works if the runtime forbids code from strings', () => {
    const module = fileURLToPath(new URL('./check.ts', import.meta.url));
    const program = `
      const { compileCheck } = await import(${JSON.stringify(module)});
      const check = compileCheck({ kind: 'array', items: { kind: 'string' } }, {});
      let last;
      for (let call = 0; call < 300; call++) last = [check(['a']), check([1])];
      console.log(JSON.stringify(last));
    `;
    const flags = ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module'];
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], { encoding: 'utf8' });
    expect(stdout, stderr).toBe(
      '[{"value":["a"]},{"issues":[{"path":[0],"message":"expected string, got number"}]}]\n',
    );
  });
});
