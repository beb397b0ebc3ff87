// What the page about the app costs under `fw dev`: `npm run workbench [-- --rounds 4 --before ../other-checkout]`.
// Processor time of `fw dev` and all its processes for one request of the json workload, and requests a second, while
// the page was never opened, while it is open, and of another build: at full load with a connection for each request,
// then at `--pace` requests a second on connections that stay open, with the time until the response.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../free-port.js';
import { interleave, median, printTable } from './measure.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    requests: { type: 'string', default: '40000' },
    pace: { type: 'string', default: '1000' },
    before: { type: 'string' },
  },
});
const requests = Number(values.requests);
const atOnce = 8;
const PACED_SECONDS = 8;
/** The requests of a load's beginning are recorded, as those of a person are. They are sent before the measurement. */
const SETTLING_SECONDS = 2;
const checkout = fileURLToPath(new URL('../..', import.meta.url));
const hertz = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Session {
  readonly child: ChildProcess;
  readonly port: number;
  readonly page: http.ClientRequest | undefined;
}

interface Run {
  /** Microseconds of processor time for one request. */
  readonly cpu: number;
  readonly rate: number;
}

const sessions = new Map<string, Session>();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-workbench-')));
try {
  if (values.before !== undefined) await open('before', resolve(values.before), false);
  await open('never opened', checkout, false);
  await open('page open', checkout, true);
  const names = [...sessions.keys()];
  const pace = Number(values.pace);
  const paced = await interleave(names, Number(values.rounds), (name) =>
    measurePaced(sessions.get(name) as Session, pace),
  );
  const of = (runs: readonly Paced[], what: keyof Paced): number => median(runs.map((run) => run[what]));
  const first = paced.get(names[0] ?? '') ?? [];
  console.log(
    `${values.rounds} rounds of ${PACED_SECONDS} s at ${pace} requests/s, on connections that stay open\n`,
  );
  printTable(
    ['', 'processor time', `÷ ${names[0]}`, 'p50', `÷ ${names[0]}`, 'p99', `÷ ${names[0]}`],
    [...paced].map(([name, runs]) => [
      name,
      `${of(runs, 'cpu').toFixed(0)} µs`,
      (of(runs, 'cpu') / of(first, 'cpu')).toFixed(3),
      `${of(runs, 'p50').toFixed(3)} ms`,
      (of(runs, 'p50') / of(first, 'p50')).toFixed(3),
      `${of(runs, 'p99').toFixed(3)} ms`,
      (of(runs, 'p99') / of(first, 'p99')).toFixed(3),
    ]),
  );
  console.log('');
  const results = await interleave(names, Number(values.rounds), (name) =>
    measure(sessions.get(name) as Session),
  );
  const base = median((results.get(names[0] ?? '') ?? []).map(({ cpu }) => cpu));
  const rows = [...results].map(([name, runs]) => {
    const cpu = median(runs.map((run) => run.cpu));
    const rate = median(runs.map((run) => run.rate));
    return [name, `${cpu.toFixed(0)} µs`, (cpu / base).toFixed(3), rate.toFixed(0)];
  });
  console.log(`${values.rounds} rounds of ${requests} requests, each on a connection of its own\n`);
  printTable(['', 'processor time', `÷ ${names[0]}`, 'requests/s'], rows);
} finally {
  for (const { child, page } of sessions.values()) {
    page?.destroy();
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

async function open(name: string, from: string, withPage: boolean): Promise<void> {
  const root = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(from, join(root, 'node_modules/fw'));
  symlinkSync(join(checkout, 'node_modules/esbuild'), join(root, 'node_modules/esbuild'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(root, 'src/main.ts'),
    `import { App } from 'fw';
const app = new App();
app.get('/json', (ctx) => ctx.json({ id: 1, name: 'Ada Lovelace', tags: ['a', 'b', 'c'] }));
await app.listen(Number(process.env.PORT));
`,
  );
  const port = await freePort();
  const child = spawn(process.execPath, [join(from, 'dist/cli/main.js'), 'dev', '--port', String(port)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of child.stdout) if (String(text).includes('ready in')) break;
  const page = withPage ? await openPage(port) : undefined;
  sessions.set(name, { child, port, page });
  await load(port, 2000);
}

function openPage(port: number): Promise<http.ClientRequest> {
  return new Promise((settle, reject) => {
    const page = http.get({ host: '127.0.0.1', port, path: '/_fw/events', agent: false }, (response) => {
      response.on('error', () => {}).resume();
      settle(page);
    });
    page.on('error', reject);
  });
}

async function measure({ child, port }: Session): Promise<Run> {
  const before = cpuOf(child.pid ?? 0);
  const began = performance.now();
  await load(port, requests);
  const seconds = (performance.now() - began) / 1000;
  return { cpu: ((cpuOf(child.pid ?? 0) - before) / requests) * 1e6, rate: requests / seconds };
}

interface Paced {
  /** Microseconds of processor time for one request. */
  readonly cpu: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends on time, whether or not earlier requests were answered. */
async function measurePaced({ child, port }: Session, pace: number): Promise<Paced> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  await pacedTimes(port, agent, pace, pace * SETTLING_SECONDS);
  const count = pace * PACED_SECONDS;
  const before = cpuOf(child.pid ?? 0);
  const times = await pacedTimes(port, agent, pace, count);
  const cpu = ((cpuOf(child.pid ?? 0) - before) / count) * 1e6;
  agent.destroy();
  times.sort((a, b) => a - b);
  return { cpu, p50: times[Math.floor(count / 2)] ?? 0, p99: times[Math.floor(count * 0.99)] ?? 0 };
}

async function pacedTimes(port: number, agent: http.Agent, pace: number, count: number): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  while (pending.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - began) / 1000) * pace));
    while (pending.length < due) pending.push(timed(port, agent, times));
    await delay(1);
  }
  await Promise.all(pending);
  return times;
}

function timed(port: number, agent: http.Agent, times: number[]): Promise<void> {
  const began = performance.now();
  return new Promise((settle, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path: '/json', agent }, (response) => {
      response.once('end', () => {
        times.push(performance.now() - began);
        settle();
      });
      response.resume();
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
    });
    request.once('error', reject);
  });
}

async function load(port: number, count: number): Promise<void> {
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await exchange(port);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

function exchange(port: number): Promise<void> {
  return new Promise((settle, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.once('close', () => {
      if (text.startsWith('HTTP/1.1 200')) settle();
      else reject(new Error(`not answered: ${text.slice(0, 100)}`));
    });
    socket.once('error', reject);
    socket.end(`GET /json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: */*\r\n\r\n`);
  });
}

/** Seconds that a process and its children have used. */
function cpuOf(pid: number): number {
  const own = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = own.slice(own.lastIndexOf(')') + 2).split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const below = children === '' ? [] : children.split(' ').map(Number);
  return (Number(fields[11]) + Number(fields[12])) / hertz + below.reduce((sum, one) => sum + cpuOf(one), 0);
}
