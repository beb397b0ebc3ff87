import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compilers, infer, project, removeProjects } from '../conformance/inferred-project.js';
import { parseType } from '../rpc/types/parse-type.js';
import { InferenceError, inferTypes } from './infer-types.js';
import { loadCompiler } from './load-compiler.js';

afterAll(removeProjects);

/** Name, the handler's signature, and what of it travels. */
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
class Secret { #key = ''; shown = 1; static count = 0; }
export type Perhaps = { x: 1 } | undefined;
`;

describe.each(compilers)('with %s', { timeout: 60_000 }, (_name, typescript) => {
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

  it('keeps exported names, with their descriptions, and those that recursion needs', async () => {
    const { named, warnings } = await all;
    expect(Object.keys(named)).toEqual([
      ...['Color', 'Hidden', 'Money', 'Numbers', 'Perhaps', 'Role', 'Secret', 'Self', 'Tree', 'User'],
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

  it('refuses what cannot travel, each at its place', async () => {
    const code = `
interface Bag { run(): void; big: bigint }
rpc.query('a', (input: { map: Map<string, number> }) => 1);
rpc.query('b', () => new Set<string>());
rpc.query('c', () => ({ id: 1n }));
rpc.query('d', (input: { since: Date }) => 1);
rpc.query('e', (input: Bag) => 1);
rpc.query('f', () => new Uint8Array(1));
rpc.query('g', () => Symbol('x'));
rpc.query('h', <T>(input: T) => 1);
`;
    const error = await infer(project(typescript, code)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InferenceError);
    const found = (error as InferenceError).findings.map(
      ({ place, message }) => `${place.file.replace(/.*\/src\//, '')}:${place.line} ${message}`,
    );
    expect(found).toEqual([
      "main.ts:5 query 'a': input.map is a Map, which JSON does not have; take an object, or an array of pairs",
      "main.ts:6 query 'b': output is a Set, which JSON does not have; take an array",
      "main.ts:7 query 'c': output.id is a bigint, which JSON does not have; take a string",
      "main.ts:8 query 'd': input.since is a Date, but a string arrives; take a string, or a schema that makes a Date of it",
      "main.ts:4 query 'e': input.run is a function, which cannot travel; leave it out",
      "main.ts:4 query 'e': input.big is a bigint, which JSON does not have; take a string",
      "main.ts:10 query 'f': output is a Uint8Array, which JSON does not have; take base64 as a string",
      "main.ts:11 query 'g': output is a symbol, which JSON does not have; take a string",
      "main.ts:12 query 'h': input is a type parameter; give the handler a type of its own",
    ]);
  });

  it('refuses what only looks like an object, once for each', async () => {
    const code = `
class Failure extends Error { code = 1; }
class Shape { get area() { return 1; } }
rpc.query('a', () => new Failure());
rpc.query('b', () => new Shape());
rpc.query('c', () => ({ list: [1] as Iterable<number> }));
rpc.query('d', () => new Response());
rpc.query('e', () => ({ later: Promise.resolve(1) }));
rpc.query('f', (input: { run: { (): void; name2: string }; make: typeof Shape }) => 1);
rpc.query('g', <T extends { toString(): string }>(input: T) => 1);
rpc.query('h', (input: bigint & { __brand: 1 }) => 1);
rpc.query('i', (input: Box<string>) => 1);
interface Box<T> { value: T; next: Box<T[]> }
`;
    const error = await infer(project(typescript, code)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InferenceError);
    const found = (error as InferenceError).findings.map(({ place, message }) => `${place.line} ${message}`);
    expect(found).toEqual([
      "6 query 'a': output is an Error, which JSON does not have; take its message as a string",
      "5 query 'b': output.area is a getter of a class, which JSON leaves out; return an object",
      "8 query 'c': output.list is an Iterable, which JSON does not have; take an array",
      "9 query 'd': output is a Response, which has methods and cannot travel; take what you need of it",
      "10 query 'e': output.later is a Promise, which JSON does not have; await it first",
      "11 query 'f': input.run is a function, which cannot travel; leave it out",
      "11 query 'f': input.make is a function, which cannot travel; leave it out",
      "12 query 'g': input.toString is a function, which cannot travel; leave it out",
      "13 query 'h': input is a bigint, which JSON does not have; take a string",
      expect.stringMatching(
        /^15 query 'i': input(?:\.next)+… is nested deeper than 100 levels, or without end; name the inner types$/,
      ),
    ]);
  });

  it('names a type that holds itself after its place, and writes out names that no client can declare', async () => {
    const code = `
interface Tree<T> { value: T; children: Tree<T>[] }
export interface Numbers extends Tree<number> {}
export default interface Standard { a: string; again?: Standard }
export interface JsonRpcError { mine: boolean }
rpc.query('tree.get', (input: Tree<string>) => 1 as number);
rpc.query('b', (input: Numbers) => 1 as number);
rpc.query('c', (input: Standard) => 1 as number);
rpc.query('d', (input: { error: JsonRpcError }) => 1 as number);
`;
    const { named, procedures } = await infer(project(typescript, code));
    expect(Object.keys(named)).toEqual(['CInput', 'Numbers', 'NumbersChildren', 'TreeGetInput']);
    expect(plain(named.TreeGetInput)).toEqual(
      plain(parseType('{ value: string; children: TreeGetInput[] }')),
    );
    expect(plain(named.CInput)).toEqual(plain(parseType('{ a: string; again?: CInput }')));
    expect(procedures['tree.get']?.input).toEqual({ kind: 'ref', name: 'TreeGetInput' });
    expect(plain(procedures.d?.input)).toEqual(plain(parseType('{ error: { mine: boolean } }')));
  });

  it('warns of handlers with several signatures, and of tuples that cannot be told', async () => {
    const code = `
function either(input: string): number; function either(input: number): string;
function either(input: string | number) { return input as never; }
rpc.query('a', either);
rpc.query('b', (input: [...string[], number]) => 1 as number);
`;
    const { warnings, procedures } = await infer(project(typescript, code));
    expect(warnings.map(({ message, place }) => `${place.line} ${message}`)).toEqual([
      "6 the handler of 'a' has 2 signatures, and its types are not inferred; give a function with one: (input: …) => handler(input)",
      "7 query 'b': input has items behind its rest: it travels as an array of any of them; put the rest last",
    ]);
    expect(Object.keys(procedures)).toEqual(['b']);
    expect(plain(procedures.b?.input)).toEqual(plain(parseType('(string | number)[]')));
  });

  it('takes what is large, and gives up on what has no end', async () => {
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

  it('refuses a name that means one type in an input and another in an output', async () => {
    const code = `
export interface Item { a: 1 }
export namespace Other { export interface Item { b: 1 } }
rpc.query('a', (input: Item): Other.Item => ({ b: 1 }));
`;
    const directory = project(typescript, code);
    const error = await infer(directory).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message.replaceAll(directory, '')).toBe(
      '/src/main.ts:5:26: the name Item means another type at /src/main.ts:4; rename one of them',
    );
  });

  it('warns of any, and of names that are not written out', async () => {
    const code = `
const name = 'dynamic' as string;
rpc.query(name, () => 1);
rpc.query('loose', (input: { a: any }) => JSON.parse('1'));
`;
    const { warnings, procedures } = await infer(project(typescript, code));
    expect(warnings.map(({ message }) => message)).toEqual([
      'a procedure whose name is not written out cannot be inferred',
      "query 'loose': input.a is any: it travels unchecked; give it a type",
      "query 'loose': output is any: it travels unchecked; give it a type",
    ]);
    expect(procedures.loose).toMatchObject({ output: { kind: 'unknown' } });
  });

  it('tells where every procedure is whose name is written out, whatever types it', async () => {
    const code = `
rpc.query('inferred', () => 1);
rpc
  .mutation('schemas.both', { input: {}, output: {} }, () => 1)
  .queryWithTypes('texts', () => 1, 'void', 'number');
rpc.registerWithTypes(\`old\`, () => 1, 'void', 'number');
new RpcRegistry().queryWithTypes('texts', () => 2, 'void', 'number');
rpc.queryWithTypes(['un', 'known'].join(''), () => 1, 'void', 'number');
({ queryWithTypes(name: string, handler: unknown) {} }).queryWithTypes('other', () => 1);
`;
    const { places, procedures, warnings } = await infer(project(typescript, code));
    const told = Object.entries(places).map(([name, found]) => [
      name,
      ...found.map(({ file, line, column }) => `${file.replace(/.*\/src\//, '')}:${line}:${column}`),
    ]);
    expect(told.sort()).toEqual([
      ['inferred', 'main.ts:4:11'],
      ['old', 'main.ts:8:23'],
      ['schemas.both', 'main.ts:6:13'],
      ['texts', 'main.ts:7:19', 'main.ts:9:34'],
    ]);
    expect(Object.keys(procedures)).toEqual(['inferred']);
    expect(warnings).toEqual([]);
  });

  it('gives the errors of broken code, and nothing else', async () => {
    const error = await infer(
      project(typescript, "rpc.query('x', (input: { a: Missing }) => input.a.b);"),
    ).catch((thrown: unknown) => thrown as InferenceError);
    expect((error as InferenceError).findings.map(({ message }) => message)).toEqual([
      "Cannot find name 'Missing'. (TS2304)",
    ]);
  });

  it('refuses one name for two types or procedures', async () => {
    const directory = project(
      typescript,
      `import type { Item as Other } from './other.js';
export interface Item { a: string }
rpc.query('one', (input: { mine: Item; theirs: Other }) => 1);
rpc.mutation('two', () => 1);
rpc.query('two', () => 1);`,
    );
    writeFileSync(join(directory, 'src/other.ts'), 'export interface Item { b: number }');
    const error = (await infer(directory).catch((thrown: unknown) => thrown)) as InferenceError;
    expect(error.findings.map(({ message }) => message.replaceAll(directory, ''))).toEqual([
      'the name Item means another type at /src/main.ts:4; rename one of them',
      "procedure 'two' is registered at /src/main.ts:6 too, with other types; rename one of them",
    ]);
  });

  it('finds registrations on whatever may be a registry, and names that are constants', async () => {
    const code = `
const maybe = rpc as RpcRegistry | undefined;
maybe?.query('optional', () => 1 as number);
class Own extends RpcRegistry { setUp() { this.query('inside', () => 1 as number); } }
class Further extends Own {}
new Further().query('subclass', () => 1 as number);
export function add<R extends RpcRegistry>(registry: R) { registry.query('generic', () => 1 as number); }
const name = 'constant';
const names = { member: 'of.object' } as const;
rpc.query(name, () => 1 as number).query(names.member, () => 1 as number);
for (const one of ['loop.a', 'loop.b'] as const) rpc.query(one, () => 1 as number);
rpc.query('common', () => 1 as number);
new RpcRegistry().query('common', () => 2 as number);
`;
    const directory = project(typescript, code);
    writeFileSync(
      join(directory, 'src/main.test.ts'),
      "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('common', () => 'of a test');",
    );
    const { procedures, places, warnings } = await infer(directory);
    expect(warnings).toEqual([]);
    expect(Object.keys(procedures)).toEqual([
      ...['common', 'constant', 'generic', 'inside', 'loop.a', 'loop.b', 'of.object', 'optional', 'subclass'],
    ]);
    expect(places['loop.b']?.[0]).toMatchObject({ line: 13, column: 60 });
  });

  it('reads options that are not written out by their type', async () => {
    const code = `
const guarded = { use: [] };
rpc.query('a', guarded, (input: { x: string }) => 1 as number);
rpc.query('b', { ...guarded, input: {} }, (input: Map<string, string>) => 1 as number);
rpc.query('c', { use: [] } as const, (input: { x: string }) => 1 as number);
rpc.query('d', {} as Record<string, object>, (input: Map<string, string>) => new Map());
`;
    const { procedures } = await infer(project(typescript, code));
    expect(Object.keys(procedures)).toEqual(['a', 'b', 'c']);
    expect(plain(procedures.a?.input)).toEqual(plain(parseType('{ x: string }')));
    expect(procedures.b).toMatchObject({ input: { kind: 'unknown' }, output: { kind: 'number' } });
    expect(procedures.c?.input).toEqual(procedures.a?.input);
  });

  it('leaves to schemas what they say', async () => {
    const code = `
const both = { input: {}, output: {} };
rpc.query('a', { input: {} }, (input: { x: Map<string, string> }) => 1 as number);
rpc.query('b', both, (input: Map<string, string>) => new Map());
`;
    const { procedures } = await infer(project(typescript, code));
    expect(procedures.a).toMatchObject({ input: { kind: 'unknown' }, output: { kind: 'number' } });
    // Nothing is left to infer.
    expect(procedures.b).toBeUndefined();
  });

  it('sees what an edit changed', async () => {
    const directory = project(typescript, "rpc.query('x', (input: { a: number }) => 1 as number);");
    const compiler = await loadCompiler(directory);
    try {
      expect(inferTypes(compiler).procedures.x?.input).toMatchObject({ fields: [{ name: 'a' }] });
      const file = join(directory, 'src/main.ts');
      writeFileSync(
        file,
        "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('x', (input: { b: number }) => 1);",
      );
      compiler.update([file]);
      expect(inferTypes(compiler).procedures.x?.input).toMatchObject({ fields: [{ name: 'b' }] });
    } finally {
      compiler.close();
    }
  });
});

