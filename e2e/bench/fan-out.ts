// Fan-out of 64-byte messages to 1,000 subscribers, beside a loop on raw ws and a room of socket.io:
// `npm run fan-out [-- --rounds 5 --seconds 2 --subscribers 1000]`. Needs two cores: one for the server, one for the
// load. Deliveries a second, and the processor time of the server for one delivery, which other load changes less.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleServers } from './contenders.js';
import { interleave, median } from './measure.js';
import { type Series, writeSeries } from './series.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    json: { type: 'string' },
    subscribers: { type: 'string', default: '1000' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const contenders = ['fan-out-fw', 'fan-out-ws', 'fan-out-socketio'] as const;
await bundleServers(out, undefined, contenders);
const load = join(out, 'load.mjs');
await build({
  absWorkingDir: here,
  entryPoints: ['fan-out-load.ts'],
  outfile: load,
  format: 'esm',
  platform: 'node',
  bundle: true,
  packages: 'external',
});

/** By way of publishing. */
type Figures = Readonly<Record<string, { readonly perSecond: number; readonly cpu: number }>>;

const results = await interleave(contenders, Number(values.rounds), measure);
const figure = (contender: string, way: string, what: 'perSecond' | 'cpu'): number =>
  median(results.get(contender)?.map((one) => one[way]?.[what] ?? Number.NaN) ?? []);
const ways = Object.keys(results.get('fan-out-fw')?.[0] ?? {});
writeSeries(
  values.json,
  ways.map(
    (way): Series => ({
      name: `WebSocket fan-out to ${values.subscribers}, ${way}`,
      unit: 'deliveries/s',
      better: 'more',
      base: 'ws',
      rounds: Object.fromEntries(
        [...results].map(([one, of]) => [
          one.replace('fan-out-', ''),
          of.map((figures) => figures[way]?.perSecond ?? Number.NaN),
        ]),
      ),
    }),
  ),
);
console.log('| Published | fw | ws, loop | socket.io | fw ÷ ws | fw ÷ socket.io |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const [what, title, digits] of [
  ['perSecond', 'deliveries/s', 0],
  ['cpu', 'µs CPU', 2],
] as const) {
  for (const way of ways) {
    const [fw = 0, ws = 0, io = 0] = contenders.map((contender) => figure(contender, way, what));
    const ratio = (other: number) => (what === 'cpu' ? other / fw : fw / other).toFixed(2);
    const cells = [...[fw, ws, io].map((one) => one.toFixed(digits)), ratio(ws), ratio(io)];
    console.log(`| ${way}, ${title} | ${cells.join(' | ')} |`);
  }
}

async function measure(contender: string): Promise<Figures> {
  const port = String(21_000 + Math.floor(Math.random() * 8_000));
  const server = spawn('taskset', ['-c', '0', process.execPath, join(out, `${contender}.mjs`)], {
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    const args = [load, contender, port, String(server.pid), values.subscribers, values.seconds];
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, ...args], {
      timeout: 120_000,
    });
    return JSON.parse(stdout) as Figures;
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}
