// When the program that writes the client runs again, and when its last client is taken: with a real build of it.
import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AbsolutePath, pathIn } from '../../framework/files/absolute-path.js';
import { makeOutDir } from '../bundle/bundle-folder.js';
import { type Bundle, Bundler } from '../bundle/bundler.js';
import { makeWorkspace } from '../dev/trial-session.js';
import type { AppError } from '../process/messages.js';
import { ClientMaker } from './client-maker.js';
import { ContractSource } from './contract.js';
import { Generation } from './generation.js';

let root: AbsolutePath;
let bundler: Bundler;
let generation: Generation;

/** Counts its runs in a file, which no watcher sees. */
const program = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { value } from './value.ts';
appendFileSync('runs', '.');
writeFileSync(process.argv[2], value + readFileSync('data.txt', 'utf8'));
`;

function path(name: string): AbsolutePath {
  return pathIn(root, name);
}

function runs(): number {
  return existsSync(path('runs')) ? readFileSync(path('runs'), 'utf8').length : 0;
}

async function save(name: string, text: string): Promise<void> {
  writeFileSync(path(name), text);
  expect(generation.concerns([path(name)])).toBe(true);
  expect(await generation.run([path(name)], true)).toMatchObject({ ok: true });
}

const client = (): string => readFileSync(path('client.ts'), 'utf8');

/** As the process of `fw generate` does it, which is started from the package. */
async function runProgram({ file }: Bundle, output: string): Promise<AppError | undefined> {
  const run = promisify(execFile)(process.execPath, [file, output], { cwd: root });
  return run.then(
    () => undefined,
    ({ message }: Error) => ({ title: message, frames: [], details: '' }),
  );
}

beforeEach(async () => {
  root = makeWorkspace({
    'src/generate-client.ts': program,
    'src/value.ts': "export const value = 'one ';\n",
    'data.txt': 'data',
  });
  const outDir = makeOutDir(root);
  const entry = path('src/generate-client.ts');
  const files = { source: path('client.ts') };
  const settings = {
    root,
    client: { entry, files },
    contract: path('src/rpc-contract.json'),
    baseUrl: undefined,
  };
  bundler = new Bundler(esbuild, root, () => entry, outDir);
  const runner = { run: runProgram, expect() {} };
  const maker = new ClientMaker(files, runner, esbuild, outDir);
  generation = new Generation(settings, bundler, new ContractSource(root, settings.contract), maker);
  expect(await generation.run([], true)).toMatchObject({ ok: true });
});

afterEach(async () => {
  await bundler.dispose();
  rmSync(root, { recursive: true, force: true });
});

describe('the program that writes the client', () => {
  it('runs again if its code has changed, and not for a comment', async () => {
    await save('src/value.ts', "// What it writes.\nexport const value = 'one ';\n");
    expect([runs(), client()]).toEqual([1, 'one data']);
    await save('src/value.ts', "export const value = 'two ';\n");
    expect([runs(), client()]).toEqual([2, 'two data']);
    await save('src/value.ts', "export const value: string = 'two ';\n");
    expect(runs()).toBe(2);
  });

  it('need not run for a client that was changed or deleted by hand to be written again', async () => {
    appendFileSync(path('client.ts'), 'by hand');
    await save('src/value.ts', "// One.\nexport const value = 'one ';\n");
    expect([runs(), client()]).toEqual([1, 'one data']);
    rmSync(path('client.ts'));
    await save('src/value.ts', "// Two.\nexport const value = 'one ';\n");
    expect([runs(), client()]).toEqual([1, 'one data']);
  });

  it('runs again if a file changed that it may read, or without a known change', async () => {
    writeFileSync(path('data.txt'), 'more');
    expect(generation.concerns([path('data.txt')])).toBe(false);
    await save('src/value.ts', "// One.\nexport const value = 'one ';\n");
    expect([runs(), client()]).toEqual([2, 'one more']);
    await generation.run([], true);
    expect(runs()).toBe(3);
  });

  it('runs again after it has failed', async () => {
    writeFileSync(path('data.txt'), 'later');
    writeFileSync(path('src/value.ts'), "throw new Error('no');\nexport const value = 'one ';\n");
    expect(await generation.run([path('src/value.ts')], true)).toMatchObject({ ok: false });
    await save('src/value.ts', "export const value = 'one ';\n");
    expect([runs(), client()]).toEqual([2, 'one later']);
  });
});
