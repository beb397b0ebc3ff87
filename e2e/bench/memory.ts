// What a server holds for clients that behave badly: `npm run memory
// [-- --only idle,paused,aborted,keys --rounds 3 --json file]`. Idle connections, a reader that stops reading a stream of a
// gigabyte, a thousand uploads that break off half-way, and, for fw, a million keys of a rate limit.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { copyFramework } from './copy-framework.js';
import { interleave, median, printTable } from './measure.js';
import { type Series, writeSeries } from './series.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const MB = 1024 * 1024;
const UPLOADS = 1_000;
const KEYS = 1_000_000;
/** Few enough that all of them are open before the first is closed for being idle. */
const CONNECTIONS = 2_000;
/** Requests that are sent at once on a connection. */
const BATCH = 100;

interface Held {
  /** Resident, in bytes. */
  readonly rss: number;
  /** Of the heap and outside of it, after a collection, in bytes. */
  readonly used: number;
}

/** By contender: what each round found. */
type Grown = ReadonlyMap<string, readonly { before: Held; after: Held }[]>;

await build({
  absWorkingDir: here,
  entryPoints: ['servers/memory.ts'],
  outfile: join(out, 'memory.mjs'),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  bundle: true,
  packages: 'external',
  external: ['../../../dist/*'],
  logLevel: 'warning',
});
copyFramework(out);
const file = join(out, 'memory.mjs');
writeFileSync(file, readFileSync(file, 'utf8').replaceAll('../../../dist/framework/', './framework/'));

const peers = ['fw', 'node-http', 'fastify', 'hono'];
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'string' },
  },
});
const ROUNDS = Number(values.rounds);
const series: Series[] = [];
const scenes: Record<string, () => Promise<void>> = {
  idle: async () => {
    const results = await interleave(peers, ROUNDS, (contender) => withServer(contender, idle), 0);
    series.push(seriesOf('idle connection, memory', 'bytes', results));
    console.log(`\n${CONNECTIONS.toLocaleString('en')} idle keep-alive connections that have had an answer`);
    printTable(
      ['', 'bytes for each', 'lowest', 'highest'],
      [...results].map(([contender, of]) => [
        contender,
        ...[median(of), Math.min(...of), Math.max(...of)].map((bytes) => bytes.toFixed(0)),
      ]),
    );
  },
  paused: async () => {
    const title = 'A reader that pauses for 3 s in a stream of 1 GB';
    const results = await report(title, 'at its most, over before', peers, paused);
    series.push(seriesOf('paused reader of 1 GB, memory of the server', 'MB', usedAfter(results)));
  },
  aborted: async () => {
    const title = `${UPLOADS} uploads of 2 MB that break off half-way`;
    const results = await report(title, 'afterwards, over before', peers, aborted);
    series.push(seriesOf(`after ${UPLOADS} broken uploads, memory of the server`, 'MB', usedAfter(results)));
  },
  keys: async () => {
    await report(
      `${KEYS.toLocaleString('en')} keys of a rate limit`,
      'afterwards, over before',
      ['fw, no limit', 'fw'],
      manyKeys,
      1,
    );
  },
};
for (const [name, run] of Object.entries(scenes)) {
  if (values.only === undefined || values.only.split(',').includes(name)) await run();
}
writeSeries(values.json, series);

/** Results of node:http and its peers, the fewer the better. */
function seriesOf(name: string, unit: string, results: ReadonlyMap<string, readonly number[]>): Series {
  return { name, unit, better: 'less', base: 'node-http', rounds: Object.fromEntries(results) };
}

/** All that a server then holds, in megabytes: growth alone may be nothing, which has no ratio. */
function usedAfter(results: Grown): Map<string, number[]> {
  return new Map(
    [...results].map(([contender, rounds]) => [contender, rounds.map(({ after }) => after.used / MB)]),
  );
}

