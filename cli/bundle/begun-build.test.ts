// A build that begins at the first sign of a save: its result is used only if nothing was written since.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeProject } from '../dev/trial-app.js';
import { type BuildResult, Bundler } from './bundler.js';

let root: AbsolutePath;
let bundler: Bundler;
/** How often esbuild was asked. */
let builds: number;
/** What runs while esbuild builds. */
let meanwhile: () => void;

const counting: typeof esbuild = {
  ...esbuild,
  context: (async (options: esbuild.BuildOptions) => {
    const context = await esbuild.context(options);
    const rebuild = async () => {
      builds += 1;
      const result = context.rebuild();
      meanwhile();
      return result;
    };
    return { ...context, rebuild, cancel: () => context.cancel(), dispose: () => context.dispose() };
  }) as never,
};

beforeEach(async () => {
  root = makeProject({
    'src/main.ts': "import { part } from './part.js'; console.log(part);",
    'src/part.ts': "export const part = 'first';",
  });
  builds = 0;
  meanwhile = () => {};
  bundler = new Bundler(counting, root, () => path('src/main.ts'), path('node_modules/.fw'));
  await bundler.build([]);
});
afterEach(async () => {
  await bundler.dispose();
  rmSync(root, { recursive: true });
});

const path = (name: string): AbsolutePath => pathIn(root, name);

function save(name: string, text: string): AbsolutePath {
  writeFileSync(path(name), text);
  return path(name);
}

function codeOf(result: BuildResult): string {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return readFileSync(result.bundle.file, 'utf8');
}

/** The bundles that there are, each with its source map. */
function bundles(): string[] {
  const files = readdirSync(path('node_modules/.fw'));
  const found = files.filter((name) => name.endsWith('.mjs'));
  expect(files.sort()).toEqual(found.flatMap((name) => [name, `${name}.map`]).sort());
  return found;
}

it('is the result of the build if nothing else was written', async () => {
  const file = save('src/part.ts', "export const part = 'second';");
  bundler.begin(file);
  expect(codeOf(await bundler.build([file]))).toContain('second');
  expect(builds).toBe(2);
});

it.each([
  ['the same file', 'src/part.ts', ['src/part.ts']],
  ['another file', 'src/main.ts', ['src/part.ts', 'src/main.ts']],
  ['a file that nobody reports', 'src/main.ts', ['src/part.ts']],
])('is not the result, and is removed, if %s was written since', async (_what, late, reported) => {
  const file = save('src/part.ts', "export const part = 'half");
  bundler.begin(file);
  save('src/part.ts', "export const part = 'half';");
  save(late, late === 'src/part.ts' ? "export const part = 'whole';" : "console.log('whole');");
  expect(codeOf(await bundler.build(reported.map(path)))).toContain('whole');
  expect(bundles()).toHaveLength(2);
});

it('is not the result of a change of several files, which may resolve imports differently', async () => {
  const file = save('src/part.ts', "export const part = 'second';");
  bundler.begin(file);
  const other = save('src/part.js', "export const part = 'shadow';");
  expect(codeOf(await bundler.build([file, other]))).toContain('shadow');
  expect(builds).toBe(3);
});

it('is not the result if a source was written while it ran', async () => {
  meanwhile = () => {
    meanwhile = () => {};
    save('src/main.ts', "console.log('generated');");
  };
  const file = save('src/part.ts', "export const part = 'second';");
  bundler.begin(file);
  expect(codeOf(await bundler.build([file]))).toContain('generated');
});

it('is not the result if nobody has reported that a source was written since the build before', async () => {
  const file = save('src/part.ts', "export const part = 'second';");
  bundler.begin(file);
  await bundler.build([file]);
  save('src/main.ts', "console.log('unreported');");
  bundler.begin(save('src/part.ts', "export const part = 'third';"));
  expect(codeOf(await bundler.build([file]))).toContain('unreported');
  expect(builds).toBe(4);
  bundler.begin(save('src/part.ts', "export const part = 'fourth';"));
  await bundler.build([file]);
  expect(builds).toBe(5);
});

it('reports the errors of a save that does not compile', async () => {
  const file = save('src/part.ts', 'export const part = ;');
  bundler.begin(file);
  expect(await bundler.build([file])).toMatchObject({ ok: false, errors: [{ text: 'Unexpected ";"' }] });
  expect(builds).toBe(2);
});

it('is not begun for a file that is not in the bundle, or while another build runs', async () => {
  bundler.begin(save('src/other.ts', ''));
  expect(builds).toBe(1);
  const file = save('src/part.ts', "export const part = 'second';");
  const building = bundler.build([file]);
  bundler.begin(file);
  await building;
  expect(builds).toBe(2);
  save('src/part.ts', "export const part = 'third';");
  expect(codeOf(await bundler.build([file]))).toContain('third');
});

it('is removed by a reset, after which the build starts over', async () => {
  const file = save('src/part.ts', "export const part = 'second';");
  bundler.begin(file);
  await bundler.reset();
  expect(bundles()).toHaveLength(1);
  expect(codeOf(await bundler.build([file]))).toContain('second');
  expect(builds).toBe(3);
});
