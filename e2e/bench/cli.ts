// The binary's own cost: `fw --version`, `fw --help` and `fw new` beside bare node and the peers' scaffolders.
// Run: npm run cli [-- <rounds>]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, median, printTable } from './measure.js';

const fw = here('../../dist/cli/main.js');
const createVite = here('node_modules/create-vite/index.js');
const sv = here('node_modules/sv/dist/bin.mjs');

/** Arguments of node. All scaffolders write files only: nothing is installed, no network is used. */
const commands: Record<string, string[]> = {
  'node -e 0': ['-e', '0'],
  'fw --version': [fw, '--version'],
  'sv --version': [sv, '--version'],
  'fw --help': [fw, '--help'],
  'create-vite --help': [createVite, '--help'],
  'sv --help': [sv, '--help'],
  'fw new x --no-install --no-git': [fw, 'new', 'x', '--template', 'basic', '--no-install', '--no-git'],
  'fw new x --no-install': [fw, 'new', 'x', '--template', 'basic', '--no-install'],
  'create-vite x': [createVite, 'x', '--template', 'vanilla-ts'],
  'sv create x': [
    sv,
    'create',
    'x',
    '--template',
    'minimal',
    '--types',
    'ts',
    '--no-add-ons',
    '--no-install',
  ],
};

const targets: Record<string, string> = {
  'fw --version': 'node + 10 ms',
  'fw --help': 'node + 20 ms',
  'fw new x --no-install': '150 ms',
};

if (!existsSync(fw)) throw new Error('dist/ is missing; run npm run build in the repository first');
const rounds = Number(process.argv[2] ?? 31);
const times = await interleave(Object.keys(commands), rounds, async (name) => timeOf(commands[name] ?? []));
const medians = new Map([...times].map(([name, values]) => [name, median(values)]));
const bare = medians.get('node -e 0') ?? Number.NaN;

console.log(`Medians of ${rounds} interleaved rounds, Node ${process.versions.node}\n`);
printTable(
  ['command', 'median ms', 'over node ms', 'times node', 'target'],
  [...medians].map(([name, value]) => [
    name,
    value.toFixed(1),
    (value - bare).toFixed(1),
    (value / bare).toFixed(2),
    targets[name] ?? '',
  ]),
);

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** Milliseconds from start to end of the process, in an empty directory. */
function timeOf(args: readonly string[]): number {
  const cwd = mkdtempSync(join(tmpdir(), 'fw-bench-'));
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  const elapsed = performance.now() - start;
  rmSync(cwd, { recursive: true });
  if (status !== 0) throw new Error(`node ${args.join(' ')} exited with ${status}:\n${stderr}`);
  return elapsed;
}
