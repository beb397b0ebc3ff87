// Every TypeScript example of these pages compiles, and runs to its end without an error.
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const docs = fileURLToPath(new URL('.', import.meta.url));
const checkout = join(docs, '../..');
const dir = mkdtempSync(join(tmpdir(), 'fw-docs-'));
const sources = {
  fw: join(checkout, 'framework/index.ts'),
  'fw/client-gen': join(checkout, 'framework/client-gen/index.ts'),
  'fw/compression': join(checkout, 'framework/compression/index.ts'),
  'fw/middleware': join(checkout, 'framework/middleware/index.ts'),
  'fw/rpc': join(checkout, 'framework/rpc/index.ts'),
  'fw/testing': join(checkout, 'framework/testing/index.ts'),
  'fw/tracing': join(checkout, 'framework/tracing/index.ts'),
};

interface Example {
  /** Page and line, which is the file's name too: `routing.md-12`. */
  readonly name: string;
  readonly runs: boolean;
}

const examples = readdirSync(docs)
  .filter((page) => page.endsWith('.md'))
  .flatMap(extract);

/** Writes the examples of a page as files of their own, with the line numbers that they have in the page. */
function extract(page: string): Example[] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/^```ts( no-run)?\n(.*?)^```$/gms)].map(({ 1: noRun, 2: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length;
    const name = `${page}-${line}`;
    writeFileSync(join(dir, `${name}.ts`), '\n'.repeat(line) + code);
    return { name, runs: noRun === undefined };
  });
}

function run(file: string, args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd: dir, timeout: 15_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), output: stdout + stderr }),
    );
  });
}

beforeAll(async () => {
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }');
  // What an app has installed itself.
  mkdirSync(join(dir, 'node_modules'));
  mkdirSync(join(dir, 'node_modules/@types'));
  for (const name of ['zod', 'helmet', 'morgan', '@types/morgan']) {
    symlinkSync(join(checkout, 'node_modules', name), join(dir, 'node_modules', name));
  }
  const { compilerOptions } = JSON.parse(readFileSync(join(checkout, 'tsconfig.json'), 'utf8'));
  const paths = Object.fromEntries(Object.entries(sources).map(([name, file]) => [name, [file]]));
  const typeRoots = [join(checkout, 'node_modules/@types')];
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({
      // An app needs no types on what it exports.
      compilerOptions: {
        ...compilerOptions,
        paths,
        typeRoots,
        declaration: false,
        isolatedDeclarations: false,
      },
      include: ['*.ts'],
    }),
  );
  await build({
    entryPoints: examples.filter(({ runs }) => runs).map(({ name }) => join(dir, `${name}.ts`)),
    outdir: dir,
    outExtension: { '.js': '.mjs' },
    alias: sources,
    bundle: true,
    splitting: true,
    sourcemap: 'inline',
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the examples of the pages', { timeout: 20_000 }, () => {
  it('compile', async () => {
    const tsc = join(checkout, 'node_modules/typescript/bin/tsc');
    expect((await run(process.execPath, [tsc, '-p', dir])).output).toBe('');
  });

  it.concurrent.each(examples.filter(({ runs }) => runs))('$name runs', async ({ name }) => {
    const { code, output } = await run(process.execPath, ['--enable-source-maps', `${name}.mjs`]);
    expect(code, output).toBe(0);
  });
});
