// Echo of messages of 64 bytes and of 16 KB over 50 connections, beside raw ws and socket.io:
// `npm run echo [-- --rounds 5 --seconds 2 --bytes 64,16384]`. Needs two cores: one for the server, one for the load.
// Messages a second, and the processor time of the server for one, which other load changes less; with 1 message on the
// way for each connection, and with 8.
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
    connections: { type: 'string', default: '50' },
    bytes: { type: 'string', default: '64,16384' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const contenders = ['echo-fw', 'echo-ws', 'echo-socketio'] as const;
await bundleServers(out, undefined, contenders);
const load = join(out, 'load.mjs');
await build({
  absWorkingDir: here,
  entryPoints: ['echo-load.ts'],
  outfile: load,
  format: 'esm',
  platform: 'node',
  bundle: true,
  packages: 'external',
});

interface Figures {
  readonly perSecond: number;
  readonly cpu: number;
}

const series: Series[] = [];
console.log('| Bytes, on the way | fw | ws | socket.io | fw ÷ ws | fw ÷ socket.io |');
console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
for (const bytes of values.bytes.split(',')) {
  for (const depth of ['1', '8']) {
    const results = await interleave(contenders, Number(values.rounds), (one) => measure(one, depth, bytes));
    const size = bytes === '64' ? '' : ` of ${Number(bytes) / 1024} KB`;
    series.push({
      name: `WebSocket echo${size}, ${depth} on the way`,
      unit: 'messages/s',
      better: 'more',
      base: 'ws',
      rounds: Object.fromEntries(
        [...results].map(([one, of]) => [one.replace('echo-', ''), of.map(({ perSecond }) => perSecond)]),
      ),
    });
    for (const [what, title, digits] of [
      ['perSecond', 'messages/s', 0],
      ['cpu', 'µs CPU', 2],
    ] as const) {
      const [fw = 0, ws = 0, io = 0] = contenders.map((one) =>
        median(results.get(one)?.map((figures) => figures[what]) ?? []),
      );
      const ratio = (other: number) => (what === 'cpu' ? other / fw : fw / other).toFixed(2);
      const cells = [...[fw, ws, io].map((one) => one.toFixed(digits)), ratio(ws), ratio(io)];
      console.log(`| ${bytes}, ${depth}, ${title} | ${cells.join(' | ')} |`);
    }
  }
}

writeSeries(values.json, series);

async function measure(contender: string, depth: string, bytes: string): Promise<Figures> {
  const port = String(21_000 + Math.floor(Math.random() * 8_000));
  const server = spawn('taskset', ['-c', '0', process.execPath, join(out, `${contender}.mjs`)], {
    env: { ...process.env, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    const args = [
      load,
      contender,
      port,
      String(server.pid),
      values.connections,
      depth,
      values.seconds,
      bytes,
    ];
    const { stdout } = await promisify(execFile)('taskset', ['-c', '1', process.execPath, ...args], {
      timeout: 60_000,
    });
    return JSON.parse(stdout) as Figures;
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}
