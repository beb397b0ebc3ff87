// A package that imports itself by its own name, and conditions of `exports` that are not those of Node.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { afterEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { type BuildResult, Bundler } from './bundler.js';

let bundler: Bundler | undefined;
let base: AbsolutePath | undefined;
afterEach(async () => {
  await bundler?.dispose();
  if (base !== undefined) rmSync(base, { recursive: true, force: true });
});

/** Writes the files, and bundles src/main.ts of the folder `app`. */
async function build(files: Record<string, string>, options = ''): Promise<BuildResult> {
  base = absolutePath(mkdtempSync(join(tmpdir(), 'fw-names-')));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text);
  }
  const root = pathIn(base, 'app');
  const outDir = pathIn(root, 'node_modules/.fw');
  mkdirSync(outDir, { recursive: true });
  if ('lib/package.json' in files) symlinkSync(join(base, 'lib'), join(root, 'node_modules/lib'));
  const env = () => ({ NODE_OPTIONS: options });
  bundler = new Bundler(esbuild, root, () => pathIn(root, 'src/main.ts'), outDir, env);
  return bundler.build([]);
}

async function run(result: BuildResult): Promise<Record<string, unknown>> {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return await import(pathToFileURL(result.bundle.file).href);
}

const self = (exports: unknown) => JSON.stringify({ name: '@me/app', type: 'module', exports });

describe('the own name of the app', () => {
  it('names its exports, which are bundled once', async () => {
    const result = await build({
      'app/package.json': self({ '.': './src/index.ts', './lib': './src/lib.js', './parts/*': './src/*.ts' }),
      'app/src/main.ts': `import { lib } from '@me/app/lib'; import { index } from '@me/app';
        import { deep } from '@me/app/parts/deep/part'; import { list } from './list.ts'; import '@me/application';
        const lazy = await import('@me/app/lib');
        export const found = [lib, index, deep, lazy.lib, list];`,
      'app/src/index.ts': "export const index: string = 'index';",
      'app/src/lib.ts':
        "import { list } from './list.ts'; list.push('lib'); export const lib: string = 'lib';",
      'app/src/list.ts': 'export const list: string[] = [];',
      'app/src/deep/part.ts': "export const deep: string = 'deep';",
      'app/node_modules/@me/application/package.json': '{"type":"module","exports":"./x.js"}',
      'app/node_modules/@me/application/x.js': '',
    });
    expect((await run(result)).found).toEqual(['lib', 'index', 'deep', 'lib', ['lib']]);
    expect(result.ok && result.bundle.packages).toEqual(['@me/application']);
  });

  it('that is not exported is an error which says so', async () => {
    const result = await build({
      'app/package.json': self({ './lib': './src/lib.ts' }),
      'app/src/main.ts': "import '@me/app/other';",
    });
    expect(!result.ok && result.errors.map(({ text, location }) => [text, location?.file])).toEqual([
      [
        `Could not resolve "@me/app/other": the "exports" of the app's package.json do not have it`,
        'src/main.ts',
      ],
    ]);
  });

  it('is taken by the conditions of the compiler, and different for require', async () => {
    const result = await build({
      'app/package.json': self({
        '.': { mine: './src/mine.ts', default: './dist/gone.js' },
        './how': { require: './src/required.cts', import: './src/imported.ts' },
      }),
      'app/tsconfig.json': '{ "extends": "../base.json" }',
      'base.json': '{ /* for all */ "compilerOptions": { "customConditions": ["mine"], } }',
      'app/src/main.ts': `import { which } from '@me/app'; import { how } from '@me/app/how';
        export const found = [which, how, require('@me/app/how').how];`,
      'app/src/mine.ts': "export const which: string = 'mine';",
      'app/src/required.cts': "exports.how = 'required' as string;",
      'app/src/imported.ts': "export const how: string = 'imported';",
    });
    expect((await run(result)).found).toEqual(['mine', 'imported', 'required']);
  });
});

describe('a linked package whose sources have a condition of their own', () => {
  const files = (target: string) => ({
    'app/package.json': '{"type":"module","dependencies":{"lib":"*"}}',
    'app/src/main.ts': "export { which } from 'lib';",
    'lib/package.json': JSON.stringify({
      name: 'lib',
      type: 'module',
      exports: { '.': { '@w/source': target, default: './dist/index.js' }, './own': target },
    }),
    'lib/src/index.ts': "import { own } from './own.js'; export const which: string = own;",
    'lib/src/own.ts': "export const own: string = 'source';",
    'lib/src/index.js': "export const which = 'plain source';",
    'lib/dist/index.js': "export const which = 'built';",
  });

  it('is bundled from them if tsconfig.json has the condition', async () => {
    const result = await build({
      ...files('./src/index.ts'),
      'app/tsconfig.json': '{"compilerOptions":{"customConditions":["@w/source"]}}',
    });
    expect((await run(result)).which).toBe('source');
    expect(result.ok && result.bundle.inputs).toContain(join(base ?? '', 'lib/src/own.ts'));
  });

  it.each(['--conditions=@w/source', '--no-warnings -C "@w/source"', '--conditions @w/source'])(
    'is bundled from them with NODE_OPTIONS=%s',
    async (options) => {
      expect((await run(await build(files('./src/index.ts'), options))).which).toBe('source');
    },
  );

  it('is loaded from them if they are JavaScript, and watched', async () => {
    const result = await build(files('./src/index.js'), '-C @w/source');
    expect((await run(result)).which).toBe('plain source');
    expect(result.ok && result.bundle.linked).toEqual([join(base ?? '', 'lib/src')]);
  });

  it('may import itself by its name', async () => {
    const result = await build({
      ...files('./src/self.ts'),
      'lib/src/self.ts': "export { which } from 'lib/index';",
      'lib/package.json': JSON.stringify({
        name: 'lib',
        type: 'module',
        exports: { '.': './src/self.ts', './*': './src/*.ts' },
      }),
    });
    expect((await run(result)).which).toBe('source');
  });

  it('is the built one without the condition', async () => {
    expect((await run(await build(files('./src/index.ts')))).which).toBe('built');
  });
});
