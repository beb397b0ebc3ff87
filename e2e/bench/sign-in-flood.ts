// What a flood of sign-ins does to the other requests of the same process: `npm run sign-in-flood [-- --rounds 3]`.
// 100 requests a second are timed, first alone and then while 20 clients try passwords without a pause.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { median, printTable } from './measure.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const SECONDS = 10;
const out = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['sign-in-fw']);

const port = 21_000 + Math.floor(Math.random() * 8_000);
const env = { ...process.env, PORT: String(port) };
const server = spawn(process.execPath, [join(out, 'sign-in-fw.mjs')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const rows: { alone: number; flooded: number; signIns: number }[] = [];
try {
  await once(server.stdout, 'data');
  await timed();
  for (let round = 0; round < Number(values.rounds); round++) {
    const alone = await timed();
    const flood = startFlood();
    const flooded = await timed();
    rows.push({ alone, flooded, signIns: (await flood()) / SECONDS });
  }
} finally {
  server.kill('SIGKILL');
}
printTable(
  ['p99 of other requests, ms', 'alone', 'flooded', 'ratio', 'sign-ins a second'],
  [...rows.map((row, index) => [`round ${index + 1}`, ...cells(row)]), ['median', ...cells(middle())]],
);

function middle(): (typeof rows)[number] {
  const of = (name: keyof (typeof rows)[number]) => median(rows.map((row) => row[name]));
  return { alone: of('alone'), flooded: of('flooded'), signIns: of('signIns') };
}

function cells({ alone, flooded, signIns }: (typeof rows)[number]): string[] {
  return [alone.toFixed(2), flooded.toFixed(2), (flooded / alone).toFixed(2), signIns.toFixed(1)];
}

/** The p99 in milliseconds of requests that begin every 10 ms, whether or not earlier ones have ended. */
async function timed(): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const times: Promise<number>[] = [];
  const start = performance.now();
  for (let i = 0; i < SECONDS * 100; i++) {
    const wait = start + i * 10 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    times.push(send(agent, 'GET', '/json'));
  }
  const all = (await Promise.all(times)).sort((a, b) => a - b);
  agent.destroy();
  return all[Math.floor(all.length * 0.99)] ?? Number.NaN;
}

/** Returns what ends it, and gives the number of sign-ins that were answered. */
function startFlood(): () => Promise<number> {
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  let answered = 0;
  const clients = Array.from({ length: 20 }, async () => {
    while (!isOver) {
      await send(agent, 'POST', '/sign-in', 'a wrong password');
      answered += 1;
    }
  });
  return async () => {
    isOver = true;
    const count = answered;
    await Promise.all(clients);
    agent.destroy();
    return count;
  };
}

function send(agent: Agent, method: string, path: string, body = ''): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method, path }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now() - start));
    });
    sent.on('error', reject).end(body);
  });
}
