// A server under callgrind, warmed until its compiled code changes no more: what one request costs it, untimed.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { verify } from './contenders.js';
import { formOf, type Workload } from './servers/workloads.js';

const run = promisify(execFile);

export interface Cost {
  /** In user space, for one request. */
  readonly instructions: number;
  /** Allocated for one request, on the heap of V8 and in buffers outside of it. */
  readonly bytes: number;
}

/** In several runs of the load generator: a first connection that closes makes V8 compile much of it again. */
const WARM_RUNS = 8;
const WARM = 1_500;
const WINDOWS = 4;
const COUNTED = 1_000;
const CONNECTIONS = 4;

/**
 * Nothing is compiled or collected on other threads, seeds are fixed, and the young generation holds all that a run
 * allocates, so that no collection falls into what is counted: allocations are counted on their own.
 */
const v8 = [
  '--single-threaded',
  '--single-threaded-gc',
  '--no-incremental-marking',
  '--hash-seed=1',
  '--random-seed=1',
  '--min-semi-space-size=128',
  '--max-semi-space-size=128',
  '--expose-gc',
];

/**
 * At a signal: what is held, and what is held once the young generation is collected. A server that waits for a processor
 * for seconds takes its connections for idle, and would close them under the load generator.
 */
const probe = `import { writeSync } from 'node:fs';
import { Server } from 'node:http';
const { listen } = Server.prototype;
Server.prototype.listen = function (...args) {
  Object.assign(this, { keepAliveTimeout: 600_000, headersTimeout: 600_000 });
  return listen.apply(this, args);
};
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
process.on('SIGUSR2', () => {
  const full = held();
  globalThis.gc({ type: 'minor' });
  writeSync(1, 'held ' + full + ' ' + held() + '\\n');
});`;

/**
 * The lowest of a few windows of a thousand requests: a function that V8 compiles late costs as much as many requests.
 *
 * @param file of the server, beside which the counts are written.
 * @param env of the server; `PORT` is added.
 */
export async function measureCost(
  contender: string,
  file: string,
  workload: Workload,
  env: Readonly<Record<string, string>>,
): Promise<Cost> {
  const port = 21_000 + Math.floor(Math.random() * 8_000);
  const dump = `${file}.callgrind.${port}`;
  const server = spawn(
    'valgrind',
    [
      '--tool=callgrind',
      '--smc-check=all-non-file',
      '--instr-atstart=no',
      `--callgrind-out-file=${dump}`,
      process.execPath,
      ...v8,
      `--import=data:text/javascript,${encodeURIComponent(probe)}`,
      file,
    ],
    { env: { ...process.env, ...env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const lines = createInterface({ input: server.stdout });
  const control = (...args: string[]) => run('callgrind_control', [...args, String(server.pid)]);
  const held = async (): Promise<{ full: number; collected: number }> => {
    const line = once(lines, 'line');
    server.kill('SIGUSR2');
    const [, full, collected] = /^held (\d+) (\d+)$/.exec(String((await line)[0])) ?? [];
    return { full: Number(full), collected: Number(collected) };
  };
  try {
    await Promise.race([
      once(lines, 'line'),
      once(server, 'exit').then(() => {
        throw new Error(`${contender} does not start under valgrind`);
      }),
    ]);
    await verify(contender, port, workload);
    const form = formOf(workload, contender);
    for (let i = 0; i < WARM_RUNS; i++) await load(file, port, form, WARM);
    await held();
    await control('-i', 'on');
    const costs: Cost[] = [];
    for (let i = 0; i < WINDOWS; i++) {
      const { collected } = await held();
      await control('-z');
      await load(file, port, form, COUNTED);
      await control('-d');
      const bytes = (await held()).full - collected;
      costs.push({ instructions: takeTotal(dump) / COUNTED, bytes: bytes / COUNTED });
    }
    return {
      instructions: Math.min(...costs.map(({ instructions }) => instructions)),
      bytes: Math.min(...costs.map(({ bytes }) => bytes)),
    };
  } finally {
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }
}

async function load(
  file: string,
  port: number,
  { path, body, headers = {} }: Workload,
  requests: number,
): Promise<void> {
  const data = `${file}.body.${port}`;
  if (body !== undefined) writeFileSync(data, body);
  const post = body === undefined ? [] : ['-d', data, '-H', 'Content-Type: application/json'];
  const own = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['--h1', '-n', String(requests), '-c', String(CONNECTIONS), ...post, ...own];
  const { stdout } = await run('h2load', [...args, `http://127.0.0.1:${port}${path}`]);
  if (!stdout.includes(`${requests} succeeded`)) throw new Error(`h2load:\n${stdout}`);
}

/** callgrind numbers its dumps; each ends with a line of totals. */
function takeTotal(dump: string): number {
  const names = readdirSync(dirname(dump)).filter((name) => name.startsWith(`${basename(dump)}.`));
  const totals = names.map((name) => {
    const file = `${dirname(dump)}/${name}`;
    const [, total] = /^(?:totals|summary): (\d+)/m.exec(readFileSync(file, 'utf8')) ?? [];
    rmSync(file);
    return Number(total);
  });
  return Math.max(...totals);
}
