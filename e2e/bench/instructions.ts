// Instructions in user space for each request, counted by callgrind: other load on the machine does not change them.
// `npm run instructions [-- --only post --before ../../../other/dist/framework --repeat 3]`. Needs Debian's valgrind and
// nghttp2-client (h2load). Kernel work is not in it; when the compiler optimises is, so that the lowest run counts.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers, verify } from './contenders.js';
import { printTable } from './measure.js';
import { fileOf, type Workload, workloads } from './servers/workloads.js';

const WARM = 30_000;
const COUNTED = 3_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'json,param,post,chain,rpc-single,rpc-batch,static-1k' },
    contenders: { type: 'string', default: 'node-http,fw' },
    before: { type: 'string' },
    repeat: { type: 'string', default: '1' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

/** By contender: the folder that its compiled server lies in. */
const folders = new Map<string, string>();
await bundleServers(join(out, 'now'));
const contenders = values.contenders.split(',');
for (const name of contenders) folders.set(name, join(out, 'now'));
if (values.before !== undefined) {
  await bundleServers(join(out, 'before'), resolve(values.before));
  folders.set('before', join(out, 'before'));
  contenders.push('before');
}
const files = join(out, 'files');
mkdirSync(files);
for (const name of ['1k.txt', '100k.txt']) writeFileSync(join(files, name), fileOf(name));

const rows: string[][] = [];
for (const name of values.only.split(',')) {
  const workload = workloads[name];
  if (workload === undefined)
    throw new Error(`no workload '${name}'; there are ${Object.keys(workloads).join()}`);
  const lowest = new Map<string, number>();
  for (let run = 0; run < Number(values.repeat); run++) {
    for (const contender of contenders) {
      const count = await measure(contender, workload);
      lowest.set(contender, Math.min(count, lowest.get(contender) ?? Number.POSITIVE_INFINITY));
    }
  }
  const base = lowest.get('node-http') ?? lowest.get('before') ?? Number.NaN;
  rows.push([
    name,
    ...contenders
      .map((one) => Math.round((lowest.get(one) ?? Number.NaN) / 100) / 10)
      .map((thousands) => `${thousands} k`),
    ...contenders.map((one) => (base / (lowest.get(one) ?? Number.NaN)).toFixed(3)),
  ]);
  console.log(rows.at(-1)?.join('  '));
}
const base = contenders.includes('node-http') ? 'node-http' : 'before';
printTable(['', ...contenders, ...contenders.map((one) => `${base} ÷ ${one}`)], rows);

/** Instructions for one request. */
async function measure(contender: string, workload: Workload): Promise<number> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const folder = folders.get(contender) ?? out;
  const file = join(folder, `${contender === 'before' ? 'fw' : contender}.mjs`);
  const dump = join(folder, `callgrind.${port}`);
  const tool = [
    '--tool=callgrind',
    '--smc-check=all-non-file',
    '--instr-atstart=no',
    `--callgrind-out-file=${dump}`,
  ];
  const server = spawn(
    'valgrind',
    [...tool, process.execPath, '--single-threaded', '--single-threaded-gc', file],
    { env: { ...process.env, PORT: String(port), FILES: files }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const control = (...args: string[]) => execFileSync('callgrind_control', [...args, String(server.pid)]);
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
    load(port, workload, WARM);
    control('-i', 'on');
    load(port, workload, COUNTED);
    control('-d');
    return readTotal(folder, dump) / COUNTED;
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function load(port: number, { path, body }: Workload, requests: number): void {
  const data = join(out, 'body.json');
  if (body !== undefined) writeFileSync(data, body);
  const post = body === undefined ? [] : ['-d', data, '-H', 'Content-Type: application/json'];
  const args = ['--h1', '-n', String(requests), '-c', '8', ...post, `http://127.0.0.1:${port}${path}`];
  const output = execFileSync('h2load', args, { encoding: 'utf8' });
  if (!output.includes(`${requests} succeeded`)) throw new Error(`h2load:\n${output}`);
}

/** callgrind numbers its dumps; each ends with a line of totals. */
function readTotal(folder: string, dump: string): number {
  const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(`${dump}.`));
  const totals = names.map(
    (name) => /^(?:totals|summary): (\d+)/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1],
  );
  return Math.max(...totals.map(Number));
}
