// Which changes can affect the types of procedures, with imports as each compiler resolves them.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KnownTypes } from '../../framework/client-gen/cache/known-types.js';
import type { Compiler } from '../../framework/client-gen/compiler/compiler.js';
import { loadCompiler } from '../../framework/client-gen/load-compiler.js';
import { compilers, project, removeProjects } from '../../framework/conformance/inferred-project.js';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { ReachedFiles } from './contract.js';

const code =
  "import { readFile } from 'a-package';\nimport type { Task } from '#tasks';\nrpc.query('list', (): Task[] => []);\n";
const files: Record<string, string> = {
  'node_modules/a-package/package.json': '{ "name": "a-package", "types": "./index.d.ts" }',
  'node_modules/a-package/index.d.ts': 'export declare function readFile(path: string): string;\n',
  'package.json': '{ "type": "module", "imports": { "#*": "./src/*.ts" } }',
  'src/tasks.ts':
    "export type { Task } from './deep/task.js';\nexport const later = import('./deep/index.js');\n",
  'src/deep/task.ts': 'export interface Task {}\n',
  'src/deep/index.ts': "export * from './more.js';\n",
  'src/deep/more.ts': 'export const more = 1;\n',
  'src/named.ts': 'const named = 1;\nexport {};\n',
  'src/app.ts': "import type { RpcRegistry } from './registry.js';\nexport type App = RpcRegistry;\n",
  'src/globals.ts': 'export {};\ndeclare global {\n  interface Window {}\n}\n',
  'src/script.ts': 'interface Local {}\n',
};

afterAll(removeProjects);

