// Save to first new answer, and requests lost meanwhile: `fw dev` beside `tsx watch`, the same app, in turn:
// `npm run dev [-- 3 20 300]`, rounds, saves and modules of the app.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange, startLoad } from '../dev-load.js';
import { interleave, median, printTable } from './measure.js';

const rounds = Number(process.argv[2] ?? 3);
const quietSaves = Number(process.argv[3] ?? 20);
const modules = Number(process.argv[4] ?? 12);
const loadSaves = 10;
const requestsPerSecond = 150;

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const contenders: Record<string, string[]> = {
  'fw dev': [join(checkout, 'dist/cli/main.js'), 'dev'],
  'tsx watch': [
    fileURLToPath(new URL('node_modules/tsx/dist/cli.mjs', import.meta.url)),
    'watch',
    'src/main.ts',
  ],
};

interface Run {
  /** Milliseconds from save to first new answer, without other traffic. */
  times: number[];
  answered: number;
  failed: number;
  stale: number;
  /** Resident megabytes and open descriptors of the tool's own process after the first and the last save. */
  own: { first: string; last: string };
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-dev-')));
let version = 0;
try {
  makeApp(folder);
  const results = await interleave(Object.keys(contenders), rounds, measure);
  print(results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** An app on fw, so that both tools have the same to load. */
function makeApp(root: string): void {
  mkdirSync(join(root, 'src/routes'), { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['fw', 'esbuild']) {
    symlinkSync(
      name === 'fw' ? checkout : join(checkout, 'node_modules', name),
      join(root, 'node_modules', name),
    );
  }
  writeFileSync(join(root, 'package.json'), '{"name":"bench-app","type":"module"}');
  saveVersion(root, 0);
  const names = Array.from({ length: Math.max(1, modules - 2) }, (_, index) => `route${index}`);
  for (const name of names) {
    writeFileSync(
      join(root, `src/routes/${name}.ts`),
      `import type { App } from 'fw';\nexport function ${name}(app: App): void {\n  app.get('/${name}/:id', (ctx) => ({ id: ctx.req.param('id') }));\n}\n`,
    );
  }
  writeFileSync(
    join(root, 'src/main.ts'),
    `import { setTimeout as delay } from 'node:timers/promises';
import { App } from 'fw';
import { version } from './version.js';
${names.map((name) => `import { ${name} } from './routes/${name}.js';`).join('\n')}
const app = new App();
${names.map((name) => `${name}(app);`).join('\n')}
app.get('/', () => ({ version }));
app.post('/echo', async (ctx) => ({ version, size: (await ctx.req.text()).length }));
app.get('/slow', async () => {
  await delay(300);
  return { version };
});
await app.listen(Number(process.env.PORT));
`,
  );
}

function saveVersion(root: string, value: number): void {
  writeFileSync(join(root, 'src/version.ts'), `export const version: number = ${value};\n`);
}

function save(): number {
  version += 1;
  saveVersion(folder, version);
  return version;
}

async function measure(contender: string): Promise<Run> {
  const port = await freePort();
  const child = spawn(process.execPath, contenders[contender] as string[], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'development' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await firstAnswer(port, version);
    await pause(500);
    const times: number[] = [];
    let first = '';
    for (let index = 0; index < quietSaves; index += 1) {
      const began = performance.now();
      await firstAnswer(port, save());
      times.push(performance.now() - began);
      await pause(400);
      if (index === 0) first = ownState(child);
    }
    return { times, ...(await underLoad(port)), own: { first, last: ownState(child) } };
  } finally {
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
  }
}

async function underLoad(port: number): Promise<Pick<Run, 'answered' | 'failed' | 'stale'>> {
  const load = startLoad(port, requestsPerSecond);
  await load.answeredBy(version);
  for (let index = 0; index < loadSaves; index += 1) {
    await load.answeredBy(save());
    await pause(300);
  }
  const { answered, failed, stale } = await load.stop();
  return { answered, failed: failed.length, stale: stale.length };
}

/** Asks one request after the other until this version answers. */
async function firstAnswer(port: number, wanted: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const answer = await exchange(port, '/').catch(() => undefined);
    if (answer && answer.version >= wanted) return;
    if (Date.now() > deadline) throw new Error(`version ${wanted} did not answer within 20 s`);
    if (!answer) await pause(1);
  }
}

function ownState(child: ChildProcess): string {
  try {
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    const descriptors = readdirSync(`/proc/${child.pid}/fd`).length;
    return `${Math.round(Number(resident) / 1024)} MB, ${descriptors} fds`;
  } catch {
    return 'unknown';
  }
}

function print(results: Map<string, Run[]>): void {
  const medianOf = (name: string): number => median((results.get(name) ?? []).flatMap((run) => run.times));
  const rows = [...results].map(([name, runs]) => {
    const times = runs.flatMap((run) => run.times).sort((a, b) => a - b);
    const sum = (key: 'answered' | 'failed' | 'stale'): number =>
      runs.reduce((total, run) => total + run[key], 0);
    return [
      name,
      `${median(times).toFixed(1)} ms`,
      `${(times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN).toFixed(1)} ms`,
      `${(median(times) / medianOf('tsx watch')).toFixed(3)}`,
      `${sum('failed')} of ${sum('answered') + sum('failed')}`,
      String(sum('stale')),
      runs.at(-1)?.own.first ?? '',
      runs.at(-1)?.own.last ?? '',
    ];
  });
  console.log(
    `An app of ${modules} modules, ${rounds} rounds of ${quietSaves} saves without traffic, ${loadSaves} saves at ${requestsPerSecond} requests/s\n`,
  );
  printTable(
    [
      '',
      'save to answer',
      'p99',
      'ratio',
      'failed',
      'stale',
      'after 1 save',
      `after ${quietSaves + loadSaves}`,
    ],
    rows,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
