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
import { bundleSizes } from './bundle-size.js';
import { clientSizes } from './client-size.js';
import { withFigures } from './comparison.js';
import { bundleServers } from './contenders.js';
import { measureUnderLoad } from './loaded-server.js';
import { plotResults, writeMarkdown } from './report.js';
import { measureRow } from './request-rows.js';
import type { Series } from './series.js';
import { fileOf, type Workload, workloads } from './servers/workloads.js';
import { installedSizes } from './size.js';

const { values } = parseArgs({
  options: {
    /** To see that everything works: the numbers are worth nothing. */
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    /** results/ for the whole bench, else `.servers-results`, which is not committed. */
    out: { type: 'string' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
const seconds = Number(values.seconds ?? (values.quick ? 1 : 2));
const results = join(here, 'results');
/** Only the whole bench renews what is committed. */
const isWhole = !values.quick && values.only === undefined;
const folder = values.out ?? (isWhole ? results : join(here, '.servers-results'));
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
const failures = series
  .filter(({ unit }) => unit === 'requests/s')
  .flatMap(({ name, failed = {} }) =>
    Object.entries(failed).map(([contender, why]) => `${name}: ${contender}: ${why}`),
  );
for (const part of parts) {
  if (isAsked(part)) {
    try {
      series.push(...runPart(part));
    } catch (error) {
      // What was measured before it is written nevertheless. The part has said on stderr what is wrong.
      failures.push(`${part}: ${error instanceof Error ? error.message : error}`);
    }
  }
  console.log(`${part}: ${Math.round((performance.now() - began) / 1000)} s so far`);
}
if (isAsked('size')) series.push(...installedSizes(), bundleSizes(), ...clientSizes());

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
  // The comparison shows these two, and is read where the benches are not: in the package.
  if (folder === results && (name === 'requests' || name === 'rpc'))
    writeFileSync(join(here, `../../framework/docs/pictures/bench-${name}.svg`), svg);
}
if (folder === results) {
  const page = join(here, '../../framework/docs/comparison.md');
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), series));
}
console.log(`written to ${folder}`);
for (const failure of failures) console.error(`failed: ${failure}`);
if (failures.length > 0) process.exitCode = 1;

function measureRequests(name: string, workload: Workload): Promise<Series[]> {
  return measureRow(name, {
    contenders: workload.contenders ?? peers,
    rounds,
    isRepeated: !values.quick,
    measure: (contender) => measureUnderLoad(out, contender, workload, seconds),
  });
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
