// After a change, only the changed file is compiled, unless the modules of the app would then differ from a bundle.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject } from '../dev/trial-app.js';
import { type Bundle, Bundler } from './bundler.js';

let root: string;
let bundler: Bundler;
let whole = 0;
/** The results of compilations of modules wait for it. */
let gate: Promise<void> | undefined;
/** The last compilation of modules. */
let compiling: Promise<unknown> | undefined;

afterEach(async () => {
  await bundler.dispose();
  rmSync(root, { recursive: true, force: true });
});

function open(files: Record<string, string>): void {
  root = makeProject(files);
  whole = 0;
  gate = undefined;
  const counting = {
    ...esbuild,
    build: (options: esbuild.BuildOptions) => {
      compiling = esbuild.build(options).then((result) => Promise.resolve(gate).then(() => result));
      return compiling;
    },
    context: async (options: esbuild.BuildOptions) => {
      const context = await esbuild.context(options);
      const { rebuild } = context;
      const counted = () => {
        whole += 1;
        return rebuild.call(context);
      };
      return Object.assign(context, { rebuild: counted });
    },
  };
  bundler = new Bundler(counting as never, root, () => path('src/main.ts'), path('node_modules/.fw'));
}

const path = (name: string): string => join(root, name);

async function build(...changed: string[]): Promise<Bundle> {
  const result = await bundler.build(changed.map(path));
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.bundle;
}

function save(name: string, text: string): Promise<Bundle> {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
  return build(name);
}

async function opened(files: Record<string, string>): Promise<Bundle> {
  open(files);
  const bundle = await build();
  await bundler.separate();
  return bundle;
}

const files = {
  'src/main.ts':
    "import { leaf } from './leaf.ts'; import 'node:fs'; import { b } from 'pkg'; console.log(leaf, b);",
  'src/leaf.ts': 'export const leaf: number = 1;',
};

