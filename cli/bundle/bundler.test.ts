// Bundled sources behave as the files would when they run without a bundle.
import { execFile } from 'node:child_process';
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { type BuildResult, Bundler, compilerGap } from './bundler.js';
import { rewrite } from './source-metadata.js';

let bundler: Bundler | undefined;
const folders: string[] = [];
afterEach(async () => {
  await bundler?.dispose();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function project(files: Record<string, string>): AbsolutePath {
  const root = makeProject(files);
  folders.push(root);
  bundler = new Bundler(esbuild, root, () => pathIn(root, 'src/main.ts'), pathIn(root, 'node_modules/.fw'));
  return root;
}

async function run(result: BuildResult | undefined): Promise<Record<string, unknown>> {
  if (!result?.ok) throw new Error(JSON.stringify(result?.errors));
  return await import(pathToFileURL(result.bundle.file).href);
}

describe('a bundle', () => {
  // Windows has no names with a star.
  const odd = ['my*app', '*app', 'app*', '[x]'].filter(
    (name) => process.platform !== 'win32' || !name.includes('*'),
  );
  it.each(odd)('is made in a folder with the name %s', async (name) => {
    const above = absolutePath(mkdtempSync(join(tmpdir(), 'fw-odd-')));
    folders.push(above);
    const root = pathIn(above, name);
    mkdirSync(join(root, 'src'), { recursive: true });
    mkdirSync(join(root, 'node_modules/.fw'), { recursive: true });
    writeFileSync(join(root, 'src/main.ts'), 'export const value: number = 1;');
    bundler = new Bundler(esbuild, root, () => pathIn(root, 'src/main.ts'), pathIn(root, 'node_modules/.fw'));
    expect(await run(await bundler.build([]))).toMatchObject({ value: 1 });
  });

  it('fails if it cannot be written, and is made again when it can', async () => {
    const root = project({ 'src/main.ts': 'export const value: number = 1;' });
    const failing = vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
        code: 'ENOSPC',
        syscall: 'write',
      });
    });
    syncBuiltinESMExports();
    const failed = await bundler?.build([]);
    failing.mockRestore();
    syncBuiltinESMExports();
    expect(failed?.ok === false && failed.errors.map(({ text }) => text)).toEqual([
      `cannot write to ${pathIn(root, 'node_modules/.fw')}: the disk is full; free some space`,
    ]);
    expect(await run(await bundler?.build([]))).toMatchObject({ value: 1 });
  });

  it('fails with the file that an import has most likely meant', async () => {
    project({ 'src/main.ts': "import './acounts.ts';", 'src/accounts.ts': '' });
    const failed = await bundler?.build([]);
    expect(failed?.ok === false && failed.errors.map(({ text }) => text)).toEqual([
      'Could not resolve "./acounts.ts"; did you mean "./accounts.ts"?',
    ]);
  });

  it('keeps import.meta, `require` and names as in the source', async () => {
    const root = project({
      'src/main.ts': `
        import { createRequire } from 'node:module';
        import { where } from './deep/where.js';
        import cjs from './old.cjs';
        const require = createRequire(import.meta.url);
        export const main = [import.meta.url, import.meta.dirname, import.meta.filename];
        export const own = require('./data.json').ok;
        class Named {}
        export const name = Named.name;
        export { cjs, where };`,
      'src/deep/where.ts': 'export const where: string[] = [import.meta.dirname, __filename];',
      'src/old.cjs': "module.exports = [__dirname, require('node:path').sep];",
      'src/data.json': '{"ok":true}',
    });
    const found = await run(await bundler?.build([]));
    const main = pathIn(root, 'src/main.ts');
    expect(found.main).toEqual([pathToFileURL(main).href, dirname(main), main]);
    expect(found.where).toEqual([pathIn(root, 'src/deep'), pathIn(root, 'src/deep/where.ts')]);
    expect(found.cjs).toEqual([pathIn(root, 'src'), sep]);
    expect(found.own).toBe(true);
    expect(found.name).toBe('Named');
  });

  it('follows paths and #imports, leaves packages external in their order, and keeps JSON attributes', async () => {
    const root = project({
      'package.json': '{"type":"module","imports":{"#part":"./src/part.ts"}}',
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
      'src/part.ts': "import 'two'; export const part = 1;",
      'src/main.ts': `import 'one'; import { part } from '#part'; import * as again from '@/part.js'; import 'three/sub';
        import data from 'data/x.json' with { type: 'json' };
        void import('lazy').catch(() => {});
        export const value = [part, again.part, data];`,
      ...Object.fromEntries(['one', 'two', 'three/sub'].map((name) => [`node_modules/${name}/index.js`, ''])),
      'node_modules/three/package.json': '{"exports":{"./sub":"./sub/index.js"}}',
      'node_modules/data/x.json': '5',
    });
    const result = await bundler?.build([]);
    if (!result?.ok) throw new Error('failed');
    expect(result.bundle.packages).toEqual(['one', 'two', 'three/sub', 'data/x.json']);
    expect(result.bundle.inputs.sort()).toEqual([pathIn(root, 'src/main.ts'), pathIn(root, 'src/part.ts')]);
    expect((await run(result)).value).toEqual([1, 1, 5]);
  });

  it('follows paths of the referenced tsconfig that includes the entry', async () => {
    project({
      'tsconfig.json':
        '{"files":[],"references":[{"path":"./tsconfig.node.json"},{"path":"./tsconfig.app.json"}]}',
      'tsconfig.node.json': '{"compilerOptions":{"paths":{"@/*":["./gone/*"]}},"include":["*.ts"]}',
      'tsconfig.app.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}},"include":["src"]}',
      'src/part.ts': 'export const part = 1;',
      'src/main.ts': "import { part } from '@/part.ts'; export const value = part;",
    });
    expect((await run(await bundler?.build([]))).value).toBe(1);
  });

  it('notices a new use of import.meta in a changed file', async () => {
    const root = project({ 'src/main.ts': 'export const at = 1;' });
    await run(await bundler?.build([]));
    writeFileSync(join(root, 'src/main.ts'), 'export const at = import.meta.dirname;');
    const second = await run(await bundler?.build([pathIn(root, 'src/main.ts')]));
    expect(second.at).toBe(pathIn(root, 'src'));
  });

  it('contains linked workspace packages in TypeScript, with their own dependencies', async () => {
    const workspace = absolutePath(mkdtempSync(join(tmpdir(), 'fw-workspace-')));
    folders.push(workspace);
    const files = {
      'shared/package.json': '{"name":"shared","type":"module","exports":"./src/index.ts"}',
      'shared/src/index.ts':
        "import dep from 'dep'; import { x } from './x.js'; export const shared: string = dep + x;",
      'shared/src/x.ts': "export const x = '!';",
      'shared/node_modules/dep/package.json': '{"name":"dep","type":"module","exports":"./index.js"}',
      'shared/node_modules/dep/index.js': "export default 'dep of shared';",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
    const root = project({
      'package.json': '{"type":"module","dependencies":{"shared":"*","plain":"*"}}',
      'src/main.ts': "import 'plain'; export { shared } from 'shared';",
      'node_modules/plain/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/plain/index.js': '',
    });
    symlinkSync(join(workspace, 'shared'), join(root, 'node_modules/shared'));
    const result = await bundler?.build([]);
    expect((await run(result)).shared).toBe('dep of shared!');
    if (result?.ok) expect(result.bundle.inputs).toContain(pathIn(workspace, 'shared/src/x.ts'));
  });

  it('is made by an esbuild that collects its memory seldom', async () => {
    vi.stubEnv('GOGC', undefined);
    const root = project({ 'src/main.ts': '' });
    let seen: string | undefined;
    const watched = {
      ...esbuild,
      context: (options: esbuild.BuildOptions) => {
        seen = process.env.GOGC;
        return esbuild.context(options);
      },
    } as typeof esbuild;
    bundler = new Bundler(watched, root, () => pathIn(root, 'src/main.ts'), pathIn(root, 'node_modules/.fw'));
    await bundler.build([]);
    expect(seen).toBe('400');
    vi.unstubAllEnvs();
  });

  it('reports every error with its place, and builds again after it is fixed', async () => {
    const root = project({ 'src/main.ts': "import './a.js';\nimport './b.js';\n" });
    const bad = await bundler?.build([]);
    expect(
      bad?.ok === false && bad.errors.map((error) => [error.location?.file, error.location?.line]),
    ).toEqual([
      ['src/main.ts', 1],
      ['src/main.ts', 2],
    ]);
    writeFileSync(join(root, 'src/main.ts'), 'export const fine = 1;');
    expect((await run(await bundler?.build([]))).fine).toBe(1);
  });
});

