// After a change, only what depends on it is asked for again; the result is what a compiler without a past infers.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { KeptTypes } from '../../framework/client-gen/cache/kept-types.js';
import type { Reach } from '../../framework/client-gen/cache/known-types.js';
import type { Compiler } from '../../framework/client-gen/compiler/compiler.js';
import { InferenceError } from '../../framework/client-gen/inferred-types.js';
import { loadCompiler } from '../../framework/client-gen/load-compiler.js';
import { compilers, project, removeProjects } from '../../framework/conformance/inferred-project.js';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { contractText } from '../../framework/rpc/contract/contract-text.js';
import { ReachedFiles } from './contract.js';

const main = `import { limits, type Task } from './tasks.js';
import contract from './rpc-contract.json' with { type: 'json' };
import './users.js';
import '../more/more.js';
interface Filter { text: string; size?: Size }
type Size = 'big' | 'small';
const sizes: Size[] = ['big'];
let current: Task | undefined;
function assertFound(task: Task | undefined): asserts task is Task {
  if (task === undefined) throw new Error('there is none');
}
const found: Task | undefined = [{ id: 1, title: 'a' }][0];
assertFound(found);
/** Lists them. */
rpc.query('list', (input: Filter): Task[] => []);
rpc.query('sizes', () => sizes);
rpc.query('limits', () => limits);
rpc.query('at', () => new Date(0));
rpc.query('found', () => ({ id: found.id }));
rpc.mutation('clear', (): void => { current = undefined; });
rpc.query('current', () => current?.id ?? null);
export class Box { width = 1; }
rpc.query('box', () => new Box()).query('boxes', () => [new Box()]);
const group = RpcRegistry.group('more');
group.query('one', (input: { id: number }) => input.id);
export const chained = group.query('two', () => 2).query('three', () => 'three' as const);
for (const name of ['x', 'y'] as const) rpc.query(name, () => name.length);
const first = 1; rpc.query('second', () => 2);
interface Upload { file: File }
interface Inner { inner: 1 }
class Wrapped { toJSON(): Inner { return { inner: 1 }; } }
rpc.query('wrapped', () => new Wrapped());
rpc.loadContract(contract);
`;
const files: Record<string, string> = {
  'src/rpc-contract.json': '{ "version": 2 }\n',
  'src/tasks.ts': `/** Something to do. */
export interface Task { id: number; title: string }
export const limits = { max: 1 } as const;
`,
  'src/users.ts': `import { RpcRegistry } from './registry.js';
import type { Role } from './roles.js';
export interface User { name: string; role: Role }
const users = new RpcRegistry();
users.query('users', (): User[] => []);
export interface NewUser { nick: string }
users.mutation('addUser', (input: NewUser) => input.nick);
`,
  'src/roles.ts': "export type Role = 'admin' | 'user';\n",
  'more/more.ts': 'export const more = 1;\n',
  'src/other.ts': 'export interface Other { id: number }\nexport const other = 1;\n',
};
type Edit = readonly [what: string, file: string, from: string, to: string, asked: readonly string[]];
const everyOne = ['everything'];
const failed = ['errors'];
const inMain =
  'at box boxes clear current found limits list more.one more.three more.two second sizes wrapped x y'.split(
    ' ',
  );
const inUsers = ['addUser', 'users'];
const everyProcedure = inMain.length + inUsers.length;

