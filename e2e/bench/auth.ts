// What authentication costs, on the json workload beside Fastify's and Hono's: `npm run auth [-- --rounds 5]`. Needs
// h2load (Debian: nghttp2-client) and Redis on its usual port. The figure is the processor time of the server for one
// request, which other load on the machine changes little, and what it is above the same workload without it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleServers } from './contenders.js';
import { interleave, median, printTable } from './measure.js';
import { keys, token } from './servers/auth-workload.js';
import { reply } from './servers/workloads.js';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, requests: { type: 'string', default: '20000' } },
});
const here = fileURLToPath(new URL('.', import.meta.url));
const out = mkdtempSync(join(here, '.servers-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
await bundleServers(out, undefined, ['auth-fw', 'auth-fastify', 'auth-hono']);

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
/** The load blocks this process for longer than a kept connection lives. */
const closing = { connection: 'close' };
const lastKey = keys.at(-1) ?? '';
/** By name: path, and the header fields of each contender. */
const ways: Readonly<
  Record<string, { path: string; headers: (contender: string, port: number) => Promise<object> }>
> = {
  plain: { path: '/plain', headers: async () => ({}) },
  JWT: { path: '/jwt', headers: async () => bearer(token) },
  '1,000 API keys': {
    path: '/key',
    headers: async (contender) => (contender === 'auth-fw' ? { 'x-api-key': lastKey } : bearer(lastKey)),
  },
  'session in memory': { path: '/session-memory', headers: (_, port) => signIn(port, 'memory') },
  'session in Redis': { path: '/session-redis', headers: (_, port) => signIn(port, 'redis') },
};

async function signIn(port: number, store: string): Promise<object> {
  const response = await fetch(`http://127.0.0.1:${port}/sign-in-${store}`, {
    method: 'POST',
    headers: closing,
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`no cookie: ${response.status} ${await response.text()}`);
  return { cookie };
}

interface Figures {
  /** Microseconds of processor time for each request, by way. */
  readonly cost: Readonly<Record<string, number>>;
}

const results = await interleave(['auth-fw', 'auth-fastify', 'auth-hono'], Number(values.rounds), measure);
const cost = (contender: string, way: string): number | undefined => {
  const all =
    results
      .get(contender)
      ?.map((one) => one.cost[way])
      .filter((one) => one !== undefined) ?? [];
  return all.length === 0 ? undefined : median(all);
};
const contenders = ['auth-fw', 'auth-fastify', 'auth-hono'];
printTable(
  ['µs above plain', 'fw', 'fastify', 'hono'],
  Object.keys(ways).map((way) => [
    way === 'plain' ? 'plain, whole' : way,
    ...contenders.map((one) => {
      const [whole, plain] = [cost(one, way), cost(one, 'plain')];
      if (whole === undefined || plain === undefined) return '';
      return (way === 'plain' ? whole : whole - plain).toFixed(1);
    }),
  ]),
);

async function measure(contender: string): Promise<Figures> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const server = spawn('taskset', ['-c', '0', process.execPath, join(out, `${contender}.mjs`)], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const found: Record<string, number> = {};
  try {
    await once(server.stdout, 'data');
    for (const [way, { path, headers }] of Object.entries(ways)) {
      if (contender === 'auth-hono' && way.startsWith('session')) continue;
      const fields = await headers(contender, port);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { ...closing, ...fields },
      });
      const text = await response.text();
      if (text !== JSON.stringify(reply()))
        throw new Error(`${contender} answered ${response.status} ${text} to ${path}`);
      if (
        path !== '/plain' &&
        (await fetch(`http://127.0.0.1:${port}${path}`, { headers: closing })).status !== 401
      ) {
        throw new Error(`${contender} lets anybody call ${path}`);
      }
      // Hono hashes every key anew for each request, which takes milliseconds.
      const isSlow = contender === 'auth-hono' && path === '/key';
      const requests = Number(values.requests) / (isSlow ? 50 : 1);
      load(port, path, fields, requests / 2);
      const before = cpuMs(server.pid ?? 0);
      load(port, path, fields, requests);
      found[way] = ((cpuMs(server.pid ?? 0) - before) * 1000) / requests;
    }
  } finally {
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  return { cost: found };
}

function load(port: number, path: string, fields: object, requests: number): void {
  const headers = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [
    '-c',
    '1',
    'h2load',
    '--h1',
    '-n',
    String(requests),
    '-c',
    '16',
    ...headers,
    `http://127.0.0.1:${port}${path}`,
  ];
  const output = execFileSync('taskset', args, { encoding: 'utf8', timeout: 60_000 });
  if (!output.includes(`${requests} succeeded`) || !output.includes(`${requests} 2xx`))
    throw new Error(output);
}

/** User and system time of all threads, in milliseconds (proc(5): fields 14 and 15, in ticks of 10 ms). */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