describe('the modules of an app', () => {
  it('are compiled when they change, and nothing else is', async () => {
    const first = await opened(files);
    expect(first.modules).toBeUndefined();
    const second = await save('src/leaf.ts', 'export const leaf: number = 2;');
    const third = await save('src/main.ts', `${files['src/main.ts']} // changed`);
    expect(whole).toBe(1);
    expect(existsSync(second.file)).toBe(false);
    expect({ ...second, file: first.file, modules: undefined }).toEqual({ ...first, modules: undefined });
    const [main, leaf] = ['src/main.ts', 'src/leaf.ts'].map((name) =>
      second.modules?.find((one) => one.path === path(name)),
    );
    expect(main).toMatchObject({
      imports: { './leaf.ts': path('src/leaf.ts'), pkg: 'pkg', 'node:fs': 'node:fs' },
      packages: ['node:fs', 'pkg'],
    });
    expect(leaf?.code).toContain('leaf = 2');
    expect(third.modules).toContain(leaf);
    expect(third.modules).not.toContain(main);
  });

  it('are compiled if they are generated and were written without a change that names them', async () => {
    const made = 'src/made.json';
    await opened({
      ...files,
      'src/main.ts':
        "import { leaf } from './leaf.ts'; import made from './made.json' with { type: 'json' }; console.log(leaf, made);",
      [made]: '1',
    });
    const codeOf = async (generated: readonly string[]) => {
      const result = await bundler.build([path('src/leaf.ts')], generated);
      const { modules = [] } = result.ok ? result.bundle : {};
      return modules.find((one) => one.path === path(made));
    };
    const [before, same] = [await codeOf([path(made), path('src/none.json')]), await codeOf([])];
    expect(same).toBe(before);
    writeFileSync(path(made), '2 ');
    // It is known as generated from the build before.
    expect((await codeOf([]))?.code).toContain('= 2');
    expect(whole).toBe(1);
  });

  it('follow paths of tsconfig.json, #imports, JSON and later imports', async () => {
    await opened({
      'package.json': '{"type":"module","imports":{"#part":"./src/part.ts"}}',
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}',
      'src/part.ts': 'export const part = 1;',
      'src/data.json': '{"value":1}',
      'src/data.ts': 'export const data = 2;',
      'src/main.ts': `import { part } from '#part'; import { data } from '@/data.ts'; import json from './data.json' with { type: 'json' };
        import type { Nothing } from './none.ts'; import { Unused } from 'unused';
        void import('@/late.tsx'); console.log(part, data, json); type Local = Unused & Nothing;`,
      'src/late.tsx': 'export const late = 1;',
    });
    const { modules } = await save('src/data.json', '{"value":2}');
    expect(whole).toBe(1);
    const main = modules?.find((one) => one.path === path('src/main.ts'));
    expect(main?.imports).toMatchObject({
      '#part': path('src/part.ts'),
      '@/data.ts': path('src/data.ts'),
      './data.json': path('src/data.json'),
      '@/late.tsx': path('src/late.tsx'),
    });
    expect(main?.packages).toEqual([]);
    expect(modules?.find((one) => one.path === path('src/data.json'))?.code).toContain('value = 2');
  });

  it.each([
    ['another import', 'src/leaf.ts', "import 'node:os'; export const leaf = 1;"],
    [
      'an import less',
      'src/main.ts',
      "import { leaf } from './leaf.ts'; import 'node:fs'; console.log(leaf);",
    ],
    ['another order of imports', 'src/main.ts', "import 'pkg'; import './leaf.ts'; import 'node:fs';"],
    [
      'a later instead of a static import',
      'src/main.ts',
      "void import('./leaf.ts'); import 'node:fs'; import 'pkg';",
    ],
    ['a new file', 'src/leaf/index.ts', ''],
    ['require', 'src/leaf.ts', "export const leaf = require('node:os');"],
    ['a require that is passed on', 'src/leaf.ts', 'const load = [require]; export const leaf = load;'],
    ['import.meta.resolve', 'src/leaf.ts', "export const leaf = import.meta.resolve('pkg');"],
    ['import.meta as a value', 'src/leaf.ts', 'export const leaf = import.meta;'],
    ['__dirname', 'src/leaf.ts', 'export const leaf = __dirname;'],
    [
      'a later import of any file',
      'src/leaf.ts',
      "export const leaf = (name) => import('./le' + name + '.ts');",
    ],
    ['exports of CommonJS', 'src/leaf.ts', 'exports.leaf = 1;'],
    ['top-level await', 'src/leaf.ts', 'export const leaf = await 1;'],
    [
      'top-level await in a block',
      'src/leaf.ts',
      'export let leaf = 0;\nif (leaf === 0) {\n  leaf = await 1;\n}',
    ],
    ['all exports of a package', 'src/leaf.ts', "export * from 'pkg'; export const leaf = 1;"],
    ['an export of CommonJS', 'src/leaf.ts', 'const leaf = 1; export = { leaf };'],
  ])('are built as a whole after a change with %s', async (_what, name, text) => {
    await opened(files);
    const bundle = await save(name, text);
    expect([whole, bundle.modules, existsSync(bundle.file)]).toEqual([2, undefined, true]);
  });

  it.each<[string, Record<string, string>]>([
    ['CommonJS', { 'src/main.ts': "import './old.cjs';", 'src/old.cjs': 'module.exports = 1;' }],
    [
      'require of a source',
      { 'src/main.ts': "require('./leaf.ts');", 'src/leaf.ts': 'export const leaf = 1;' },
    ],
    [
      'later imports of any file',
      { 'src/main.ts': "import('./pages/' + process.argv[2] + '.ts');", 'src/pages/a.ts': '' },
    ],
    ['the JSON of a package', { 'src/main.ts': "import 'data/x.json' with { type: 'json' };" }],
    ['top-level await in a part', { 'src/main.ts': "import './a.ts';", 'src/a.ts': 'await 1;\nexport {};' }],
    ['all exports of a package', { 'src/main.ts': "import './a.ts';", 'src/a.ts': "export * from 'pkg';" }],
    [
      'the text of a source',
      { 'src/main.ts': "import './a.json' with { type: 'text' };", 'src/a.json': '1' },
    ],
    [
      'sideEffects in a folder',
      {
        'src/main.ts': "import { a } from './a/a.ts'; console.log(a);",
        'src/a/a.ts': 'export const a = 1;',
        'src/a/package.json': '{"type":"module","sideEffects":false}',
      },
    ],
    ['sideEffects', { 'package.json': '{"type":"module","sideEffects":false}', 'src/main.ts': 'export {}' }],
  ])('are never compiled one by one in an app with %s', async (_what, given) => {
    open(given);
    await build();
    expect(await bundler.separate()).toBeUndefined();
    expect((await build('src/main.ts')).modules).toBeUndefined();
  });

  it('are never compiled one by one if there are sources above the project', async () => {
    open({ 'src/main.ts': '' });
    const above = `${root}-above.ts`;
    writeFileSync(path('src/main.ts'), `import '../../${basename(above)}';`);
    writeFileSync(above, '');
    try {
      await build();
      expect(await bundler.separate()).toBeUndefined();
      expect((await build('src/main.ts')).modules).toBeUndefined();
    } finally {
      rmSync(above);
    }
  });

  it('are never compiled one by one if packages are linked as TypeScript', async () => {
    open({
      'package.json': '{"type":"module","dependencies":{"linked":"*"}}',
      'src/main.ts': "import 'linked';",
      'other/package.json': '{"name":"linked","type":"module","exports":"./index.ts"}',
      'other/index.ts': 'export const linked = 1;',
    });
    symlinkSync(path('other'), path('node_modules/linked'));
    await build();
    expect(await bundler.separate()).toBeUndefined();
  });

  it('stay the same objects if a build of all sources leaves them the same', async () => {
    await opened(files);
    const before = await bundler.separate();
    await save('src/main.ts', `import 'node:os'; ${files['src/main.ts']}`);
    const after = await bundler.separate();
    const leafOf = (all = before) => all?.find((one) => one.path === path('src/leaf.ts'));
    expect(after?.map((one) => one.path)).toEqual([path('src/leaf.ts'), path('src/main.ts')]);
    expect(leafOf(after)).toBe(leafOf());
  });

  it('are built as a whole without a changed file, and after another environment', async () => {
    await opened(files);
    expect((await build()).modules).toBeUndefined();
    await bundler.separate();
    await bundler.reset();
    expect(await bundler.separate()).toBeUndefined();
    expect((await build('src/leaf.ts')).modules).toBeUndefined();
  });

  it.each([
    ['removed', () => rmSync(path('src/leaf.ts'))],
    ['broken', () => writeFileSync(path('src/leaf.ts'), 'export const leaf = ;')],
  ])('are built as a whole without a file that is %s and not imported any more', async (_what, change) => {
    await opened(files);
    change();
    writeFileSync(path('src/main.ts'), "import 'node:fs';");
    const { modules, inputs } = await build('src/leaf.ts', 'src/main.ts');
    expect([modules, inputs]).toEqual([undefined, [path('src/main.ts')]]);
  });

  it.each([
    ['a constant', 'const own = 1; export const leaf = () => { own = 2; };', 'Cannot assign to "own"'],
    [
      'an import',
      "import { main } from './main.ts'; export const leaf = () => { main = 2; };",
      'Cannot assign to import "main"',
    ],
  ])('are built as a whole if %s is assigned, which is an error', async (_what, text, error) => {
    const cycle = `${files['src/main.ts']} export const main = 1;`;
    await opened({
      'src/main.ts': cycle,
      'src/leaf.ts': "import { main } from './main.ts'; export const leaf = () => main;",
    });
    writeFileSync(path('src/leaf.ts'), text);
    const result = await bundler.build([path('src/leaf.ts')]);
    expect(JSON.stringify(result)).toContain(JSON.stringify(error).slice(1, -1));
    expect(result.ok).toBe(false);
  });

  it('are built as a whole after a change with other attributes', async () => {
    const main = "import data from './data.json'; console.log(data);";
    await opened({ 'src/main.ts': main, 'src/data.json': '1' });
    const { modules } = await save('src/main.ts', main.replace(';', " with { type: 'text' };"));
    expect([whole, modules]).toEqual([2, undefined]);
  });

  it('are built as a whole after a change to CommonJS in a package without a type', async () => {
    const main = "import * as leaf from './leaf.ts'; console.log(leaf);";
    await opened({ 'package.json': '{}', 'src/main.ts': main, 'src/leaf.ts': 'export const leaf = 1;' });
    const { modules } = await save('src/leaf.ts', 'exports.leaf = 2;');
    expect([whole, modules]).toEqual([2, undefined]);
  });

  it('have no code that a bundle leaves out', async () => {
    await opened(files);
    const { modules } = await save(
      'src/leaf.ts',
      'function none() {} /* @__PURE__ */ none(); export const leaf = 1;',
    );
    expect(modules?.find((one) => one.path === path('src/leaf.ts'))?.code).not.toContain('none()');
  });

  it('are not made of sources that were written after the bundle', async () => {
    open(files);
    await build();
    writeFileSync(
      path('src/main.ts'),
      "import { leaf } from './leaf.ts'; import 'node:fs'; console.log(leaf);",
    );
    const at = (seconds: number) => utimesSync(path('src/main.ts'), seconds, seconds);
    at(Date.now() / 1000 + 1);
    expect(await bundler.separate()).toBeUndefined();
    at(Date.now() / 1000 - 1);
    await build('src/main.ts');
    expect(await bundler.separate()).toBeDefined();
  });

  it('are built as a whole if a file is gone, so that the error names who imports it', async () => {
    await opened(files);
    rmSync(path('src/leaf.ts'));
    expect(await bundler.build([path('src/leaf.ts')])).toMatchObject({
      ok: false,
      errors: [{ text: 'Could not resolve "./leaf.ts"', location: { file: 'src/main.ts' } }],
    });
  });

  it('include what a failed compilation has left out', async () => {
    await opened(files);
    writeFileSync(path('src/leaf.ts'), 'export const leaf = ;');
    expect(await bundler.build([path('src/leaf.ts')])).toMatchObject({
      ok: false,
      errors: [{ text: 'Unexpected ";"', location: { file: 'src/leaf.ts', line: 1, column: 20 } }],
    });
    writeFileSync(path('src/leaf.ts'), 'export const leaf = 3;');
    const { modules } = await save('src/main.ts', `${files['src/main.ts']} // changed`);
    expect(whole).toBe(1);
    expect(modules?.find((one) => one.path === path('src/leaf.ts'))?.code).toContain('leaf = 3');
  });

  it('include what a build has left out that began too early', async () => {
    await opened(files);
    writeFileSync(path('src/leaf.ts'), 'export const leaf = 4;');
    bundler.begin(path('src/leaf.ts'));
    await compiling;
    writeFileSync(path('src/leaf.ts'), 'export const leaf = 5;');
    const { modules } = await save('src/main.ts', `${files['src/main.ts']} // changed`);
    expect(modules?.find((one) => one.path === path('src/leaf.ts'))?.code).toContain('leaf = 5');
    expect(whole).toBe(1);
  });

  it('of an earlier build are not used if they are complete after the next one', async () => {
    open(files);
    await build();
    let release: () => void = () => {};
    gate = new Promise((settle) => {
      release = settle;
    });
    const separating = bundler.separate();
    await save('src/leaf.ts', "import 'node:os'; export const leaf = 6;");
    release();
    expect(await separating).toBeUndefined();
    const codes = (await bundler.separate())?.map(({ code }) => code).join();
    expect(codes).toContain('leaf = 6');
  });

  it('are read for `import.meta` when a bundle is built again', async () => {
    await opened(files);
    expect((await save('src/leaf.ts', 'export const leaf = import.meta.dirname;')).modules).toBeDefined();
    const { file } = await build();
    expect(readFileSync(file, 'utf8')).toContain(JSON.stringify(path('src')));
  });
});

