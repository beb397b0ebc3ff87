// Requests a second of fw beside node:http, Fastify, Hono and h3: `npm run requests [-- --rounds 5 --seconds 4 --only json]`.
// Needs wrk (Debian: apt-get install wrk). The server runs on core 0, wrk on core 1.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { type Figures, measureUnderLoad } from './loaded-server.js';
import { interleave, median, printTable } from './measure.js';
import { fileOf, workloads } from './servers/workloads.js';

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
    measureUnderLoad(out, contender, workload, Number(values.seconds)),
  );
  report(name, results);
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