describe.each(compilers)('%s, at a new file that nothing imports', (_name, typescript) => {
  it('takes it in, names what it went by, and lets go of it', async () => {
    const directory = project(typescript, "rpc.query('x', () => 1 as number);");
    const compiler = await loadCompiler(directory);
    const file = join(directory, 'src/other.ts');
    const names = () => Object.keys(inferTypes(compiler).procedures);
    try {
      expect(names()).toEqual(['x']);
      writeFileSync(
        file,
        "import { RpcRegistry } from './registry.js';\nnew RpcRegistry().query('y', () => 1 as number);",
      );
      compiler.update([file]);
      expect(names()).toEqual(['x', 'y']);
      expect(compiler.sources.registering).toEqual([join(directory, 'src/main.ts'), file]);
      expect(compiler.sources.own).toContain(join(directory, 'src/registry.ts'));
      rmSync(file);
      compiler.update([file]);
      expect(names()).toEqual(['x']);
      expect(compiler.sources.own).not.toContain(file);
    } finally {
      compiler.close();
    }
  });
});

describe.each(compilers)('settings, with %s', { timeout: 60_000 }, (_name, typescript) => {
  const withSettings = (text: string): string => {
    const directory = project(typescript, "rpc.query('x', (input: { a: string | null }) => 1 as number);");
    writeFileSync(join(directory, 'tsconfig.json'), text);
    return directory;
  };
  const told = (directory: string) =>
    infer(directory).then(
      ({ warnings, procedures }) => [
        ...Object.keys(procedures),
        ...warnings.map(({ place, message }) =>
          `${place.file}:${place.line} ${message}`.replaceAll(directory, ''),
        ),
      ],
      (error: Error) => error.message.replaceAll(directory, '').split('\n')[0],
    );

  it('that are broken are an error at their place', async () => {
    expect(await told(withSettings('{ "compilerOptions": {\n  "nope": 1\n} }'))).toBe(
      "/tsconfig.json:2:3: Unknown compiler option 'nope'. (TS5023)",
    );
    expect(await told(withSettings('{ "include": ["src"],\n'))).toBe(
      "/tsconfig.json:2:1: '}' expected. (TS1005)",
    );
    expect(await told(withSettings('{ "extends": "./base.json" }'))).toBe(
      "/tsconfig.json:1:1: Cannot read file '/base.json'. (TS5083)",
    );
  });

  it('that are mended count from then on', async () => {
    const good = '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": ["node"] } }';
    const directory = withSettings('{ "compilerOptions": { "module": "none of them" } }');
    const compiler = await loadCompiler(directory);
    try {
      expect(() => inferTypes(compiler)).toThrow('TS6046');
      const file = join(directory, 'tsconfig.json');
      writeFileSync(file, good);
      compiler.update([file]);
      expect(Object.keys(inferTypes(compiler).procedures)).toEqual(['x']);
    } finally {
      compiler.close();
    }
  });

  it('that leave something unseen are warned of', async () => {
    expect(await told(withSettings('{ "files": [], "references": [{ "path": "./src" }] }'))).toEqual([
      '/tsconfig.json:1 names no file of the app, and nothing is inferred; list the sources in "include", not only in "references"',
    ]);
    const loose = {
      compilerOptions: { strict: false, module: 'nodenext', types: ['node'] },
      include: ['src'],
    };
    expect(await told(withSettings(`\uFEFF${JSON.stringify(loose)}`))).toEqual([
      'x',
      '/tsconfig.json:1 strictNullChecks is off: null and undefined are not seen in inferred types; set "strict": true',
    ]);
  });

  it('may link a package of the workspace, whose names are those of the app', async () => {
    const directory = project(
      typescript,
      "import type { Shared } from 'shared';\nrpc.query('x', (input: Shared) => 1 as number);",
    );
    const shared = join(directory, 'packages/shared');
    mkdirSync(shared, { recursive: true });
    writeFileSync(
      join(shared, 'package.json'),
      '{ "name": "shared", "type": "module", "exports": "./index.ts" }',
    );
    writeFileSync(join(shared, 'index.ts'), 'export interface Shared { id: string }');
    symlinkSync(shared, join(directory, 'node_modules/shared'));
    expect(Object.keys((await infer(directory)).named)).toEqual(['Shared']);
  });
});

describe('a project', () => {
  it('needs a TypeScript that is known to work', async () => {
    const directory = project('typescript', '');
    rmSync(join(directory, 'node_modules/typescript'));
    await expect(loadCompiler(directory)).rejects.toThrow('npm install -D typescript');
    mkdirSync(join(directory, 'node_modules/typescript'));
    writeFileSync(join(directory, 'node_modules/typescript/package.json'), '{ "version": "5.4.2" }');
    await expect(loadCompiler(directory)).rejects.toThrow(
      'TypeScript 5.4.2 was never tried for inferring types; install one of those that were, 6.0 and 7.0',
    );
    rmSync(join(directory, 'tsconfig.json'));
    await expect(loadCompiler(directory)).rejects.toThrow('tsconfig.json is missing');
  });
});

/** Types without descriptions, the members of unions in one order. */
function plain(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(plain);
  if (typeof type !== 'object' || type === null) return type;
  const entries = Object.entries(type)
    .filter(([key]) => key !== 'description')
    .map(([key, value]): [string, unknown] => {
      const inner = plain(value);
      const isSet = key === 'members' || key === 'fields';
      return [key, isSet ? (inner as unknown[]).toSorted(byText) : inner];
    });
  return Object.fromEntries(entries);
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
