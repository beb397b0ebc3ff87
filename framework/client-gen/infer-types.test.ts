import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../conformance/inferred-project.js';
import { plain } from '../conformance/plain-type.js';
import { parseType } from '../wire/read/parse-type.js';

afterAll(removeProjects);

/** Name, the handler's signature, and its types in JSON. */
const travels: readonly (readonly [name: string, handler: string, input: string, output: string])[] = [
  [
    'scalars',
    '(input: { a: string; b: number; c: boolean; d: null }) => 1 as number',
    '{ a: string; b: number; c: boolean; d: null }',
    'number',
  ],
  [
    'optional',
    '(input: { a?: string; b: string | undefined }) => ({}) as { c?: number }',
    '{ a?: string; b?: string }',
    '{ c?: number }',
  ],
  ['nothing', '() => {}', 'void', 'void'],
  // As the type of the registry makes `(_) => …`.
  ['untyped', '(_: never) => true as boolean', 'void', 'boolean'],
  ['promised', 'async (input: { id: string }) => [input.id]', '{ id: string }', 'string[]'],
  ['twice', '(): Promise<Promise<number>> => Promise.resolve(Promise.resolve(1))', 'void', 'number'],
  [
    'missing',
    '(input: { id: string }) => [input].find(() => false)',
    '{ id: string }',
    '{ id: string } | null',
  ],
  [
    'literals',
    "(input: { a: 'x' | 'y'; b: 1 | 2; c: true }) => 'z' as const",
    "{ a: 'x' | 'y'; b: 1 | 2; c: true }",
    "'z'",
  ],
  ['nullable', '(input: { a: string | null }) => null', '{ a: string | null }', 'null'],
  [
    'lists',
    '(input: { a: readonly string[]; b: Array<{ c: number }> }) => [[1]]',
    '{ a: string[]; b: { c: number }[] }',
    'number[][]',
  ],
  [
    'tuples',
    '(input: [string, number?, ...boolean[]]) => [1, "a"] as [number, string]',
    '[string, number?, ...boolean[]]',
    '[number, string]',
  ],
  [
    'spread lists',
    '<T extends string[]>(input: [number, ...T]) => 1 as number',
    '[number, ...string[]]',
    'number',
  ],
  [
    'records',
    '(input: Record<string, number>) => ({}) as { [key: string]: string[] }',
    'Record<string, number>',
    'Record<string, string[]>',
  ],
  [
    'utilities',
    '(input: Pick<Wide, "a"> & Partial<Omit<Wide, "a">>) => 1 as number',
    '{ a: string; b?: number }',
    'number',
  ],
  ['mapped', '(input: { [K in "x" | "y"]: K }) => 1 as number', "{ x: 'x'; y: 'y' }", 'number'],
  ['conditional', '(input: { a: Unwrapped<string[]> }) => 1 as number', '{ a: string }', 'number'],
  ['branded', '(input: { id: UserId }) => input.id', '{ id: string }', 'string'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
  ['templates', '(input: { at: `${number}px` }) => 1 as number', '{ at: string }', 'number'],
  ['dates', '() => new Date()', 'void', 'Date'],
  ['written', '() => ({ at: new Money() })', 'void', '{ at: Money }'],
  ['urls', '() => new URL("http://x/")', 'void', 'string'],
  ['generic', '(input: { page: Page<string> }) => 1 as number', '{ page: { items: string[] } }', 'number'],
  ['optional unknown', '(input?: unknown) => 1 as number', 'unknown', 'number'],
  ['unknowns', '(input: { a: unknown }) => 1 as number', '{ a: unknown }', 'number'],
  [
    'choices',
    '(input: { ok: boolean }) => input.ok ? { kind: "a" as const, n: 1 } : { kind: "b" as const }',
    '{ ok: boolean }',
    "{ kind: 'a'; n: number } | { kind: 'b' }",
  ],
  ['declared', 'declared', '{ a: number }', '{ twice: number }'],
  ['defaulted', '(input: { a: number } = { a: 1 }) => input.a', '{ a: number } | void', 'number'],
  ['named', '(input: User) => input', 'User', 'User'],
  ['aliased', '(input: { role: Role }) => "admin" as Role', '{ role: Role }', 'Role'],
  ['enums', '(input: { color: Color }) => 1 as number', '{ color: Color }', 'number'],
  ['recursive', '(input: Tree) => 1 as number', 'Tree', 'number'],
  ['hidden', '(input: Hidden) => 1 as number', 'Hidden', 'number'],
  ['one list', '(...args: [{ id: string }, unknown]) => args[0].id', '{ id: string }', 'string'],
  ['any list', '(...args: string[]) => args.length', 'string | void', 'number'],
  ['optional list', '(...args: [id?: string]) => args.length as number', 'string | void', 'number'],
  ['no list', '(...args: []) => args.length as number', 'void', 'number'],
  [
    'mixed promises',
    '(input: { a: boolean }) => input.a ? Promise.resolve({ x: 1 as number }) : ("b" as const)',
    '{ a: boolean }',
    "{ x: number } | 'b'",
  ],
  ['no promise', '(): Promise<string> | undefined => undefined', 'void', 'string | null'],
  ['thenables', '() => null as unknown as Later', 'void', '{ deep: number }'],
  ['no symbols', '() => ({ [Symbol.iterator]: 1, x: 2 as number })', 'void', '{ x: number }'],
  [
    'symbol index',
    '(input: { a: string; [key: symbol]: boolean }) => 1 as number',
    '{ a: string }',
    'number',
  ],
  [
    'patterns',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    '(input: { [k: `a${string}`]: 1; [k: `b${string}`]: "x" }) => 1 as number',
    "Record<string, 1 | 'x'>",
    'number',
  ],
  ['self written', '() => new Self()', 'void', 'Self'],
  ['getters', '(input: Area) => input.size', 'Area', 'number'],
  ['hidden fields', '() => new Secret()', 'void', 'Secret'],
  ['any object', '(input: object) => 1 as number', 'object', 'number'],
  ['extended', '(input: Numbers) => new Stamp()', 'Numbers', 'Date'],
  ['branded dates', '() => new Date() as Date & { __brand: 1 }', 'void', 'Date'],
  [
    'generic keys',
    '<T extends { a: 1 }>(input: { key: string & keyof T }) => 1 as number',
    '{ key: string }',
    'number',
  ],
  [
    'absent names',
    '(input: { a: Perhaps; b: Perhaps[]; c: [Perhaps] }): Perhaps => input.a',
    '{ a?: Perhaps; b: (Perhaps | null)[]; c: [Perhaps | null] }',
    'Perhaps | null',
  ],
];

const declarations = `
interface Wide { a: string; b: number; c?: never }
type Unwrapped<T> = T extends (infer U)[] ? U : never;
type UserId = string & { readonly __brand: 'user' };
class Money { #cents = 1; toJSON(): { cents: number } { return { cents: this.#cents }; } }
interface Page<T> { items: T[] }
async function declared(input: { a: number }) { return { twice: input.a * 2 }; }
/** Who uses the shop. */
export interface User {
  id: string;
  /** Shown to others. */
  name: string;
  boss?: User;
}
export type Role = 'admin' | 'user';
export enum Color { Red, Green = 'green' }
export type Tree = { left: Tree | null; leaves: Tree[] };
interface Hidden { inner: Hidden | null }
interface Later extends Promise<{ deep: number }> { cancel(): void }
export interface Numbers extends ReadonlyArray<number> {}
class Stamp extends Date {}
class Self { x = 1; toJSON(): this { return this; } }
class Area { get size(): number { return 1; } }
class Secret { #key = ''; shown = 1; static count = 0; }
export type Perhaps = { x: 1 } | undefined;
`;

describe.each(compilers)('with %s', (_name, typescript) => {
  const all = infer(
    project(
      typescript,
      declarations + travels.map(([name, handler]) => `rpc.query('${name}', ${handler});`).join('\n'),
    ),
  );
  all.catch(() => {});

  it.each(travels)('%s', async (name, _handler, input, output) => {
    const { procedures } = await all;
    expect(plain(procedures[name]?.input)).toEqual(plain(parseType(input)));
    expect(plain(procedures[name]?.output)).toEqual(plain(parseType(output)));
  });

  it('keeps exported names with their descriptions, and names that recursion needs', async () => {
    const { named, warnings } = await all;
    expect(Object.keys(named)).toEqual([
      ...['Area', 'Color', 'Hidden', 'Money', 'Numbers', 'Perhaps', 'Role', 'Secret', 'Self', 'Tree', 'User'],
    ]);
    expect(plain(named.Secret)).toEqual(plain(parseType('{ shown: number }')));
    expect(plain(named.Self)).toEqual(plain(parseType('{ x: number }')));
    expect(plain(named.Color)).toEqual(plain(parseType("0 | 'green'")));
    expect(plain(named.Money)).toEqual(plain(parseType('{ cents: number }')));
    expect(named.User).toMatchObject({
      description: 'Who uses the shop.',
      fields: [
        { name: 'id' },
        { name: 'name', description: 'Shown to others.' },
        { name: 'boss', isOptional: true },
      ],
    });
    expect(warnings).toEqual([]);
  });

  it('names a recursive type after its place, and writes out types whose names no client can declare', async () => {
    const code = `
interface Tree<T> { value: T; children: Tree<T>[] }
export interface Numbers extends Tree<number> {}
export default interface Standard { a: string; again?: Standard }
export interface JsonRpcError { mine: boolean }
rpc.query('tree.get', (input: Tree<string>) => 1 as number);
rpc.query('b', (input: Numbers) => 1 as number);
rpc.query('c', (input: Standard) => 1 as number);
rpc.query('d', (input: { error: JsonRpcError }) => 1 as number);
export interface EInput { mine: boolean }
rpc.query('e', (input: Tree<EInput>) => 1 as number);
`;
    const { named, procedures } = await infer(project(typescript, code));
    expect(Object.keys(named)).toEqual([
      ...['CInput', 'EInput', 'EInput2', 'Numbers', 'NumbersChildren', 'TreeGetInput'],
    ]);
    expect(plain(named.TreeGetInput)).toEqual(
      plain(parseType('{ value: string; children: TreeGetInput[] }')),
    );
    expect(plain(named.CInput)).toEqual(plain(parseType('{ a: string; again?: CInput }')));
    expect(procedures['tree.get']?.input).toEqual({ kind: 'ref', name: 'TreeGetInput' });
    expect(plain(procedures.d?.input)).toEqual(plain(parseType('{ error: { mine: boolean } }')));
  });

  it('accepts large types, and refuses infinite ones', async () => {
    const literals = Array.from({ length: 5000 }, (_, index) => `'literal ${index}'`).join(' | ');
    const fields = Array.from({ length: 2000 }, (_, index) => `field${index}: { a: number }`).join('; ');
    const code = `
export type Many = ${literals};
export interface Wide { ${fields} }
rpc.query('a', (input: { many: Many[]; wide: Wide }) => 1 as number);`;
    const { named } = await infer(project(typescript, code));
    expect(named.Many).toMatchObject({ kind: 'union', members: { length: 5000 } });
    expect(named.Wide).toMatchObject({ kind: 'object', fields: { length: 2000 } });
    const doubling = Array.from(
      { length: 20 },
      (_, at) => `type T${at}<V> = { a: T${at + 1}<V>; b: T${at + 1}<V> };`,
    );
    const endless = `${doubling.join('\n')}\ntype T20<V> = { v: V };\nrpc.query('a', (input: T0<string>) => 1);`;
    await expect(infer(project(typescript, endless))).rejects.toThrow(
      /query 'a': input[.ab]+ has more than 20000 parts; name the inner types$/,
    );
  });
});
