// Bundles as a process imports them: what Node knows of their source maps, and whether errors are mapped.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AbsolutePath, absolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { type Bundle, Bundler } from '../bundle/bundler.js';
import { mapFileOf } from '../bundle/source-map.js';

let root: AbsolutePath;
let bundle: Bundle;

beforeAll(async () => {
  root = absolutePath(mkdtempSync(join(tmpdir(), 'fw-import-')));
  for (const folder of ['src', 'node_modules/.fw']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL('./import-bundle.ts', import.meta.url))],
    outfile: pathIn(root, 'import-bundle.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'src/main.ts'), main);
  const bundler = new Bundler(
    esbuild,
    root,
    () => pathIn(root, 'src/main.ts'),
    pathIn(root, 'node_modules/.fw'),
  );
  const result = await bundler.build([]);
  await bundler.dispose();
  if (!result.ok) throw new Error('the bundle was not built');
  bundle = result.bundle;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Prints where its first statement and a function of it throw, and what Node knows of its source map. */
const main = `interface OnlyATypeThatIsNotInTheBundle { readonly a: string }
import { findSourceMap } from 'node:module';
const place = (error: unknown) => /src.main\\.ts:\\d+/.exec((error as Error).stack ?? '')?.[0];
const first = place(new Error());
Object.assign(globalThis, {
  report() {
    const map = findSourceMap(process.argv[2] ?? '') as unknown as { lineLengths: number[] };
    console.log(JSON.stringify([first, place(new Error()), map.lineLengths.length]));
  },
});
`;

/** Runs a program, which has `importBundle` and the name of the bundle, and returns what it prints. */
function run(program: string, ...flags: string[]): unknown {
  const file = pathIn(root, 'run.mjs');
  writeFileSync(
    file,
    `import { importBundle } from './import-bundle.mjs';
const bundle = ${JSON.stringify(bundle.file)};
${program}`,
  );
  const args = ['--enable-source-maps', ...flags, file, pathToFileURL(bundle.file).href];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

const places = [join('src', 'main.ts:4'), join('src', 'main.ts:8')];

/** Where errors of the bundle are, and how many lines Node has measured. */
function report(packages: readonly string[], ...flags: string[]): unknown[] {
  const program = `await importBundle({ bundle, packages: ${JSON.stringify(packages)} }, ['zod']); report();`;
  return run(program, ...flags) as unknown[];
}

it('maps errors to the sources, and does not let Node measure the lines', () => {
  // Those of the two comments.
  expect(report(['zod'])).toEqual([...places, 2]);
});

it.each([
  ['while packages are loaded, which may have some too', ['zod', 'pino'], undefined],
  ['under a debugger', ['zod'], '--inspect=127.0.0.1:0'],
  ['if that evaluates no strings', ['zod'], '--disallow-code-generation-from-strings'],
])('leaves the source map to Node %s', (_when, packages, flag) => {
  const [first, later, lines] = report(packages, ...(flag ? [flag] : []));
  expect([first, later]).toEqual(places);
  expect(lines).toBeGreaterThan(5);
});

it('imports a module without a source map as it is', () => {
  const plain = pathIn(root, 'plain.mjs');
  writeFileSync(plain, 'globalThis.isMapped = process.sourceMapsEnabled;');
  expect(
    run(
      `await importBundle({ bundle: ${JSON.stringify(plain)}, packages: [] }, []); console.log(globalThis.isMapped);`,
    ),
  ).toBe(true);
});

it('switches source maps on again if the bundle cannot be linked', () => {
  const text = `import { missing } from './empty.mjs'; missing();\n`;
  writeFileSync(join(root, 'empty.mjs'), '');
  const unlinked = pathIn(root, 'unlinked.mjs');
  writeFileSync(unlinked, text);
  writeFileSync(mapFileOf(unlinked), '{}');
  const [failed, later] = run(`let failed;
try { await importBundle({ bundle: ${JSON.stringify(unlinked)}, packages: [] }, []); } catch (error) { failed = error.name; }
console.log(JSON.stringify([failed, process.sourceMapsEnabled]));`) as [string, boolean];
  expect([failed, later]).toEqual(['SyntaxError', true]);
});