async function report(
  title: string,
  what: string,
  contenders: readonly string[],
  measure: (port: number) => Promise<{ before: Held; after: Held }>,
  rounds: number = ROUNDS,
): Promise<Grown> {
  // Every server is a new process that is warmed by itself.
  const results = await interleave(contenders, rounds, (contender) => withServer(contender, measure), 0);
  console.log(`\n${title}; memory ${what}`);
  printTable(
    ['', 'used before MB', 'growth MB', 'growth %', 'resident growth MB'],
    [...results].map(([contender, rounds]) => {
      const used = median(rounds.map(({ before }) => before.used)) / MB;
      const growth = median(rounds.map(({ before, after }) => after.used - before.used)) / MB;
      const resident = median(rounds.map(({ before, after }) => after.rss - before.rss)) / MB;
      return [
        contender,
        used.toFixed(1),
        growth.toFixed(1),
        ((growth / used) * 100).toFixed(0),
        resident.toFixed(1),
      ];
    }),
  );
  return results;
}

async function withServer<Result>(
  contender: string,
  use: (port: number) => Promise<Result>,
): Promise<Result> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const server: ChildProcess = spawn(process.execPath, ['--expose-gc', file], {
    env: { ...process.env, PORT: String(port), CONTENDER: contender },
    // Some of them print every client that leaves.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    await once(server.stdout as NonNullable<typeof server.stdout>, 'data');
    await uploads(port, 20, (socket) => socket.end());
    return await use(port);
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

async function held(port: number): Promise<Held> {
  return (await (await fetch(`http://127.0.0.1:${port}/memory`)).json()) as Held;
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}

/** What the server holds for one connection between two requests, in bytes. */
async function idle(port: number): Promise<number> {
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /missing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'data');
    return socket;
  };
  const many = async (count: number): Promise<Socket[]> => {
    const sockets: Socket[] = [];
    for (let done = 0; done < count; done += 100) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, open))));
    }
    return sockets;
  };
  // What is made once, and code that is compiled, is not the connections'.
  for (const socket of await many(CONNECTIONS)) socket.resetAndDestroy();
  await seconds(0.5);
  const before = await held(port);
  const sockets = await many(CONNECTIONS);
  const after = await held(port);
  if (sockets.some((socket) => socket.closed || socket.readableEnded))
    throw new Error('connections were closed for being idle');
  for (const socket of sockets) socket.resetAndDestroy();
  return (after.used - before.used) / CONNECTIONS;
}

/** Reads a little, then nothing: what the server holds meanwhile is looked at ten times. */
async function paused(port: number): Promise<{ before: Held; after: Held }> {
  const before = await held(port);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /gigabyte HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  let after = before;
  for (let i = 0; i < 10; i++) {
    await seconds(0.3);
    const now = await held(port);
    if (now.used > after.used) after = { used: now.used, rss: Math.max(now.rss, after.rss) };
  }
  socket.destroy();
  return { before, after };
}

/** The first half of an upload of 2 MB on connections of their own, a hundred at a time. */
async function uploads(port: number, count: number, leave: (socket: ReturnType<typeof connect>) => void) {
  const half = Buffer.alloc(MB, 120);
  const head = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\n';
  for (let done = 0; done < count; done += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, count - done) }, async () => {
        const socket = connect(port, '127.0.0.1')
          .on('error', () => {})
          .resume();
        socket.write(`${head}Content-Length: ${2 * MB}\r\n\r\n`);
        await new Promise((resolve) => socket.write(half, resolve));
        leave(socket);
        if (!socket.closed) await once(socket, 'close');
      }),
    );
  }
}

async function aborted(port: number): Promise<{ before: Held; after: Held }> {
  const before = await held(port);
  await uploads(port, UPLOADS, (socket) => socket.resetAndDestroy());
  await seconds(1);
  return { before, after: await held(port) };
}

async function manyKeys(port: number): Promise<{ before: Held; after: Held }> {
  const before = await held(port);
  let next = 0;
  const client = async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    while (next < KEYS) {
      let requests = '';
      for (let i = 0; i < BATCH; i++) {
        requests += `GET /limited HTTP/1.1\r\nHost: x\r\nX-Api-Key: client-${next++}-of-a-million\r\n\r\n`;
      }
      socket.write(requests);
      let answers = '';
      while (answers.split('HTTP/1.1 200 ').length <= BATCH || !answers.endsWith('ok')) {
        const [text] = await once(socket, 'data');
        answers += text;
      }
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: 10 }, client));
  return { before, after: await held(port) };
}
