// Instructions in user space and bytes allocated for each request: other load on the machine does not change them.
// `npm run instructions [-- --only post --before ../../../other/dist/framework --repeat 3 --json counts.json]`. Needs
// Debian's valgrind and nghttp2-client (h2load). The work of the kernel and of the garbage collector is not in it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { printTable } from './measure.js';
import { fileOf, type Workload, workloads } from './servers/workloads.js';
import { type Cost, measureCost } from './settled-server.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: 'json,param,post,chain,rpc-single,rpc-batch,static-1k' },
    contenders: { type: 'string', default: 'node-http,fw' },
    before: { type: 'string' },
    repeat: { type: 'string', default: '1' },
    /** Servers that run at once, for each of which there should be a processor. */
    parallel: { type: 'string', default: '2' },
    /** A file for the counts of every run: `{ [workload]: { [contender]: { instructions, bytes }[] } }`. */
    json: { type: 'string' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

/** By contender: its compiled server. */
const servers = new Map<string, string>();
const contenders = values.contenders.split(',');
await bundleServers(join(out, 'now'), undefined, [...new Set([...contenders, 'fw'])]);
for (const name of contenders) servers.set(name, join(out, 'now', `${name}.mjs`));
if (values.before !== undefined) {
  await bundleServers(join(out, 'before'), resolve(values.before), ['fw']);
  servers.set('before', join(out, 'before', 'fw.mjs'));
  contenders.push('before');
}
const files = join(out, 'files');
mkdirSync(files);
for (const name of ['1k.txt', '100k.txt']) writeFileSync(join(files, name), fileOf(name));

const chosen = values.only.split(',').map((name): [string, Workload] => {
  const workload = workloads[name];
  if (workload === undefined)
    throw new Error(`no workload '${name}'; there are ${Object.keys(workloads).join()}`);
  return [name, workload];
});
const counts: Record<string, Record<string, Cost[]>> = {};
const runs = Array.from({ length: Number(values.repeat) }, () => chosen)
  .flat()
  .flatMap(([name, workload]) => contenders.map((contender) => ({ name, workload, contender })));
/** Taken in turn by as many takers as servers may run at once. */
const waiting = runs.values();
await Promise.all(
  Array.from({ length: Number(values.parallel) }, async () => {
    for (const { name, workload, contender } of waiting) {
      const cost = await measureCost(contender, servers.get(contender) ?? '', workload, { FILES: files });
      counts[name] ??= {};
      counts[name][contender] ??= [];
      counts[name][contender].push(cost);
    }
  }),
);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(counts, undefined, 2));

const base = contenders.includes('node-http') ? 'node-http' : (contenders[0] as string);
const lowest = (name: string, contender: string, what: keyof Cost) =>
  Math.min(...(counts[name]?.[contender] ?? []).map((cost) => cost[what]));
for (const what of ['instructions', 'bytes'] as const) {
  console.log(`\n${what === 'bytes' ? 'Bytes allocated' : 'Instructions'} for one request`);
  printTable(
    ['', ...contenders, ...contenders.map((one) => `${base} ÷ ${one}`)],
    chosen.map(([name]) => [
      name,
      ...contenders.map((one) => Math.round(lowest(name, one, what)).toLocaleString('en')),
      ...contenders.map((one) => (lowest(name, base, what) / lowest(name, one, what)).toFixed(3)),
    ]),
  );
}