const edits: readonly Edit[] = [
  ['a type of a handler', 'src/main.ts', '{ id: found.id }', '{ id: found.id, more: 1 }', ['found']],
  ['an interface in the file', 'src/main.ts', 'text: string; size', 'text: number; size', ['list']],
  ['a type in an interface', 'src/main.ts', "'big' | 'small'", "'big' | 'tiny'", ['list', 'sizes']],
  ['a comment of a procedure', 'src/main.ts', 'Lists them.', 'Lists all.', ['list']],
  ['a name', 'src/main.ts', "'sizes', ", "'allSizes', ", ['allSizes']],
  ['a name in a chain', 'src/main.ts', "'boxes'", "'allBoxes'", ['allBoxes', 'box']],
  ['a class', 'src/main.ts', 'width = 1', "width = '1'", ['box', 'boxes']],
  [
    'a variable',
    'src/main.ts',
    'let current: Task | undefined',
    'let current: { id: string } | undefined',
    ['clear', 'current'],
  ],
  [
    'an assignment of a variable',
    'src/main.ts',
    'current = undefined;',
    'current = { id: 2, title: "" };',
    ['clear', 'current'],
  ],
  ['an assertion', 'src/main.ts', 'asserts task is Task {', 'asserts task is Task & { id: 1 } {', ['found']],
  [
    'the prefix of a group',
    'src/main.ts',
    "group('more')",
    "group('less')",
    ['less.one', 'less.three', 'less.two'],
  ],
  ['a chain that is exported', 'src/main.ts', '() => 2)', '() => "2")', ['more.three', 'more.two']],
  ['names in a loop', 'src/main.ts', "['x', 'y']", "['x', 'z']", inMain.with(-1, 'z')],
  [
    'the registry',
    'src/main.ts',
    'new RpcRegistry()',
    'new RpcRegistry<string>()',
    inMain.filter((name) => !name.startsWith('more')),
  ],
  ['what an assertion is called with', 'src/main.ts', 'assertFound(found);', 'assertFound(found );', inMain],
  [
    'a statement more',
    'src/main.ts',
    'rpc.loadContract',
    "rpc.query('late', () => 1);\nrpc.loadContract",
    ['late'],
  ],
  ['a statement less', 'src/main.ts', "rpc.query('sizes', () => sizes);\n", '', []],
  [
    'two statements that change places',
    'src/main.ts',
    "rpc.query('sizes', () => sizes);\nrpc.query('limits', () => limits);",
    "rpc.query('limits', () => limits);\nrpc.query('sizes', () => sizes);",
    ['limits', 'sizes'],
  ],
  [
    'statements on one line',
    'src/main.ts',
    "sizes);\nrpc.query('limits'",
    "sizes.length); rpc.query('limits'",
    ['limits', 'sizes'],
  ],
  [
    'lines before all',
    'src/main.ts',
    'import { limits',
    '// One.\n\n// Two.\nimport { limits',
    ['limits', 'list', 'clear', 'current', 'found'],
  ],
  [
    'a class that hides one of the language',
    'src/main.ts',
    'type Size =',
    'class Date { day = 1 }\ntype Size =',
    ['at'],
  ],
  [
    'an import',
    'src/main.ts',
    'limits, type Task',
    'type Task, limits',
    ['clear', 'current', 'found', 'limits', 'list'],
  ],
  [
    'an import of a file of the program',
    'src/main.ts',
    "import './users.js';",
    "import './users.js';\nimport { other } from './other.js';\nrpc.query('other', () => other);",
    ['other'],
  ],
  [
    'a directive',
    'src/main.ts',
    'import { RpcRegistry',
    '/// <reference lib="es2023" />\nimport { RpcRegistry',
    inMain,
  ],
  ['the same text', 'src/main.ts', 'Lists them.', 'Lists them.', []],
  ['a type that is imported', 'src/tasks.ts', 'title: string', 'title: string; more: number', inMain],
  ['a comment of a type that is imported', 'src/tasks.ts', 'Something to do.', 'What to do.', inMain],
  ['what an imported file imports', 'src/roles.ts', "| 'user'", "| 'guest'", [...inUsers, ...inMain]],
  [
    'a file with procedures that another one imports',
    'src/users.ts',
    'name: string;',
    'name: string; age: number;',
    ['users', ...inMain],
  ],
  ['a file that nothing imports', 'src/other.ts', 'id: number', 'id: string', []],
  ['the contract', 'src/rpc-contract.json', '2', '2, "procedures": {}', []],
  [
    'the use of the contract',
    'src/main.ts',
    'loadContract(contract);',
    'loadContract(contract); export { contract };',
    [],
  ],
  [
    'a global declaration',
    'src/other.ts',
    'export interface',
    'declare global { interface Filter { x: 1 } }\nexport interface',
    everyOne,
  ],
  [
    'a file that becomes a script',
    'src/other.ts',
    'export interface Other { id: number }\nexport const',
    'const',
    everyOne,
  ],
  [
    'a setting',
    'tsconfig.json',
    '"strict":true',
    '"strict":true,"exactOptionalPropertyTypes":true',
    everyOne,
  ],
  ['the format of the package', 'package.json', '"module"', '"module", "private": true', everyOne],
  ['an any', 'src/main.ts', '{ id: found.id }', '{ id: found.id as any }', everyOne],
  [
    'an input that is not JSON',
    'src/main.ts',
    'text: string; size',
    'text: Map<string, string>; size',
    failed,
  ],
  [
    'another type of a name',
    'src/main.ts',
    'interface Filter { text: string; size?: Size }',
    'export interface User { name: string }\ninterface Filter { text: User; size?: Size }',
    failed,
  ],
  [
    'a local type of a name',
    'src/main.ts',
    "() => 'three' as const",
    '() => { interface Task { local: 1 } return { local: 1 } as Task }',
    everyOne,
  ],
  [
    'a type that is recursive and has no name',
    'src/main.ts',
    'for (const name',
    "interface Tree<T> { of: T; in: Tree<T>[] }\nrpc.query('tree', (): Tree<1> | null => null);\nfor (const name",
    everyOne,
  ],
  ['a statement before it on its line', 'src/main.ts', 'first = 1;', 'first = 1_000;', []],
  ['an import that leaves the program', 'src/main.ts', "import '../more/more.js';\n", '', everyOne],
  [
    'a document of routes',
    'src/other.ts',
    'other = 1;',
    'other = 1;\ndeclare function openApiFromApp(app: unknown): object;\nopenApiFromApp(1);',
    everyOne,
  ],
  [
    'a name of an input elsewhere',
    'src/main.ts',
    '({ id: found.id })',
    '({ id: found.id } as unknown as NewUser));\nexport interface NewUser { id: number }\nvoid (1',
    failed,
  ],
  [
    'another type of a name',
    'src/main.ts',
    'interface Filter { text: string; size?: Size }',
    'export interface NewUser { nick: number }\ninterface Filter { text: NewUser; size?: Size }',
    failed,
  ],
  [
    'a local type',
    'src/main.ts',
    "() => 'three' as const",
    "() => { interface Local { local: 1 } return { local: 1, three: 'three' as const } as Local }",
    everyOne,
  ],
  ['a named type with a file', 'src/main.ts', '(): void => {', '(input: Upload): void => {', everyOne],
  ['two procedures of one name', 'src/main.ts', "rpc.query('sizes'", "rpc.query('list'", failed],
];

