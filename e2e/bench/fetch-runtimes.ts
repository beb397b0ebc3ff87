// Requests a second on Bun beside Bun.serve, Hono and Elysia, and the processor time of one request:
// `npm run fetch-runtimes [-- --rounds 7 --seconds 3 --only json --before ../../../other/dist/framework]`.
// Needs wrk (Debian: apt-get install wrk). The server runs on core 0, wrk on core 1.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers, verify } from './contenders.js';
import { interleave, median, printTable } from './measure.js';
import { type Workload, workloads } from './servers/workloads.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'hello,json,param,post' },
    contenders: { type: 'string', default: 'bun-bare,bun-fw,bun-fw-bare,bun-hono,bun-elysia' },
    before: { type: 'string' },
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
  report(
    name,
    await interleave(contenders, Number(values.rounds), (contender) => measure(contender, workload)),
  );
}

async function measure(contender: string, workload: Workload): Promise<Figures> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const isBefore = contender === 'before';
  const file = join(out, isBefore ? 'before/bun-fw.mjs' : `now/${contender.replace('-fw-bare', '-fw')}.mjs`);
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DEFAULTS: contender === 'bun-fw-bare' ? 'none' : '',
  };
  const server = spawn('taskset', ['-c', '0', bun, file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(server.stdout, 'data');
    await verify(contender, port, workload);
    runWrk(port, workload, 1);
    const before = cpuSeconds(server.pid as number);
    const { perSecond, requests } = runWrk(port, workload, Number(values.seconds));
    return { perSecond, cpuUs: ((cpuSeconds(server.pid as number) - before) / requests) * 1e6 };
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function runWrk(
  port: number,
  { body, path }: Workload,
  seconds: number,
): { perSecond: number; requests: number } {
  const script = join(out, 'wrk.lua');
  const post = `wrk.method = "POST"\nwrk.body = ${JSON.stringify(body)}\nwrk.headers["Content-Type"] = "application/json"\n`;
  writeFileSync(script, body === undefined ? '' : post);
  const args = ['-c', '1', 'wrk', '-t1', '-c64', `-d${seconds}s`, '-s', script];
  const output = execFileSync('taskset', [...args, `http://127.0.0.1:${port}${path}`], { encoding: 'utf8' });
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(`errors under load:\n${output}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
    requests: Number(/(\d+) requests in/.exec(output)?.[1]),
  };
}

/** User and system time of a process since it started. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function report(name: string, results: Map<string, Figures[]>): void {
  const fw = results.get('bun-fw') ?? [];
  const ratio = (of: Figures[], pick: (figures: Figures) => number) =>
    of.map((figures, round) => pick(figures) / pick(fw[round] as Figures));
  console.log(`\n${name}: ${workloads[name]?.method} ${workloads[name]?.path}`);
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