describe('import.meta and require.main in a bundle', () => {
  it('have the values of the source file, also through a variable and in circular imports', async () => {
    const app = project({
      'src/main.ts': `
        import { at } from './deep/part.js';
        const meta = import.meta;
        const { dirname, ...rest } = import.meta;
        export function here(): string { return import.meta.url; }
        export const found = [meta.url, meta === import.meta, dirname, rest.filename, at,
          import.meta.resolve('./x.txt'), meta.resolve('node:fs')];
        export const text = "import.meta.url and __dirname as words";`,
      'src/deep/part.ts': "import { here } from '../main.js'; export const at = here();",
    });
    const root = pathIn(app, 'src');
    const url = pathToFileURL(join(root, 'main.ts')).href;
    const bundle = await run(await bundler?.build([]));
    expect(bundle.found).toEqual([
      url,
      true,
      root,
      pathIn(root, 'main.ts'),
      url,
      pathToFileURL(join(root, 'x.txt')).href,
      'node:fs',
    ]);
    expect(bundle.text).toContain('as words');
  });

  it.each([
    ['package.json without a type', '{}', 'src/main.ts'],
    ['CommonJS in JavaScript', '{"type":"commonjs"}', 'src/main.js'],
  ])('say which file was started: %s', async (_what, manifest, main) => {
    const root = makeProject({
      'package.json': manifest,
      [main]: `const part = require('./part.cjs');
        exports.found = [require.main === module, module == require.main, require.main !== module, part.isMain, __filename];`,
      'src/part.cjs': '// Without import.meta.\nexports.isMain = require.main === module;',
    });
    folders.push(root);
    bundler = new Bundler(esbuild, root, () => pathIn(root, main), pathIn(root, 'node_modules/.fw'));
    const { default: exports } = (await run(await bundler.build([]))) as { default: { found: unknown } };
    expect(exports.found).toEqual([true, true, false, false, pathIn(root, main)]);
  });
});

