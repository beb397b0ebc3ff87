// Requests a second on Bun beside Bun.serve, Hono and Elysia, and the processor time of one request:
// `npm run fetch-runtimes [-- --rounds 3 --slices 10 --only json --before ../../../other/dist/framework]`.
// Needs wrk (Debian: apt-get install wrk). Each round starts all servers and warms them up; then each of them gets a
// second of load in turn, many times, so that both the drift of the machine and what a compiler happened to do in one
// process even out. The server runs on core 0, wrk on core 1. With `--instructions` it counts
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
    rounds: { type: 'string', default: '3' },
    slices: { type: 'string', default: '10' },
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
    report(await measure(rounds, workload));
  }
}

interface Server {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<unknown>;
}

async function start(contender: string, workload: Workload, runner: readonly string[]): Promise<Server> {
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
  const stop = () => {
    server.kill('SIGKILL');
    return once(server, 'exit');
  };
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, pid: server.pid as number, stop };
}

async function measure(rounds: number, workload: Workload): Promise<Map<string, Figures[]>> {
  const results = new Map<string, Figures[]>(contenders.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const servers: [string, Server][] = [];
    try {
      for (const contender of contenders) {
        servers.push([contender, await start(contender, workload, ['taskset', '-c', '0'])]);
      }
      for (const [, { port }] of servers) runWrk(out, port, workload, 2);
      for (let slice = 0; slice < Number(values.slices); slice++) {
        for (const [contender, server] of servers) results.get(contender)?.push(load(server, workload));
        // Each is the first as often as the others.
        servers.push(...servers.splice(0, 1));
      }
    } finally {
      await Promise.all(servers.map(([, server]) => server.stop()));
    }
  }
  return results;
}

function load({ port, pid }: Server, workload: Workload): Figures {
  const before = cpuSeconds(pid);
  const { perSecond, requests } = runWrk(out, port, workload, 1);
  return { perSecond, cpuUs: ((cpuSeconds(pid) - before) / requests) * 1e6 };
}

/** Instructions for one request, once the compilers have done their work. */
async function count(contender: string, workload: Workload): Promise<number> {
  const dump = mkdtempSync(join(out, 'callgrind-'));
  const options = ['--smc-check=all-non-file', '--instr-atstart=no', `--callgrind-out-file=${dump}/out`];
  const control = (pid: number, ...args: string[]) =>
    execFileSync('callgrind_control', [...args, String(pid)], { stdio: 'pipe' });
  const { port, pid, stop } = await start(contender, workload, ['valgrind', '--tool=callgrind', ...options]);
  try {
    runH2load(port, workload, WARM);
    control(pid, '-i', 'on');
    runH2load(port, workload, COUNTED);
    control(pid, '-d');
    const totals = readdirSync(dump).map((name) =>
      Number(/^(?:totals|summary): (\d+)/m.exec(readFileSync(join(dump, name), 'utf8'))?.[1] ?? 0),
    );
    return Math.max(...totals) / COUNTED;
  } finally {
    await stop();
  }
}

function runH2load(port: number, { path, body }: Workload, requests: number): void {
  const data = join(out, 'body.json');
  if (body !== undefined) writeFileSync(data, body);
  const post = body === undefined ? [] : ['-d', data, '-H', 'Content-Type: application/json'];
  const args = ['--h1', '-n', String(requests), '-c', '8', ...post, `http://127.0.0.1:${port}${path}`];
  const output = execFileSync('h2load', args, { encoding: 'utf8' });
  if (!output.includes(`${requests} succeeded`)) throw new Error(`h2load:\n${output}`);
}

/** User and system time of all threads of a process since they started; the system counts them in nanoseconds. */
function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
  return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e9;
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
