// A mixed load for half an hour, with what the server holds once a minute: `npm run soak [-- --minutes 30 --every 60]`.
// Reads, bodies, RPC, streams, WebSockets and rate limits, and clients that leave in the middle of each. It fails if the
// server holds more and more in the second half.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { bundleServers } from './contenders.js';
import { slope } from './measure.js';
import { orderBody } from './servers/workloads.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    /** Seconds between two readings. */
    every: { type: 'string', default: '60' },
    clients: { type: 'string', default: '16' },
  },
});
/**
 * Bytes for each operation that the heap may grow by in the second half. The smallest object that could stay behind
 * takes 16, and each kind of operation is an eighth of them: a leak in one of them is 2 at least.
 */
const FLAT = 1;
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['soak']);
const port = 21_000 + Math.floor(Math.random() * 8_000);
const server = spawn(process.execPath, ['--expose-gc', join(out, 'soak.mjs')], {
  env: { ...process.env, PORT: String(port) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => server.kill('SIGKILL'));
await once(server.stdout, 'data');

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let operations = 0;

const kinds: readonly (() => Promise<void>)[] = [
  () => answered('GET', '/json'),
  () => answered('POST', '/orders', orderBody),
  () => answered('POST', '/rpc', '{"jsonrpc":"2.0","method":"add","params":{"a":1,"b":2},"id":1}'),
  () => answered('GET', '/limited', undefined, { 'X-Client': `client-${operations % 1_000}` }),
  () => answered('GET', '/megabyte'),
  async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`);
    await once(socket, 'open');
    socket.send('a message');
    await once(socket, 'message');
    if (operations % 2 === 0) socket.terminate();
    else socket.close();
    await once(socket, 'close');
  },
  // A reader of a stream that leaves after its first bytes.
  async () => {
    const socket = await opened('GET /megabyte HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'data');
    await left(socket);
  },
  // An upload that breaks off half-way.
  async () => {
    const head = 'POST /upload HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 65536\r\n\r\n';
    const socket = await opened(head);
    await new Promise((resolve) => socket.write(Buffer.alloc(32_768, 120), resolve));
    await left(socket);
  },
];

interface Held {
  readonly rss: number;
  readonly used: number;
  readonly handles: number;
}

const readings: { used: number; operations: number }[] = [];
const count = Math.max(4, Math.round((Number(values.minutes) * 60) / Number(values.every)));
console.log('seconds  operations  used MB  resident MB  handles');
for (let i = 1; i <= count; i++) {
  const until = performance.now() + Number(values.every) * 1_000;
  // What the server holds for requests that are under way is not looked at.
  await Promise.all(Array.from({ length: Number(values.clients) }, (_, index) => run(index, until)));
  const { used, rss, handles } = JSON.parse(await text('GET', '/memory')) as Held;
  readings.push({ used, operations });
  const cells = [(used / 1e6).toFixed(3), (rss / 1e6).toFixed(1), String(handles)];
  console.log([i * Number(values.every), operations, ...cells].join('  '));
}
agent.destroy();

const second = readings.slice(Math.floor(readings.length / 2));
const growth = slope(
  second.map((reading) => reading.operations),
  second.map(({ used }) => used),
);
console.log(`second half: ${growth.toFixed(3)} bytes for each operation; flat is below ${FLAT}`);
process.exit(growth < FLAT ? 0 : 1);

/** Each kind in turn. A client that finds a fault ends the soak. */
async function run(index: number, until: number): Promise<void> {
  for (let i = index; performance.now() < until; i++) {
    await kinds[i % kinds.length]?.();
    operations++;
  }
}

async function answered(
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  await text(method, path, body, headers);
}

async function text(
  method: string,
  path: string,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const fields = body === '' ? headers : { ...headers, 'Content-Type': 'application/json' };
  const [answer] = await responded(method, path, body, fields);
  const chunks: Buffer[] = await answer.toArray();
  if (answer.statusCode !== 200) throw new Error(`${method} ${path} gave ${answer.statusCode}`);
  return Buffer.concat(chunks).toString();
}

/**
 * The server may close an idle connection just as the agent uses it again: such a request is sent once more, as
 * RFC 9112 section 9.3.1 asks of clients. On a new connection it is a fault.
 */
async function responded(
  method: string,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<[IncomingMessage]> {
  for (;;) {
    const asked = request({ agent, host: '127.0.0.1', port, method, path, headers });
    asked.end(body);
    try {
      return (await once(asked, 'response')) as [IncomingMessage];
    } catch (error) {
      if (!asked.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    }
  }
}

async function opened(head: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(head);
  return socket;
}

/** By a reset, as a client that vanishes does. */
async function left(socket: Socket): Promise<void> {
  socket.resetAndDestroy();
  if (!socket.closed) await once(socket, 'close');
}