afterAll(removeProjects);

describe.each(compilers)('with %s', (_name, typescript) => {
  let root: AbsolutePath;
  let compiler: Compiler<never>;
  const reached = new ReachedFiles();
  const kept = new KeptTypes();
  /** Changes since the last inference that did not fail. */
  const unheard: AbsolutePath[] = [];

  function write(name: string, text: string): AbsolutePath {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return pathIn(root, name);
  }

  function edit(name: string, from: string, to: string): AbsolutePath {
    const text = readFileSync(join(root, name), 'utf8');
    expect(text).toContain(from);
    return write(
      name,
      text.replace(from, () => to),
    );
  }

  /** What is inferred, or the errors; and the procedures that the compiler was asked for. */
  function inferred(of: KeptTypes, reach?: Reach) {
    const registrations = vi.spyOn(compiler, 'registrations');
    try {
      const types = of.infer(compiler, reach);
      return { types: { ...types, text: contractText(types) }, asked: askedIn(registrations.mock) };
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      return { types: error.findings, asked: askedIn(registrations.mock) };
    } finally {
      registrations.mockRestore();
    }
  }

  function askedIn({ results }: { results: readonly { value?: unknown }[] }): readonly string[] {
    const [{ value } = {}, ...more] = results;
    if (more.length > 0) return everyOne;
    const { found } = value as ReturnType<Compiler<never>['registrations']>;
    return found.map(({ name }) => name).toSorted();
  }

  /** The procedures that the compiler is asked for after these changes. */
  function inferNow(...changed: readonly AbsolutePath[]): readonly string[] {
    unheard.push(...changed);
    compiler.update(unheard);
    const reach = reached.reach(unheard, pathIn(root, 'src/rpc-contract.json'));
    const { types, asked } = inferred(kept, reach);
    expect(types).toEqual(inferred(new KeptTypes()).types);
    if (Array.isArray(types)) return failed;
    reached.record(compiler, unheard.splice(0));
    return reach === undefined ? everyOne : asked;
  }

  beforeAll(async () => {
    root = project(typescript, main);
    edit('tsconfig.json', '"noEmit":true', '"noEmit":true,"resolveJsonModule":true');
    edit(
      'src/registry.ts',
      'static group',
      'loadContract(contract: unknown): this { return this; }\n  static group',
    );
    for (const [name, text] of Object.entries(files)) write(name, text);
    compiler = await loadCompiler(root);
    expect(inferred(kept).asked).toEqual([...inUsers, ...inMain].toSorted());
    reached.record(compiler, []);
  });
  afterAll(() => compiler.close());

  // What depends on what is found without a compiler: a few edits show that each of them uses it.
  const [shown, steps] = typescript === 'typescript' ? [edits, 60] : [edits.slice(0, 6), 20];

  it.each(shown)('asks for what depends on %s', (_what, name, from, to, asked) => {
    const text = readFileSync(join(root, name), 'utf8');
    expect(inferNow(edit(name, from, to))).toEqual(asked.toSorted());
    inferNow(write(name, text));
    // Neither the edit nor its reversal is in the way of another one.
    expect(inferNow(edit('src/main.ts', "'three' as const", "'four' as const"))).toEqual([
      'more.three',
      'more.two',
    ]);
    inferNow(edit('src/main.ts', "'four' as const", "'three' as const"));
  });

  it('keeps nothing after a warning', () => {
    expect(inferNow(edit('src/tasks.ts', 'title: string', 'title: any'))).toEqual(everyOne);
    expect(inferNow(edit('src/main.ts', "'three' as const", "'four' as const"))).toHaveLength(everyProcedure);
    inferNow(
      edit('src/main.ts', "'four' as const", "'three' as const"),
      edit('src/tasks.ts', 'title: any', 'title: string'),
    );
  });

  it('counts the contract where it is used as a type', () => {
    inferNow(edit('src/main.ts', 'loadContract(contract);', 'loadContract(contract); export { contract };'));
    expect(inferNow(edit('src/rpc-contract.json', '2', '3'))).toEqual(everyOne);
    inferNow(edit('src/main.ts', ' export { contract };', ''));
    expect(inferNow(edit('src/rpc-contract.json', '3', '2'))).toEqual([]);
  });

  it('knows of files that are gone and come back', () => {
    const file = pathIn(root, 'src/roles.ts');
    rmSync(file);
    expect(inferNow(file)).toEqual(failed);
    expect(inferNow(write('src/roles.ts', "export type Role = 'other';\n"))).toHaveLength(everyProcedure);
    inferNow(write('src/roles.ts', files['src/roles.ts'] ?? ''));
  });

  it('infers the same after any edits one after the other', () => {
    const random = numbers(7);
    const pick = <One>(list: readonly One[]): One => list[random(list.length)] as One;
    const seen = new Set<number>();
    for (let step = 0; step < steps; step++) {
      const changed = [...new Set([pick(['src/main.ts', 'src/users.ts', 'src/tasks.ts']), 'src/main.ts'])];
      const before = changed.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
      for (const name of random(4) === 0 ? changed : changed.slice(0, 1)) {
        const lines = readFileSync(join(root, name), 'utf8').split('\n');
        const at = random(lines.length);
        const words = lines[at]?.match(/\w+|\W/g) ?? [];
        const line = words.map((word) => (random(8) === 0 ? pick(replacing(word)) : word)).join('');
        lines.splice(at, random(3) === 0 ? 0 : 1, ...(random(3) === 0 ? [pick(more), line] : [line]));
        write(name, lines.join('\n'));
      }
      const asked = inferNow(...changed.map((name) => pathIn(root, name)));
      seen.add(asked.length);
      if (asked !== failed && asked !== everyOne) continue;
      for (const [name, text] of before) write(name, text);
      inferNow(...before.map(([name]) => pathIn(root, name)));
    }
    // Some edits ask for a few, and not all are refused.
    expect(seen.size).toBeGreaterThan(4);
  });
});

const more = [
  "rpc.query('extra', () => sizes);",
  'export interface Extra { filter?: Filter }',
  "rpc.mutation('extra2', (input: { id: string }): Extra | null => null);",
  '// A comment.',
  "const text = 'a';",
  "users.query('extra3', () => 3);",
  'export const extra = { max: 2, list: [1] };',
  'interface Filter { late?: number }',
  "const { max: most, ...others } = limits; rpc.query('extra4', () => ({ most, others }));",
  'if (current === undefined) throw new Error();',
  'function told(text: string): string; function told(text: number): number; function told(one: any) { return one; }',
  "rpc.query('extra5', () => told(1));",
  "enum Level { low, high = 3 } rpc.query('extra6', (input: Level) => input);",
  "let count: number | string = 0; rpc.query('extra7', () => count); count = 'a';",
  "export * from './other.js';",
];
const words = [
  'number',
  'string',
  'Task',
  'User',
  'Filter',
  'Size',
  'Role',
  'Extra',
  'id',
  'title',
  'limits',
];

function replacing(word: string): readonly string[] {
  return words.includes(word) ? words : /^\d$/.test(word) ? ['1', '2', '3'] : [word];
}

/** Numbers below a limit that look random, and are the same in every run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