describe.each(compilers)('with %s', (_name, typescript) => {
  let root: AbsolutePath;
  let compiler: Compiler<never>;
  let reached: ReachedFiles;

  function write(name: string, text: string): AbsolutePath {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
    return pathIn(root, name);
  }

  function record(changed: AbsolutePath[] = []): void {
    if (changed.length > 0) compiler.update(changed);
    compiler.registrations(new KnownTypes(() => {}));
    reached.record(compiler, changed);
  }

  beforeEach(async () => {
    root = project(typescript, code);
    for (const [name, text] of Object.entries(files)) write(name, text);
    compiler = await loadCompiler(root);
    reached = new ReachedFiles();
  });
  afterEach(() => compiler.close());

  it('may be affected by any file before it has been analyzed', () => {
    expect(reached.isReachedBy([pathIn(root, 'src/app.ts')])).toBe(true);
  });

  it('is affected by files with routes only if a document of them is made', () => {
    record();
    const routes = write('src/named.ts', "export const app = {};\napp.get('/a', Path('id'), () => 1);\n");
    expect(reached.isReachedBy([routes])).toBe(false);
    const document = write('src/deep/more.ts', 'export const more = openApiFromApp(app);\n');
    expect(reached.isReachedBy([document])).toBe(true);
    record([routes, document]);
    expect(reached.isReachedBy([routes])).toBe(true);
  });

  it('is affected by files that register, their imports, global declarations, and unknown files', () => {
    record();
    write('src/page.html', '<p>');
    write('src/new.ts', 'export const x = 1;\n');
    write('src/new.d.ts', 'export const x: 1;\n');
    const reaching = [
      ...['src/main.ts', 'src/tasks.ts', 'src/deep/task.ts', 'src/deep/index.ts', 'src/deep/more.ts'],
      ...['src/registry.ts', 'src/globals.ts', 'src/new.ts', 'src/new.d.ts', 'src/gone.ts'],
    ];
    for (const name of reaching)
      expect([name, reached.isReachedBy([pathIn(root, name)])]).toEqual([name, true]);
    for (const name of ['src/app.ts', 'src/named.ts', 'src/script.ts', 'src/page.html']) {
      expect([name, reached.isReachedBy([pathIn(root, name)])]).toEqual([name, false]);
    }
  });

  it('is affected by another file when that registers, declares globals or is deleted', () => {
    record();
    for (const text of [
      "import { rpc } from './main.js';\nrpc.query('more', () => 1);\n",
      "import './main.js';\ndeclare global {\n  var more: string;\n}\n",
      'const script = 1;\n',
    ]) {
      expect(reached.isReachedBy([write('src/app.ts', text)])).toBe(true);
    }
    rmSync(join(root, 'src/app.ts'));
    expect(reached.isReachedBy([pathIn(root, 'src/app.ts')])).toBe(true);
  });

  it('is affected by a file without imports only if its names are global', async () => {
    record();
    expect(reached.isReachedBy([write('src/script.ts', 'interface Other {}\n')])).toBe(false);
    const text = 'declare global {\n  interface Window {}\n}\n';
    expect(reached.isReachedBy([write('src/script.ts', text)])).toBe(true);
    write('src/script.ts', files['src/script.ts'] ?? '');
    const packageJson = write('package.json', '{ "imports": { "#*": "./src/*.ts" } }');
    expect(reached.isReachedBy([packageJson])).toBe(true);
    const settings = readFileSync(join(root, 'tsconfig.json'), 'utf8');
    write('tsconfig.json', settings.replace('"strict"', '"moduleDetection":"auto","strict"'));
    compiler.close();
    compiler = await loadCompiler(root);
    reached = new ReachedFiles();
    record();
    expect(reached.isReachedBy([write('src/script.ts', 'interface Other {}\n')])).toBe(true);
  });

  it.each([
    ["import './more-globals.ts';\n", true],
    ["import type {} from 'some-package';\n", true],
    ["export const late = () => import('some-package');\n", true],
    ['/// <reference types="some-package" />\n', true],
    ["import { readFile } from 'a-package';\n", false],
    ["import type { Task } from '#tasks';\n", false],
    ["import type {} from './registry.js';\n", false],
  ])('is affected by an import that no file has had: %j', (line, isAffected) => {
    record();
    const app = write('src/app.ts', `${line}${files['src/app.ts']}`);
    expect(reached.isReachedBy([app])).toBe(isAffected);
    record([app]);
    expect(reached.isReachedBy([app])).toBe(false);
  });

  it.each([
    "import type { App } from './app.js';\n",
    "import type { App } from '#app';\n",
    '/// <reference path="./app.ts" />\n',
  ])('follows a new import: %j', (line) => {
    record();
    const main = write('src/main.ts', line + readFileSync(join(root, 'src/main.ts'), 'utf8'));
    record([main]);
    expect(reached.isReachedBy([pathIn(root, 'src/app.ts')])).toBe(true);
  });

  it('asks again for imports after the first change of another file, and when that is deleted', () => {
    record();
    const imports = vi.spyOn(compiler, 'imports');
    const asked = (changed: AbsolutePath): boolean => {
      imports.mockClear();
      record([changed]);
      return imports.mock.calls.length > 0;
    };
    const contract = write('src/rpc-contract.json', '{}');
    expect(asked(contract)).toBe(true);
    write('src/rpc-contract.json', '{ }');
    expect(asked(contract)).toBe(false);
    rmSync(contract);
    expect(asked(contract)).toBe(true);
    const settings = write('package.json', files['package.json'] ?? '');
    expect([asked(settings), asked(settings)]).toEqual([true, true]);
  });

  it('resolves names again when a missing file appears', () => {
    record();
    const main = write(
      'src/main.ts',
      `import type { App } from './later.js';\n${readFileSync(join(root, 'src/main.ts'), 'utf8')}`,
    );
    record([main]);
    const later = write('src/later.ts', "export type { App } from './app.js';\n");
    expect(reached.isReachedBy([later])).toBe(true);
    record([later]);
    expect(reached.isReachedBy([pathIn(root, 'src/app.ts')])).toBe(true);
    expect(reached.isReachedBy([pathIn(root, 'src/named.ts')])).toBe(false);
  });
});
