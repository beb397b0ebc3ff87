// Plants each fault into a copy of its template, runs the template's own fuzz test there, and says whether it failed.
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fault, faults } from './faults.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Every run of the command sends the same requests. */
const SEED = '1';
const TIMEOUT_MS = 400_000;
/** Of all planted faults, so many must be found. */
export const LEAST_FOUND = 0.8;
/** For the templates that have it beside other tests, which may find a fault too. */
const OWN = `import { fuzz } from 'fw/testing';
import { test } from 'vitest';
import { app } from './app.ts';
test('no request breaks the app', () => fuzz(app), 300_000);
`;

export interface Planted {
  readonly fault: Fault;
  /** The line of the report about it; undefined if the test passed. */
  readonly found: string | undefined;
}

/** @param atOnce how many copies are tested at the same time */
export async function findFaults(wanted: readonly Fault[], atOnce = 2): Promise<readonly Planted[]> {
  const folder = mkdtempSync(join(tmpdir(), 'fw-planted-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const results: Planted[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < wanted.length; at = next++) {
        const fault = wanted[at] as Fault;
        results[at] = { fault, found: await test(fault, join(folder, String(at))) };
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function test(fault: Fault, copy: string): Promise<string | undefined> {
  plant(fault, copy);
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--no-color', '--root', copy, '--config', join(copy, 'none.ts'), 'src/fuzz.test.ts'];
  const { isFine, all } = await output([vitest, ...args], copy);
  if (isFine) return undefined;
  const line = /^1\) (.*)$/m.exec(all)?.[1];
  if (line !== undefined) return line;
  // An error of the copy itself is not something that the fuzzer has found.
  throw new Error(`'${fault.what}' in ${fault.template} is not what broke:\n${all.slice(-3000)}`);
}

function output(args: readonly string[], cwd: string): Promise<{ isFine: boolean; all: string }> {
  const env = { ...process.env, FW_FUZZ_SEED: SEED, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, env, timeout: TIMEOUT_MS }, (error, stdout, stderr) =>
      resolve({ isFine: error === null, all: stdout + stderr }),
    );
  });
}

/** @throws Error if what is replaced is not in the file, or several times */
function plant({ template, file, from, to, what }: Fault, copy: string): void {
  const source = join(root, 'templates', template);
  mkdirSync(copy, { recursive: true });
  cpSync(source, copy, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
  });
  writeFileSync(join(copy, 'none.ts'), 'export default {};\n');
  if (!existsSync(join(copy, 'src/fuzz.test.ts'))) writeFileSync(join(copy, 'src/fuzz.test.ts'), OWN);
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(`'${what}': ${file} has the text ${parts.length - 1} times:\n${from}`);
  const imports = to.includes('readFileSync(') ? "import { readFileSync } from 'node:fs';\n" : '';
  writeFileSync(path, imports + parts.join(to));
}

/** A table of what was found. */
export function plantedText(results: readonly Planted[]): string {
  const rows = results.map(
    ({ fault, found }) => `| ${fault.template} | ${fault.what} | ${found ?? '**not found**'} |`,
  );
  const count = results.filter(({ found }) => found !== undefined).length;
  return [
    '| template | fault | what fuzz says |',
    '| --- | --- | --- |',
    ...rows,
    '',
    `${count} of ${results.length} found`,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const part = process.argv[2] ?? '';
  const results = await findFaults(
    faults.filter(({ template, what }) => `${template}: ${what}`.includes(part)),
  );
  console.log(plantedText(results));
  const found = results.filter((one) => one.found !== undefined).length;
  if (found < results.length * LEAST_FOUND) process.exitCode = 1;
}
