// 10,000 messages of 16 KB to 100 subscribers that read and 100 that do not: `npm run websocket-slow`. What the server
// holds at most, with both policies for slow clients, and whether those that read get all of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleServers } from './contenders.js';

const EACH = 100;
/** A head of 4 bytes, because the payload has more than 125 bytes. */
const ALL_BYTES = 10_000 * (4 + 16 * 1024);
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['slow-fw']);
const request = (path: string): string =>
  `GET /${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;
const buffer = Buffer.alloc(256 * 1024);

console.log(
  '| slow | growth at most, MB | open of those that read | of those that do not | readers that got all |',
);
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const slow of ['drop', 'close']) console.log(await run(slow));
process.exit();

async function run(slow: string): Promise<string> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const server = spawn(process.execPath, ['--expose-gc', join(out, 'slow-fw.mjs')], {
    env: { ...process.env, PORT: String(port), SLOW: slow },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 300));
    const readers = await all(() => subscriber(port, true));
    await all(() => subscriber(port, false));
    const answer = await fetch(`http://127.0.0.1:${port}/publish`, { signal: AbortSignal.timeout(90_000) });
    const { growth, reading, paused } = (await answer.json()) as Readonly<
      Record<'growth' | 'reading' | 'paused', number>
    >;
    const end = Date.now() + 10_000;
    // Pings of 2 bytes may come with them.
    const whole = () => readers.filter(({ received }) => received >= ALL_BYTES).length;
    while (whole() < EACH && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
    return `| ${slow} | ${(growth / 1e6).toFixed(1)} | ${reading} | ${paused} | ${whole()} |`;
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
}

function all<Result>(make: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: EACH }, make));
}

interface Subscriber {
  readonly socket: Socket;
  received: number;
}

/** One that does not read stops after the handshake. */
async function subscriber(port: number, reads: boolean): Promise<Subscriber> {
  let hasOpened: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    hasOpened = resolve;
  });
  let isOpen = false;
  const callback = (size: number): boolean => {
    if (isOpen) one.received += size;
    isOpen = true;
    hasOpened();
    return reads;
  };
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer, callback } }).on('error', () => {});
  const one: Subscriber = { socket, received: 0 };
  socket.write(request(reads ? 'reading' : 'paused'));
  await opened;
  return one;
}
