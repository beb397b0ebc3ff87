// Save to first new answer of an app of the template rpc: `npm run dev-client [-- 3 20]`. With the client that
// `fw dev` keeps beside it and without, for an edit in a handler and for one of its types, with which the contract,
// the client and the server change; and whether the client on disk was the new one when the server answered.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.js';
import { interleave, median, printTable } from './measure.js';

const rounds = Number(process.argv[2] ?? 3);
const saves = Number(process.argv[3] ?? 20);
const here = fileURLToPath(new URL('.', import.meta.url));
const checkout = join(here, '../..');
const out = realpathSync(mkdtempSync(join(tmpdir(), 'fw-bench-client-')));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

interface Contender {
  readonly client: boolean;
  readonly typescript: string;
  /** The sources with the edit of this number, and the error of `finishTask` that tells of it. */
  edit(text: string, count: number): readonly [text: string, error: string];
}

const body: Contender['edit'] = (text, count) => [
  text.replace('there is no task', `edit ${count} has no task`),
  `edit ${count} has`,
];
const types: Contender['edit'] = (text, count) => [
  text.replace('input: { id: number }', `input: { id: number; note${count}: string }`),
  `note${count}`,
];
const contenders: Record<string, Contender> = {
  'no client, handler': { client: false, typescript: 'typescript', edit: body },
  'client, handler': { client: true, typescript: 'typescript', edit: body },
  'client, types': { client: true, typescript: 'typescript', edit: types },
  'client, handler, TypeScript 6': { client: true, typescript: 'typescript-6', edit: body },
  'client, types, TypeScript 6': { client: true, typescript: 'typescript-6', edit: types },
};

interface Run {
  readonly times: number[];
  /** Answers of new code while the client on disk was an old one. */
  readonly late: number;
}

let count = 0;
const results = await interleave(Object.keys(contenders), rounds, async (name): Promise<Run> => {
  const { client, typescript, edit } = contenders[name] as Contender;
  const app = makeApp(client, typescript);
  const file = join(app, 'src/rpc.ts');
  const sound = readFileSync(file, 'utf8');
  const port = await freePort();
  const child = spawn(process.execPath, [join(checkout, 'dist/cli/main.js'), 'dev'], {
    cwd: app,
    env: { ...process.env, PORT: String(port), NODE_ENV: 'development' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await answersWith(port, 'no task');
    await pause(3000);
    const times: number[] = [];
    let late = 0;
    for (let index = 0; index < saves; index += 1) {
      count += 1;
      const [text, error] = edit(sound, count);
      const began = performance.now();
      writeFileSync(file, text);
      await answersWith(port, error);
      times.push(performance.now() - began);
      if (edit === types && !readFileSync(join(app, 'src/client.ts'), 'utf8').includes(error)) late += 1;
      await pause(500);
    }
    return { times, late };
  } finally {
    child.kill('SIGTERM');
    await new Promise((done) => child.once('exit', done));
    rmSync(app, { recursive: true });
  }
});

console.log(`\n${rounds} rounds of ${saves} saves, template rpc\n`);
printTable(
  ['', 'save to answer', 'p99', 'client late'],
  [...results].map(([name, runs]) => {
    const times = runs.flatMap((run) => run.times).sort((a, b) => a - b);
    const p99 = times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
    const late = runs.reduce((sum, run) => sum + run.late, 0);
    return [name, `${median(times).toFixed(1)} ms`, `${p99.toFixed(1)} ms`, `${late} of ${times.length}`];
  }),
);

function makeApp(hasClient: boolean, typescript: string): string {
  const app = mkdtempSync(join(out, 'app-'));
  cpSync(join(checkout, 'templates/rpc'), app, { recursive: true });
  mkdirSync(join(app, 'node_modules/@types'), { recursive: true });
  const modules = {
    fw: checkout,
    esbuild: join(checkout, 'node_modules/esbuild'),
    typescript: join(here, 'node_modules', typescript),
    zod: join(here, 'node_modules/zod'),
    '@types/node': join(here, 'node_modules/@types/node'),
    'undici-types': join(here, 'node_modules/undici-types'),
  };
  for (const [to, from] of Object.entries(modules)) symlinkSync(from, join(app, 'node_modules', to));
  const settings = join(app, 'fw.toml');
  if (!hasClient) writeFileSync(settings, readFileSync(settings, 'utf8').replace(/^output_path.*$/m, ''));
  return app;
}

/** Asks one call after the other until its error says this. */
async function answersWith(port: number, error: string): Promise<void> {
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'finishTask', params: { id: 77 } }),
  };
  let last = '';
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; ) {
    try {
      last = await (await fetch(`http://127.0.0.1:${port}/rpc`, request)).text();
      if (last.includes(error)) return;
    } catch {
      await pause(1);
    }
  }
  throw new Error(`no answer with '${error}' within 20 s, but ${last}`);
}
