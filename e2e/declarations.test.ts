// "Go to definition" from a frontend's use of the client into the backend, as an editor does it.
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { definitions } from '../framework/conformance/editor.js';
import { fileChanges } from './file-changes.js';
import { type RunResult, run, scaffold } from './packed.js';

const compilers = ['typescript', 'typescript-6'] as const;
const use = (from: string) => `import { FwRpcClient } from '${from}';
const client = new FwRpcClient();
export const made: Promise<unknown>[] = [
  client.listTasks({}),
  client.addTask({ title: 'x' }),
  client.countTasks(),
];
`;

describe('an app of the template rpc and a frontend beside it', () => {
  let app: string;
  let procedures: string;

  beforeAll(async () => {
    app = await scaffold({ template: 'rpc', name: 'tasks' });
    procedures = join(app, 'src/rpc.ts');
    mkdirSync(join(app, 'web'));
    writeFileSync(join(app, 'web/package.json'), '{ "type": "module" }');
  });

  const fw = (...args: string[]): Promise<RunResult> =>
    run(process.execPath, [join(app, 'node_modules/fw/dist/cli/main.js'), ...args], { cwd: app });

  /** How the frontend's program is checked, and how it imports the client. */
  function frontend(moduleResolution: 'nodenext' | 'bundler', from: string): void {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, types: [] };
    writeFileSync(join(app, 'web/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    writeFileSync(join(app, 'web/use.ts'), use(from));
  }

  /** The place in the backend of each procedure: one for each way to give its types. */
  async function expectDefinitions(): Promise<void> {
    const lines = readFileSync(procedures, 'utf8').split('\n');
    const names = ['listTasks', 'addTask', 'countTasks'];
    const places = names.map((name) => {
      const line = lines.findIndex((text) => text.includes(`'${name}'`));
      return [`src/rpc.ts:${line + 1}:${(lines[line]?.indexOf(`'${name}'`) ?? 0) + 1} '${name}'`];
    });
    const uses = names.map((name) => `client.${name}`);
    for (const compiler of compilers) {
      expect(await definitions(compiler, app, 'web/use.ts', uses)).toEqual(places);
    }
  }

  test.each(['nodenext', 'bundler'] as const)(
    'a client in JavaScript leads into the backend, with resolution as in %s',
    async (resolution) => {
      expect(await fw('generate', '-o', 'web/client.js')).toMatchObject({ exitCode: 0, stderr: '' });
      frontend(resolution, './client.js');
      await expectDefinitions();
      const tsc = join(app, 'node_modules/typescript/bin/tsc');
      const checked = await run(process.execPath, [tsc, '--noEmit', '-p', 'web'], { cwd: app });
      expect(checked).toMatchObject({ exitCode: 0, stdout: '' });
      const { FwRpcClient } = await import(pathToFileURL(join(app, 'web/client.js')).href);
      const fetch = async () => ({ ok: true, text: async () => '{"result":[]}' });
      expect(await new FwRpcClient('/rpc', { fetch }).listTasks({})).toEqual([]);
    },
  );

  test('moved lines change only the map, which --check ignores', async () => {
    const output = ['-o', 'web/client.js'];
    const written = (name: string) => statSync(join(app, 'web', name), { bigint: true }).mtimeNs;
    const before = ['client.js', 'client.d.ts'].map(written);
    const map = readFileSync(join(app, 'web/client.d.ts.map'), 'utf8');
    writeFileSync(procedures, `\n\n${readFileSync(procedures, 'utf8')}`);
    expect((await fw('generate', '--check', ...output)).exitCode).toBe(0);
    expect(readFileSync(join(app, 'web/client.d.ts.map'), 'utf8')).toBe(map);
    const { stdout } = await fw('generate', '--json', ...output);
    const { files } = JSON.parse(stdout) as { files: { file: string; isChanged: boolean }[] };
    expect(files.filter(({ isChanged }) => isChanged).map(({ file }) => file)).toEqual([
      join(app, 'web/client.d.ts.map'),
    ]);
    expect(['client.js', 'client.d.ts'].map(written)).toEqual(before);
    await expectDefinitions();
  });

  test('an editor finds the definitions while --watch follows the backend', async () => {
    const binary = join(app, 'node_modules/fw/dist/cli/main.js');
    const watching = spawn(process.execPath, [binary, 'generate', '--watch', '-o', 'web/client.js'], {
      cwd: app,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(watching, 'exit');
    for await (const text of on(watching.stdout, 'data')) if (String(text).includes('started')) break;
    const changed = fileChanges(join(app, 'web/client.d.ts.map'));
    writeFileSync(procedures, `\n${readFileSync(procedures, 'utf8')}`);
    await Promise.race([changed, ended]);
    watching.stdout.resume();
    await expectDefinitions();
    watching.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  test('--check fails if the script or its declarations are outdated or missing', async () => {
    const output = ['-o', 'web/client.js'];
    rmSync(join(app, 'web/client.d.ts.map'));
    expect((await fw('generate', '--check', ...output)).exitCode).toBe(0);
    writeFileSync(join(app, 'web/client.js'), '');
    rmSync(join(app, 'web/client.d.ts'));
    const checked = await fw('generate', '--check', ...output);
    expect(checked.exitCode).toBe(1);
    expect(checked.stderr).toContain('web/client.d.ts is missing, web/client.js is not up to date');
    expect(existsSync(join(app, 'web/client.d.ts'))).toBe(false);
  });

  test('--diff compares the declarations', async () => {
    await fw('generate', '-o', 'web/client.js');
    const sound = readFileSync(procedures, 'utf8');
    writeFileSync(procedures, sound.replace("'countTasks'", "'countAll'"));
    const { stdout } = await fw('generate', '--diff', '-o', 'web/client.js');
    writeFileSync(procedures, sound);
    expect(stdout).toMatch(/breaks +countTasks/);
    expect(stdout).toMatch(/safe +countAll/);
  });

  test('as a package, a client in TypeScript has declarations for programs that import the package', async () => {
    const { stdout } = await fw('generate', '--declarations', '-o', 'packages/client/index.ts');
    expect(stdout.match(/\S+ created/g)).toEqual(
      ['ts', 'd.ts', 'js', 'd.ts.map'].map((ending) => `packages/client/index.${ending} created`),
    );
    const exports = { '.': { types: './index.d.ts', default: './index.js' } };
    const manifest = { name: 'tasks-client', type: 'module', exports };
    writeFileSync(join(app, 'packages/client/package.json'), JSON.stringify(manifest));
    mkdirSync(join(app, 'web/node_modules'));
    symlinkSync(join(app, 'packages/client'), join(app, 'web/node_modules/tasks-client'), 'junction');
    for (const resolution of ['nodenext', 'bundler'] as const) {
      frontend(resolution, 'tasks-client');
      await expectDefinitions();
    }
  });

  test('an older client in TypeScript must be deleted, because it would hide the declarations', async () => {
    const refused = await fw('generate', '-o', 'src/client.js');
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toMatch(/src\/client\.ts exists, .* instead of client\.d\.ts/);
    expect(refused.stderr).toContain('delete it');
    renameSync(join(app, 'src/client.ts'), join(app, 'client.old'));
    expect((await fw('generate', '-o', 'src/client.js')).exitCode).toBe(0);
  });

  test('a program that writes the client itself is an error that says what it lacks', async () => {
    const program = join(app, 'src/generate-client.ts');
    writeFileSync(
      program,
      "import { writeFileSync } from 'node:fs';\nimport { rpc } from './rpc.ts';\nwriteFileSync(process.argv[2] ?? '', rpc.generateClient());\n",
    );
    const failed = await fw('generate', '-o', 'web/client.js');
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toContain('it wrote no declarations: call generateClientFile(process.argv[2])');
  });
});
