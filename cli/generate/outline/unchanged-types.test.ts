// Which edits cost no inference, and that everything else is inferred as a compiler without a past does it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  compilers,
  infer,
  project,
  removeProjects,
} from '../../../framework/conformance/inferred-project.js';
import { ContractSource, type Inferred } from '../contract.js';

const main = `import { find, limits, list, state } from './tasks.js';
import type { Found } from './kinds.js';
/** Finds one. */
rpc.query('find', async (input: { id: number }): Promise<Found> => {
  return find(input.id);
});
rpc.query('list', () => list());
rpc.query('limits', (input: { at: number } = { at: 1 }) => limits);
rpc.query('state', () => state());
`;
const files: Record<string, string> = {
  'src/kinds.ts': "export type { Task as Found } from './tasks.js';\n",
  'src/tasks.ts': `/** Something to do. */
export interface Task {
  /** Its number. */
  id: number;
  title: string;
}
export enum Kind { low = 1 }
export const limits = { max: 1, kind: Kind.low } as const;
let current: Task | undefined = { id: 1, title: 'a' };
if (current === undefined) throw new Error();
export const state = () => current;
export function find(id: number): Task {
  return { id, title: 'a' };
}
export function list() {
  return [find(1)];
}
export function clear(): void {
}
`,
  'src/other.ts': 'export interface Other {\n  id: number;\n  title?: string;\n}\nexport const other = 1;\n',
};

const body = "return { id, title: 'a' };";
type Edit = readonly [what: string, file: string, from: string, to: string];

const free: readonly Edit[] = [
  ['another body of a function', 'src/tasks.ts', body, "return { id, title: 'b' };"],
  ['more lines and a comment in it', 'src/tasks.ts', body, `// One.\n  const more = id;\n  ${body}`],
  [
    'another body of a handler',
    'src/main.ts',
    'return find(input.id);',
    'return find(\n    input.id + 1,\n  );',
  ],
  ['a type error in a body', 'src/tasks.ts', body, 'return { id };'],
  ['the same text', 'src/tasks.ts', body, body],
];

const inferred: readonly Edit[] = [
  ['another inferred type', 'src/tasks.ts', 'return [find(1)];', 'return [find(1).id];'],
  ['another literal', 'src/tasks.ts', 'max: 1', 'max: 2'],
  ['another value of an enum', 'src/tasks.ts', 'low = 1', 'low = 2'],
  ['another comment of a property', 'src/tasks.ts', 'Its number.', 'Its identifier.'],
  ['a deprecation', 'src/tasks.ts', 'Something to do.', 'Something to do.\n * @deprecated'],
  ['another comment of a procedure', 'src/main.ts', 'Finds one.', 'Finds a task.'],
  ['another name', 'src/main.ts', "'list'", "'all'"],
  ['another default', 'src/main.ts', '= { at: 1 }', ''],
  [
    'another re-export',
    'src/kinds.ts',
    "Task as Found } from './tasks.js'",
    "Other as Found } from './other.js'",
  ],
  [
    'a file that becomes reachable',
    'src/main.ts',
    "from './tasks.js'",
    "from './tasks.js';\nimport './other.js'",
  ],
  ['a global declaration', 'src/tasks.ts', 'export enum', 'declare global {\n  var more: 1;\n}\nexport enum'],
  ['an import in a body', 'src/tasks.ts', body, `void import('./other.js');\n  ${body}`],
  [
    'a procedure in a body',
    'src/main.ts',
    'return find(input.id);',
    "rpc.query('late', () => 1);\nreturn find(1);",
  ],
  [
    'an assignment of a variable',
    'src/tasks.ts',
    'clear(): void {',
    'clear(): void {\n  current = undefined;',
  ],
  ['a handler without its return type', 'src/main.ts', ': Promise<Found>', ''],
];

afterAll(removeProjects);

