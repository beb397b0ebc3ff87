// Requests a second on Bun beside Bun.serve, Hono and Elysia, and the processor time of one request:
// `npm run fetch-runtimes [-- --rounds 7 --seconds 3 --only json --before ../../../other/dist/framework]`.
// Needs wrk (Debian: apt-get install wrk). The server runs on core 0, wrk on core 1. With `--instructions` it counts
// instructions in user space by callgrind instead, which other load does not change (valgrind, nghttp2-client).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers, verify } from './contenders.js';
import { interleave, median, printTable } from './measure.js';
import { type Workload, workloads } from './servers/workloads.js';
import { runWrk } from './wrk.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'hello,json,param,post' },
    contenders: { type: 'string', default: 'bun-bare,bun-fw,bun-fw-fetch,bun-hono,bun-elysia' },
    before: { type: 'string' },
    instructions: { type: 'boolean', default: false },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const bun = join(
  dirname(createRequire(import.meta.url).resolve('@oven/bun-linux-x64/package.json')),
  'bin/bun',
);
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
/** `getconf CLK_TCK` of every Linux: the unit of processor time in /proc. */
const TICKS_PER_SECOND = 100;
const WARM = 60_000;
const COUNTED = 5_000;

interface Figures {
  readonly perSecond: number;
  /** Processor time of the server for one request, in microseconds. */
  readonly cpuUs: number;
}

const names = ['bun-bare', 'bun-fw', 'bun-hono', 'bun-elysia'];
await bundleServers(join(out, 'now'), undefined, names);
const contenders = values.contenders.split(',');
if (values.before !== undefined) {
  await bundleServers(join(out, 'before'), resolve(values.before), ['bun-fw']);
  contenders.push('before');
}
for (const name of values.only.split(',')) {
  const workload = workloads[name];
  if (workload === undefined) throw new Error(`no workload '${name}'`);
  console.log(`\n${name}: ${workload.method} ${workload.path}`);
  const rounds = Number(values.rounds);
  if (values.instructions) {
    reportInstructions(await interleave(contenders, rounds, (contender) => count(contender, workload)));
  } else {
    report(await interleave(contenders, rounds, (contender) => measure(contender, workload)));
  }
}

/** Starts the contender, and ends it when the work with it is done. */
async function serving<Result>(
  contender: string,
  workload: Workload,
  runner: readonly string[],
  work: (port: number, pid: number) => Result,
): Promise<Result> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const name = contender === 'before' ? 'before/bun-fw' : `now/${contender.replace('-fetch', '')}`;
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    SERVE: contender === 'bun-fw-fetch' ? 'fetch' : '',
  };
  const [command = bun, ...args] = [...runner, bun, join(out, `${name}.mjs`)];
  const server = spawn(command, args, {
    env,
    stdio: ['ignore', 'pipe', values.instructions ? 'ignore' : 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
    return work(port, server.pid as number);
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function measure(contender: string, workload: Workload): Promise<Figures> {
  return serving(contender, workload, ['taskset', '-c', '0'], (port, pid) => {
    runWrk(out, port, workload, 1);
    const before = cpuSeconds(pid);
    const { perSecond, requests } = runWrk(out, port, workload, Number(values.seconds));
    return { perSecond, cpuUs: ((cpuSeconds(pid) - before) / requests) * 1e6 };
  });
}

/** Instructions for one request, once the compilers have done their work. */
function count(contender: string, workload: Workload): Promise<number> {
  const dump = mkdtempSync(join(out, 'callgrind-'));
  const options = ['--smc-check=all-non-file', '--instr-atstart=no', `--callgrind-out-file=${dump}/out`];
  const control = (pid: number, ...args: string[]) =>
    execFileSync('callgrind_control', [...args, String(pid)], { stdio: 'pipe' });
  return serving(contender, workload, ['valgrind', '--tool=callgrind', ...options], (port, pid) => {
    runH2load(port, workload, WARM);
    control(pid, '-i', 'on');
    runH2load(port, workload, COUNTED);
    control(pid, '-d');
    const totals = readdirSync(dump).map((name) =>
      Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(join(dump, name), 'utf8'))?.[1] ?? 0),
    );
    return Math.max(...totals) / COUNTED;
  });
}

function runH2load(port: number, { path, body }: Workload, requests: number): void {
  const data = join(out, 'body.json');
  if (body !== undefined) writeFileSync(data, body);
  const post = body === undefined ? [] : ['-d', data, '-H', 'Content-Type: application/json'];
  const args = ['--h1', '-n', String(requests), '-c', '8', ...post, `http://127.0.0.1:${port}${path}`];
  const output = execFileSync('h2load', args, { encoding: 'utf8' });
  if (!output.includes(`${requests} succeeded`)) throw new Error(`h2load:\n${output}`);
}

/** User and system time of a process since it started. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function report(results: Map<string, Figures[]>): void {
  const fw = results.get('bun-fw') ?? [];
  const ratio = (of: Figures[], pick: (figures: Figures) => number) =>
    of.map((figures, round) => pick(figures) / pick(fw[round] as Figures));
  printTable(
    ['', 'requests/s', '÷ fw', 'lowest', 'highest', 'CPU µs', '÷ fw'],
    [...results].map(([contender, of]) => {
      const rates = ratio(of, ({ perSecond }) => perSecond);
      return [
        contender,
        Math.round(median(of.map(({ perSecond }) => perSecond))).toLocaleString('en'),
        median(rates).toFixed(2),
        Math.min(...rates).toFixed(2),
        Math.max(...rates).toFixed(2),
        median(of.map(({ cpuUs }) => cpuUs)).toFixed(2),
        median(ratio(of, ({ cpuUs }) => cpuUs)).toFixed(2),
      ];
    }),
  );
}

function reportInstructions(results: Map<string, number[]>): void {
  const fw = median(results.get('bun-fw') ?? []);
  printTable(
    ['', 'instructions', 'lowest', 'highest', '÷ fw'],
    [...results].map(([contender, of]) => [
      contender,
      ...[median(of), Math.min(...of), Math.max(...of)].map((one) => `${(one / 1_000).toFixed(1)} k`),
      (median(of) / fw).toFixed(2),
    ]),
  );
}