describe('the sources of a template', () => {
  const templates = fileURLToPath(new URL('../../templates', import.meta.url));

  const names = readdirSync(templates).filter((name) => !name.includes('.'));

  it.each(names)('%s are compiled one by one', async (name) => {
    open({});
    const entry = join(templates, name, 'src/main.ts');
    const ofTemplate = new Bundler(esbuild, join(templates, name), () => entry, path('node_modules/.fw'));
    const result = await ofTemplate.build([]);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    const modules = await ofTemplate.separate();
    expect(modules?.map((one) => one.path).sort()).toEqual([...result.bundle.inputs].sort());
    await ofTemplate.dispose();
  });
});

describe('modules that could not run', () => {
  it('are not compiled again if a bundle of the same sources runs', async () => {
    await opened(files);
    await save('src/leaf.ts', 'export const leaf = 2;');
    bundler.distrustModules();
    const bundle = await build('src/leaf.ts');
    expect(bundle.modules).toBeUndefined();
    bundler.started(bundle);
    expect(await bundler.separate()).toBeUndefined();
    await bundler.reset();
    await build();
    expect(await bundler.separate()).toBeDefined();
  });

  it.each(['are complete', 'are being compiled'])(
    'do not count either if they %s when the bundle runs',
    async (state) => {
      await opened(files);
      await save('src/leaf.ts', 'export const leaf = 2;');
      bundler.distrustModules();
      const bundle = await build('src/leaf.ts');
      const separating = bundler.separate();
      if (state === 'are complete') expect(await separating).toBeDefined();
      bundler.started(bundle);
      if (state !== 'are complete') expect(await separating).toBeUndefined();
      expect((await save('src/leaf.ts', 'export const leaf = 3;')).modules).toBeUndefined();
    },
  );

  it('are compiled again if a bundle of the same sources cannot run either', async () => {
    await opened(files);
    await save('src/leaf.ts', "import 'node:fs'; export const leaf = 2;");
    await bundler.separate();
    bundler.distrustModules();
    await build('src/leaf.ts');
    expect(await bundler.separate()).toBeDefined();
  });

  it('are compiled again after an error is mended', async () => {
    await opened(files);
    await save('src/leaf.ts', 'export const other = 2;');
    bundler.distrustModules();
    expect(await bundler.build([path('src/leaf.ts')])).toMatchObject({ ok: false });
    await save('src/leaf.ts', 'export const leaf = 2;');
    expect(await bundler.separate()).toBeDefined();
  });

  it('are compiled again if the sources have changed meanwhile', async () => {
    await opened(files);
    await save('src/leaf.ts', 'export const other = 2;');
    bundler.distrustModules();
    bundler.started(await save('src/leaf.ts', 'export const leaf = 22;'));
    expect(await bundler.separate()).toBeDefined();
  });
});