describe.each(compilers)('with %s', { timeout: 60_000 }, (_name, typescript) => {
  let root: string;
  let source: ContractSource;
  let before: Inferred;
  let built: string[];

  function write(name: string, text: string): string {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return join(root, name);
  }

  function edit([, name, from, to]: Edit): string {
    const text = readFileSync(join(root, name), 'utf8');
    expect(text).toContain(from);
    return write(name, text.replace(from, to));
  }

  /** What is inferred now, which must be what a new compiler infers. */
  async function inferNow(changed: string): Promise<Inferred> {
    const now = await source.infer([changed], built);
    const { procedures, named, places, notes } = await infer(root);
    expect({ ...now.types }).toMatchObject({ procedures, named, places, notes });
    return now;
  }

  /** The first inference, after which the texts of all files are known. */
  beforeEach(async () => {
    root = project(typescript, main);
    for (const [name, text] of Object.entries(files)) write(name, text);
    source = new ContractSource(root, join(root, 'src/rpc-contract.json'));
    const all = [...Object.keys(files), 'src/main.ts'].map((name) => join(root, name));
    built = all;
    await source.infer([]);
    before = await source.infer([write('src/kinds.ts', `${files['src/kinds.ts']}\n`), ...all]);
  });
  afterEach(() => source.close());

  // An outline is the same for every compiler: one edit shows that each of them is left out.
  const shown = typescript === 'typescript' ? free : free.slice(0, 1);
  it.each(shown)('needs no inference for %s', async (...change) => {
    const now = await inferNow(edit(change));
    expect(now.types.procedures).toBe(before.types.procedures);
    // The compiler learns of it with the next change.
    const next = await inferNow(
      edit(['', 'src/tasks.ts', 'title: string;', 'title: string;\n  more: number;']),
    );
    expect(next.text).toContain('more: number');
    expect((await inferNow(edit(['', 'src/tasks.ts', 'more: number', 'more: 5']))).text).toContain('more: 5');
  });

  it.each(typescript === 'typescript' ? inferred : [])('infers again for %s', async (...change) => {
    const now = await inferNow(edit(change));
    expect(now.types.procedures).not.toBe(before.types.procedures);
  });

  it('infers again for a file that is deleted, or that is no part of a build', async () => {
    built = built.filter((file) => !file.endsWith('tasks.ts'));
    const changed = edit(['', 'src/tasks.ts', body, "return { id, title: 'b' };"]);
    const second = await inferNow(changed);
    expect(second.types.procedures).not.toBe(before.types.procedures);
    rmSync(join(root, 'src/kinds.ts'));
    await expect(source.infer([join(root, 'src/kinds.ts')], built)).rejects.toThrow('TS2307');
    const again = write('src/kinds.ts', files['src/kinds.ts'] ?? '');
    expect((await inferNow(again)).text).toBe(before.text);
  });

  it('knows what a file imports since an inference that failed', async () => {
    const broken = edit(['', 'src/main.ts', 'input: { id: number }', 'input: { id: Map<string, number> }']);
    const kinds = edit([
      '',
      'src/kinds.ts',
      "Task as Found } from './tasks.js'",
      "Other as Found } from './other.js'",
    ]);
    await expect(source.infer([broken, kinds], built)).rejects.toThrow('Map');
    await inferNow(edit(['', 'src/main.ts', 'input: { id: Map<string, number> }', 'input: { id: number }']));
    const now = await inferNow(
      edit(['', 'src/other.ts', 'title?: string;', 'title?: string;\n  late?: true;']),
    );
    expect(now.text).toContain('late?: true');
  });

  it('infers again after a warning, because errors in bodies matter then', async () => {
    const warned = edit(['', 'src/tasks.ts', 'title: string;', 'title: any;']);
    expect((await inferNow(warned)).types.warnings).toHaveLength(1);
    const broken = edit(['', 'src/main.ts', 'return find(input.id);', 'return find(input.none);']);
    await expect(source.infer([broken], built)).rejects.toThrow('TS2339');
  });
});
