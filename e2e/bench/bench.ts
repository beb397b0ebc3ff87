// The whole bench in one command: `npm run bench [-- --quick] [-- --only json,post --rounds 5 --seconds 4]`. Requests a
// second, p99 and memory under load beside all peers, JSON-RPC beside tRPC and oRPC, WebSocket, router, start, size, and
// the memory of connections, sessions and rate limits; written to results/ as Markdown, JSON and SVG. Needs Linux, two
// cores and Debian's wrk; some twenty minutes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { type Figures, measureUnderLoad } from './loaded-server.js';
import { interleave } from './measure.js';
import { plotResults, writeMarkdown } from './report.js';
import type { Series } from './series.js';
import { fileOf, type Workload, workloads } from './servers/workloads.js';
import { installedSizes } from './size.js';

const { values } = parseArgs({
  options: {
    /** To see that everything works: the numbers are worth nothing, and are not written to results/ but to `out`. */
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    out: { type: 'string' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = Number(values.seconds ?? (values.quick ? 1 : 2));
const results = join(here, 'results');
const folder = values.out ?? (values.quick ? join(here, '.servers-quick') : results);
/** Processors' worth of other load from which on a round is repeated, and how often. */
const DISTURBED = 0.1;
const REPETITIONS = 4;
const peers = ['node-http', 'fw', 'fastify', 'hono', 'h3', 'elysia', 'koa', 'express'];
const parts = ['router', 'start', 'echo', 'fan-out', 'memory', 'store-memory'] as const;

const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
mkdirSync(folder, { recursive: true });
const files = join(out, 'files');
mkdirSync(files);
for (const name of ['1k.txt', '100k.txt']) writeFileSync(join(files, name), fileOf(name));
await bundleServers(out);

const isAsked = (name: string) => values.only === undefined || values.only.split(',').includes(name);
const began = performance.now();
const series: Series[] = [];
for (const [name, workload] of Object.entries(workloads)) {
  if (isAsked(name)) series.push(...(await measureRequests(name, workload)));
  console.log(`${name}: ${Math.round((performance.now() - began) / 1000)} s so far`);
}
for (const part of parts) {
  if (isAsked(part)) series.push(...runPart(part));
  console.log(`${part}: ${Math.round((performance.now() - began) / 1000)} s so far`);
}
if (isAsked('size')) series.push(...installedSizes());

const about = {
  node: process.version,
  processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  date: new Date().toISOString().slice(0, 10),
  rounds,
  seconds,
  minutes: Math.round((performance.now() - began) / 60_000),
};
writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ about, series }, undefined, 1)}\n`);
writeFileSync(join(folder, 'results.md'), writeMarkdown(about, series));
for (const [name, svg] of Object.entries(plotResults(series))) {
  writeFileSync(join(folder, `${name}.svg`), svg);
  // The README shows these two, and is read where the benches are not: in the package.
  if (folder === results && (name === 'requests' || name === 'rpc'))
    writeFileSync(join(here, `../../framework/docs/pictures/bench-${name}.svg`), svg);
}
console.log(`written to ${folder}`);

async function measureRequests(name: string, workload: Workload): Promise<Series[]> {
  const disturbed: Record<string, number> = {};
  const measure = async (contender: string): Promise<Figures> => {
    const figures = await undisturbed(contender, workload);
    if (figures.others > DISTURBED) disturbed[contender] = (disturbed[contender] ?? 0) + 1;
    return figures;
  };
  // Every server is a new process that is warmed by itself.
  const results = await interleave(workload.contenders ?? peers, rounds, measure, 0);
  const pick = (title: string, unit: string, better: 'more' | 'less', what: keyof Figures): Series => ({
    name: title,
    unit,
    better,
    base: 'node-http',
    rounds: Object.fromEntries([...results].map(([one, of]) => [one, of.map((figures) => figures[what])])),
    disturbed,
  });
  return [
    pick(name, 'requests/s', 'more', 'perSecond'),
    pick(`${name}, p99`, 'ms', 'less', 'p99Ms'),
    pick(`${name}, resident memory`, 'MB', 'less', 'residentMb'),
  ];
}

/** The repetition with the least other load, if all of them were disturbed. */
async function undisturbed(contender: string, workload: Workload): Promise<Figures> {
  let best = await measureUnderLoad(out, contender, workload, seconds);
  for (let i = 0; i < REPETITIONS && best.others > DISTURBED && !values.quick; i++) {
    const again = await measureUnderLoad(out, contender, workload, seconds);
    if (again.others < best.others) best = again;
  }
  return best;
}

function runPart(part: (typeof parts)[number]): Series[] {
  const json = join(out, `${part}.json`);
  const script = part === 'start' ? 'cold-start.ts' : `${part}.ts`;
  const own = {
    router: [],
    start: [],
    echo: ['--seconds', String(seconds)],
    'fan-out': ['--seconds', String(seconds)],
    // The keys of a rate limit have peers in store-memory, which takes less long.
    memory: ['--only', 'idle,paused,aborted'],
    'store-memory': ['--count', values.quick ? '2000' : '20000'],
  }[part];
  // Memory differs little from round to round.
  const times = part.endsWith('memory') ? Math.min(rounds, 2) : rounds;
  const args = ['--import', 'tsx', script, '--json', json, '--rounds', String(times), ...own];
  execFileSync(process.execPath, args, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  return JSON.parse(readFileSync(json, 'utf8')) as Series[];
}
