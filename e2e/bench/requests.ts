// Requests a second of fw beside node:http, Fastify, Hono and h3: `npm run requests [-- --rounds 5 --seconds 4 --only json]`.
// Needs wrk (Debian: apt-get install wrk). The server runs on core 0, wrk on core 1.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers, verify } from './contenders.js';
import { interleave, median, printTable } from './measure.js';
import { fileOf, type Workload, workloads } from './servers/workloads.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const contenders = ['node-http', 'fw', 'fw-bare', 'fastify', 'hono', 'h3'];
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly residentMb: number;
}

await bundleServers(out);
const files = join(out, 'files');
mkdirSync(files);
for (const name of ['1k.txt', '100k.txt']) writeFileSync(join(files, name), fileOf(name));
const chosen = Object.entries(workloads).filter(
  ([name]) => !values.only || values.only.split(',').includes(name),
);
for (const [name, workload] of chosen) {
  const taking = workload.contenders ?? contenders;
  const results = await interleave(taking, Number(values.rounds), (contender) =>
    measure(contender, workload),
  );
  report(name, results);
}

async function measure(contender: string, workload: Workload): Promise<Figures> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const file = join(out, `${contender.replace('-bare', '')}.mjs`);
  const env = {
    ...process.env,
    PORT: String(port),
    DEFAULTS: contender === 'fw-bare' ? 'none' : '',
    FILES: files,
  };
  const server = spawn('taskset', ['-c', '0', process.execPath, file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
    runWrk(port, workload, 1);
    const output = runWrk(port, workload, Number(values.seconds));
    return { ...readWrk(output), residentMb: residentMb(server) };
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function runWrk(port: number, workload: Workload, seconds: number): string {
  const script = join(tmpdir(), `fw-bench-${process.pid}.lua`);
  writeFileSync(
    script,
    workload.body === undefined
      ? ''
      : `wrk.method = "POST"\nwrk.body = ${JSON.stringify(workload.body)}\nwrk.headers["Content-Type"] = "application/json"\n`,
  );
  const args = ['-c', '1', 'wrk', '-t1', '-c64', `-d${seconds}s`, '--latency', '-s', script];
  return execFileSync('taskset', [...args, `http://127.0.0.1:${port}${workload.path}`], { encoding: 'utf8' });
}

function readWrk(output: string): Omit<Figures, 'residentMb'> {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`errors under load:\n${output}`);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  const [, amount, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  return { perSecond: Number(perSecond), p99Ms: Number(amount) * scale };
}

function residentMb(server: ChildProcess): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

function report(name: string, results: Map<string, Figures[]>): void {
  const base = results.get('node-http') as Figures[];
  const ratio = (of: Figures[], pick: (figures: Figures) => number) =>
    median(of.map((figures, round) => pick(figures) / pick(base[round] as Figures)));
  console.log(`\n${name}: ${workloads[name]?.method} ${workloads[name]?.path}`);
  printTable(
    ['', 'requests/s', '÷ node:http', 'p99 ms', '÷ node:http', 'RSS MB'],
    [...results].map(([contender, of]) => [
      contender,
      Math.round(median(of.map((figures) => figures.perSecond))).toLocaleString('en'),
      ratio(of, (figures) => figures.perSecond).toFixed(2),
      median(of.map((figures) => figures.p99Ms)).toFixed(2),
      ratio(of, (figures) => figures.p99Ms).toFixed(2),
      median(of.map((figures) => figures.residentMb)).toFixed(1),
    ]),
  );
}