describe('a debugger', () => {
  /** Loads a file under the inspector, and sets a breakpoint at the position of `marker` in the source map. */
  const debug = `
    import inspector from 'node:inspector/promises';
    import { SourceMap } from 'node:module';
    const [file, source, line] = process.argv.slice(2);
    const session = new inspector.Session();
    session.connect();
    const scripts = [];
    session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
    await session.post('Debugger.enable');
    await import(file);
    const script = scripts.find(({ sourceMapURL }) => sourceMapURL.startsWith('data:'));
    const payload = JSON.parse(Buffer.from(script.sourceMapURL.split('base64,')[1], 'base64'));
    const { sources } = payload;
    const map = new SourceMap(payload);
    let at;
    for (let row = 0; row <= script.endLine && !at; row += 1) {
      const entry = map.findEntry(row, 4);
      if (entry.originalSource === source && entry.originalLine === Number(line)) at = row;
    }
    const set = await session.post('Debugger.setBreakpointByUrl', { url: script.url, lineNumber: at });
    console.log(JSON.stringify({ url: script.url, sources, bound: set.locations.length, at: set.locations[0]?.lineNumber === at }));
    process.exit();`;

  it('finds the bundle outside node_modules, and binds a breakpoint in src', async () => {
    const root = project({
      'debug.mjs': debug,
      'src/main.ts': "interface Gone { a: 1 }\nimport { part } from './deep/part.js';\npart(1);\n",
      'src/deep/part.ts': 'type Gone = 1;\n\nexport function part(x: number): number {\n  return x * 2;\n}\n',
    });
    const built = await bundler?.build([]);
    if (!built?.ok) throw new Error('failed');
    const part = pathToFileURL(join(root, 'src/deep/part.ts')).href;
    const args = ['debug.mjs', pathToFileURL(built.bundle.file).href, part, '3'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    const seen = JSON.parse(stdout);
    expect(seen.url).toBe(pathToFileURL(join(root, '.fw/app.1.mjs')).href);
    expect(seen.sources).toEqual([part, pathToFileURL(join(root, 'src/main.ts')).href]);
    expect([seen.bound, seen.at]).toEqual([1, true]);
  });
});

describe('rewrite', () => {
  it('keeps a __dirname that the file declares, and the position of every line', () => {
    const source = "const __dirname = 'mine';\nlog(__dirname, import.meta.url, import.meta.env);\n";
    expect(rewrite(source, '/x/a.ts', false).split('\n').slice(0, 2)).toEqual([
      "const __dirname = 'mine';",
      'log(__dirname, import_meta().url, import_meta().env);',
    ]);
  });
});

describe('compilerGap', () => {
  it('reports emitDecoratorMetadata only if it is set', () => {
    const root = project({ 'tsconfig.json': '{ "compilerOptions": { "emitDecoratorMetadata": true } }' });
    expect(compilerGap(root, pathIn(root, 'src/main.ts'))).toContain(
      'tsconfig.json sets emitDecoratorMetadata',
    );
    writeFileSync(join(root, 'tsconfig.json'), '{}');
    expect(compilerGap(root, pathIn(root, 'src/main.ts'))).toBeUndefined();
  });
});
