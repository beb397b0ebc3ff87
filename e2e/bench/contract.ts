// What the contract file of `fw generate` costs an app as it starts: `npx tsx contract.ts [--rounds 9] [--beside
// ../other-checkout]`. The size of the file; and in a new process per round the time to parse it, to read it by
// `loadContract`, to seal the registry and to make all types. With `--beside`, another checkout of fw, which is built,
// takes turns with this one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkout, makeProject } from './generator-project.js';
import { interleave, median, printTable } from './measure.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, beside: { type: 'string' } },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const kindOf = (i: number) => (i % 2 === 0 ? 'query' : 'mutation');

/** A procedure of an app: an input with a filter, and a page of an exported entity with parts without a name. */
const procedure = (i: number) => `
export interface Entity${i} {
  /** Assigned by the server. */
  id: string; name: string; price: number; stock: number; tags: string[]; createdAt: Date; changedAt: Date | null;
  state: 'draft' | 'open' | 'closed' | 'state${i}'; owner: { id: string; name: string; email: string };
  address?: { street: string; city: string; zip: string; country: string };
}
rpc.${kindOf(i)}('entity${i}.find', async (
  input: { id?: string; text?: string; page: { offset: number; limit: number }; sort: 'name' | 'price'; field${i}?: number },
): Promise<{ found: Entity${i}[]; first: Entity${i} | null; history: { at: Date; by: { id: string; name: string; email: string } }[]; count: number }> =>
  ({ found: [], first: null, history: [], count: Object.keys(input).length }));`;

/** A project whose contract is written by the checkout. */
function project(fw: string, count: number): string {
  const directory = makeProject(out, fw, [], {
    'src/rpc.ts': `import { RpcRegistry } from 'fw/rpc';\nexport const rpc = new RpcRegistry();\n${range(count).map(procedure).join('\n')}\n`,
    'load.js': loader(count),
  });
  const args = [join(fw, 'dist/cli/main.js'), 'generate', '-o', 'client.ts'];
  execFileSync(process.execPath, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  return directory;
}

/** A program that prints the milliseconds of each step. */
const loader = (count: number) => `
import { readFileSync } from 'node:fs';
import { RpcRegistry } from 'fw/rpc';
console.warn = () => {};
const text = readFileSync('src/rpc-contract.json', 'utf8');
const rpc = new RpcRegistry();
const took = [];
let began = performance.now();
const step = () => { const now = performance.now(); took.push(now - began); began = performance.now(); };
const contract = JSON.parse(text); step();
rpc.loadContract(contract); step();
for (let i = 0; i < ${count}; i++) rpc[i % 2 === 0 ? 'query' : 'mutation']('entity' + i + '.find', () => null);
step();
await rpc.call('entity0.find', { page: { offset: 0, limit: 1 }, sort: 'name' }); step();
rpc.types(); step();
console.log(JSON.stringify(took));`;

function load(directory: string): number[] {
  const text = execFileSync(process.execPath, ['load.js'], { cwd: directory, encoding: 'utf8' });
  return JSON.parse(text) as number[];
}

const checkouts = [checkout, ...(values.beside === undefined ? [] : [resolve(values.beside)])];
const apps = new Map<string, string>();
for (const count of [50, 300, 1_000])
  for (const fw of checkouts) apps.set(`${basename(resolve(fw))}, ${count}`, project(fw, count));
const runs = await interleave([...apps.keys()], Number(values.rounds), async (name) =>
  load(apps.get(name) ?? ''),
);
const heads = ['procedures', 'KB', 'KB gzip', 'parse', 'loadContract', 'register', 'seal', 'load', 'types()'];
const rows = [...runs].map(([name, rounds]) => {
  const text = readFileSync(join(apps.get(name) ?? '', 'src/rpc-contract.json'));
  const steps = range(5).map((step) => median(rounds.map((round) => round[step] ?? Number.NaN)));
  const whole = median(rounds.map((round) => round.slice(0, 4).reduce((sum, one) => sum + one, 0)));
  const times = [...steps.slice(0, 4), whole, ...steps.slice(4)].map((one) => one.toFixed(1));
  return [name, (text.length / 1_000).toFixed(0), (gzipSync(text).length / 1_000).toFixed(0), ...times];
});
console.log('Milliseconds of a start with a contract; load is all steps before types()');
printTable(heads, rows);
