// Which changes can reach the types of procedures, told from the text of the sources.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ImportGraph } from './import-graph.js';

let root: string;
let graph: ImportGraph;
const files: Record<string, string> = {
  'node_modules/zod/package.json': '{}',
  'src/rpc.ts':
    "import { z } from 'zod';\nimport { readFile } from 'node:fs/promises';\nimport type { Task } from './tasks.js';\nrpc.query('list', (): Task[] => []);\n",
  'src/tasks.ts': "export type { Task } from './deep/task.ts';\nexport const later = import('./deep');\n",
  'src/deep/task.ts': 'export interface Task {}\n',
  'src/deep/index.ts': "export * from './more.ts';\n",
  'src/deep/more.ts': 'export const more = 1;\n',
  'src/app.ts': "import { rpc } from './rpc.ts';\nexport const app = rpc;\n",
  'src/globals.ts': 'interface Window {}\n',
};

function write(name: string, text: string): string {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
  return join(root, name);
}

function learn(changed: string[] = []): void {
  const own = Object.keys(files)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, name));
  graph.learn({ own, registering: [join(root, 'src/rpc.ts')] }, changed);
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fw-graph-')));
  for (const [name, text] of Object.entries(files)) write(name, text);
  graph = new ImportGraph(root);
});
afterEach(() => rmSync(root, { recursive: true }));

it('may be reached by anything before it has learned', () => {
  expect(graph.isReachedBy([join(root, 'src/app.ts')])).toBe(true);
});

it.each([
  ['src/rpc.ts', true],
  ['src/tasks.ts', true],
  ['src/deep/task.ts', true],
  ['src/deep/more.ts', true],
  ['src/globals.ts', true],
  ['src/app.ts', false],
  ['src/page.html', false],
  ['src/new.ts', true],
  ['src/new.d.ts', true],
  ['src/gone.ts', true],
])('%s: %s', (name, expected) => {
  learn();
  const file =
    name === 'src/gone.ts' ? join(root, name) : write(name, files[name] ?? 'export const x = 1;\n');
  expect(graph.isReachedBy([file])).toBe(expected);
});

it.each([
  ["import { rpc } from './rpc.ts';\nrpc.query('more', () => 1);\n"],
  ["import './rpc.ts';\ndeclare global {\n  var more: string;\n}\n"],
  ['const script = 1;\n'],
])('is reached by a file that was of no account, once it says %j', (text) => {
  learn();
  expect(graph.isReachedBy([write('src/app.ts', text)])).toBe(true);
});

it('follows an import that is new', () => {
  learn();
  const rpc = write('src/rpc.ts', `${files['src/rpc.ts']}import './app.ts';\n`);
  learn([rpc]);
  expect(graph.isReachedBy([join(root, 'src/app.ts')])).toBe(true);
});

it.each([
  ["import { task } from '@/task';\n"],
  ["import './missing.ts';\n"],
  ['/// <reference path="./other.ts" />\n'],
])('may be reached by anything where the text alone does not tell: %j', (line) => {
  const rpc = write('src/rpc.ts', `${line}${files['src/rpc.ts']}`);
  learn([rpc]);
  expect(graph.isReachedBy([join(root, 'src/app.ts')])).toBe(true);
});
