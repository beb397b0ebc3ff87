// What a server holds for WebSockets, beside raw ws: `npm run websocket-memory [-- --rounds 3 --connections 10000]`.
// Bytes of an idle connection; and what is left after connections that came and went, also in the middle of their
// handshakes. Needs as many files as connections (`ulimit -n`).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { copyFramework } from './copy-framework.js';
import { interleave, median } from './measure.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '10000' },
  },
});
const COUNT = Number(values.connections);
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

const request =
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;

interface Held {
  /** Resident, in bytes. */
  readonly rss: number;
  /** Of the heap and outside of it, after a collection, in bytes. */
  readonly used: number;
  readonly handles: number;
}
interface Figures {
  readonly before: Held;
  readonly idle: Held;
  readonly closed: Held;
  readonly afterDrops: Held;
}

const file = join(out, 'server.mjs');
await build({
  absWorkingDir: here,
  entryPoints: ['servers/held-websockets.ts'],
  outfile: file,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  bundle: true,
  packages: 'external',
  external: ['../../../dist/*'],
  logLevel: 'warning',
});
copyFramework(out);
writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../../../dist/framework/', './framework/'));

const contenders = ['fw', 'ws'];
const results = await interleave(contenders, Number(values.rounds), withServer);
const [fw = [], ws = []] = contenders.map((one) => results.get(one));
type Row = readonly [title: string, of: (figures: Figures) => number, digits: number];
const rows: readonly Row[] = [
  [
    'an idle connection: heap and external, bytes',
    ({ before, idle }) => (idle.used - before.used) / COUNT,
    0,
  ],
  ['an idle connection: resident, bytes', ({ before, idle }) => (idle.rss - before.rss) / COUNT, 0],
  [`after ${COUNT} were closed: growth, KB`, ({ before, closed }) => (closed.used - before.used) / 1024, 0],
  [
    `after ${COUNT} more that dropped: growth, KB`,
    (one) => (one.afterDrops.used - one.closed.used) / 1024,
    0,
  ],
  ['handles before', ({ before }) => before.handles, 0],
  ['handles of the idle connections', ({ idle }) => idle.handles, 0],
  ['handles afterwards', ({ afterDrops }) => afterDrops.handles, 0],
];
console.log('| | fw | ws | fw − ws |');
console.log('| --- | ---: | ---: | ---: |');
for (const [title, of, digits] of rows) {
  const [mine, theirs] = [median(fw.map(of)), median(ws.map(of))];
  console.log(
    `| ${title} | ${[mine, theirs, mine - theirs].map((one) => one.toFixed(digits)).join(' | ')} |`,
  );
}

async function withServer(contender: string): Promise<Figures> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const server: ChildProcess = spawn(process.execPath, ['--expose-gc', file], {
    env: { ...process.env, PORT: String(port), CONTENDER: contender },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout as NonNullable<typeof server.stdout>, 'data');
    while (!(await fetch(`http://127.0.0.1:${port}/memory`).catch(() => undefined))) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return await measure(port);
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

async function measure(port: number): Promise<Figures> {
  await inLots(500, () => opened(port).then(gone));
  const before = await heldBy(port);
  const sockets: Socket[] = [];
  await inLots(COUNT, async () => void sockets.push(await opened(port)));
  const idle = await heldBy(port);
  await Promise.all(sockets.splice(0).map(gone));
  const closed = await heldBy(port);
  let turn = 0;
  await inLots(COUNT, () => drop(port, turn++ % 4));
  return { before, idle, closed, afterDrops: await heldBy(port) };
}

/** A hundred at a time. */
async function inLots(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - done) }, run));
  }
}

async function reached(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

async function opened(port: number): Promise<Socket> {
  const socket = await reached(port);
  socket.write(request);
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(head.toString('latin1'));
  return socket;
}

/** Once the server has closed its side too. */
async function gone(socket: Socket): Promise<void> {
  socket.resume().end();
  if (!socket.closed) await once(socket, 'close');
}

/** A client that leaves in the middle of its request, right after it, after the answer, or in a frame. */
async function drop(port: number, way: number): Promise<void> {
  const socket = way < 2 ? await reached(port) : await opened(port);
  if (way === 0) await new Promise((resolve) => socket.write(request.slice(0, 60), resolve));
  if (way === 1) await new Promise((resolve) => socket.write(request, resolve));
  if (way === 3) await new Promise((resolve) => socket.write(Buffer.from([0x81, 0xfe, 0xff]), resolve));
  socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
}

async function heldBy(port: number): Promise<Held> {
  // The server learns of what has closed in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 300));
  const answer = await fetch(`http://127.0.0.1:${port}/memory`, { headers: { Connection: 'close' } });
  return (await answer.json()) as Held;
}
