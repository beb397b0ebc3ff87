// Two processes with Redis between them: `npm run channels-redis [-- --rounds 4 --messages 20000]`. A client publishes
// 64-byte messages at one process, another gets them from the other. Messages a second with 64 on the way, and the
// time of a single one from the publisher to the subscriber; beside socket.io with its Redis adapter.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from 'redis';
import { WebSocket } from 'ws';
import { bundleServers } from './contenders.js';
import { interleave, median } from './measure.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    messages: { type: 'string', default: '20000' },
    singles: { type: 'string', default: '1000' },
  },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['channels-fw', 'channels-socketio']);

const ON_THE_WAY = 64;
const text = 'x'.repeat(64);
const contenders = ['RedisChannelBroker', 'RedisStreamBroker', 'socket.io'] as const;

interface Figures {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const results = await interleave(contenders, Number(values.rounds), measure);
console.log('| | messages/s | median, ms | p99, ms |');
console.log('| --- | ---: | ---: | ---: |');
for (const contender of contenders) {
  const of = (what: keyof Figures) => median((results.get(contender) ?? []).map((one) => one[what]));
  const cells = [of('perSecond').toFixed(0), of('medianMs').toFixed(2), of('p99Ms').toFixed(2)];
  console.log(`| ${contender} | ${cells.join(' | ')} |`);
}

async function measure(contender: string): Promise<Figures> {
  const isSocketIo = contender === 'socket.io';
  const prefix = `fw-bench:${randomUUID()}:`;
  const file = join(out, isSocketIo ? 'channels-socketio.mjs' : 'channels-fw.mjs');
  const broker = contender === 'RedisStreamBroker' ? 'stream' : 'channel';
  const first = 21_000 + Math.floor(Math.random() * 8_000);
  const servers = [first, first + 1].map((port) =>
    spawn(process.execPath, [file], {
      env: { ...process.env, PORT: String(port), PREFIX: prefix, BROKER: broker },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  try {
    await Promise.all(servers.map(({ stdout }) => once(stdout, 'data')));
    const publisher = await open(`ws://127.0.0.1:${first}`, isSocketIo, 'publish');
    const subscriber = await open(`ws://127.0.0.1:${first + 1}`, isSocketIo, 'subscribe');
    const message = isSocketIo ? `42["publish","${text}"]` : text;
    const publish = () => publisher.send(message);
    const figures = { ...(await flood(subscriber, publish)), ...(await singles(subscriber, publish)) };
    publisher.terminate();
    subscriber.terminate();
    return figures;
  } finally {
    for (const server of servers) server.kill('SIGKILL');
    await Promise.all(servers.map((server) => once(server, 'exit')));
    await removeKeys(prefix);
  }
}

/** A client; a subscriber is ready when it is told so. */
async function open(base: string, isSocketIo: boolean, role: 'publish' | 'subscribe'): Promise<WebSocket> {
  const ws = new WebSocket(isSocketIo ? `${base}/socket.io/?EIO=4&transport=websocket` : `${base}/${role}`);
  const ready = new Promise<void>((resolve) => {
    ws.on('message', (data) => {
      const got = String(data);
      // The protocol of Engine.IO: open, ping; and of Socket.IO: connect.
      if (isSocketIo && got.startsWith('0')) ws.send('40');
      else if (isSocketIo && got === '2') ws.send('3');
      else if (isSocketIo && got.startsWith('40')) {
        if (role === 'publish') resolve();
        else ws.send('42["subscribe"]');
      } else if (got.includes('ready')) resolve();
    });
  });
  await once(ws, 'open');
  if (isSocketIo || role === 'subscribe') await ready;
  return ws;
}

/** Calls back for every message of the bench. */
function onArrival(subscriber: WebSocket, callback: () => void): () => void {
  const listener = (data: unknown) => {
    if (String(data).includes(text)) callback();
  };
  subscriber.on('message', listener);
  return () => void subscriber.off('message', listener);
}

async function flood(subscriber: WebSocket, publish: () => void): Promise<Pick<Figures, 'perSecond'>> {
  const total = Number(values.messages);
  let sent = 0;
  let arrived = 0;
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const stop = onArrival(subscriber, () => {
      arrived += 1;
      if (sent < total) {
        sent += 1;
        publish();
      }
      if (arrived < total) return;
      stop();
      resolve();
    });
    for (; sent < ON_THE_WAY; sent += 1) publish();
  });
  return { perSecond: total / ((performance.now() - started) / 1000) };
}

async function singles(
  subscriber: WebSocket,
  publish: () => void,
): Promise<Pick<Figures, 'medianMs' | 'p99Ms'>> {
  const times: number[] = [];
  for (let n = 0; n < Number(values.singles); n += 1) {
    const started = performance.now();
    await new Promise<void>((resolve) => {
      const stop = onArrival(subscriber, () => {
        stop();
        resolve();
      });
      publish();
    });
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return { medianMs: median(times), p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
}

async function removeKeys(prefix: string): Promise<void> {
  const redis = await createClient({ url: 'redis://127.0.0.1:6379' }).connect();
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
  await redis.close();
}
