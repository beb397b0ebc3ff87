// Save to first new answer under `fw dev` on every template: `npm run dev-templates [-- 2 15 basic rpc]`, rounds,
// saves and templates. Saves of a leaf module and, where there is a client, of a type of a procedure, which changes
// the contract, the client and the server; and a second save of the leaf, when the first is about to be answered or has
// been for a moment. A small load meanwhile counts failed and stale answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.js';
import { median, printTable } from './measure.js';
import { checkout, makeApp, removeApps, templates } from './template-apps.js';
import { probe, type Question, startProbes } from './template-load.js';

const rounds = Number(process.argv[2] ?? 2);
const saves = Number(process.argv[3] ?? 15);
const names = process.argv.length > 4 ? process.argv.slice(4) : Object.keys(templates);
/** Saves of every session that do not count: the first ones meet caches that are still empty. */
const firstSaves = 3;
/** Until the next processes are warm: those of large templates take a second of processor time each. */
const betweenSaves = 2000;
/** From the first save of a pair to the second. */
const betweenPairs = 100;
const requestsPerSecond = 20;

interface Row {
  readonly times: number[];
  answered: number;
  failed: number;
  stale: number;
}

const rows = new Map<string, Row>();
const apps = new Map(names.map((name) => [name, makeApp(name)]));
process.on('exit', removeApps);
let version = 0;

for (let round = 1; round <= rounds; round += 1) {
  for (const [name, app] of apps) await session(name, app);
}

async function session(name: string, app: string): Promise<void> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(checkout, 'dist/cli/main.js'), 'dev', '--port', String(port)], {
    cwd: app,
    env: { ...process.env, RATE_LIMIT: '1000000', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2000);
  });
  try {
    const { question, procedures } = template(name);
    await answersWith(port, question, saveLeaf(app), child);
    await pause(3000);
    await measure(`${name}, leaf`, port, question, child, () => saveLeaf(app));
    await measure(
      `${name}, leaf, ${betweenPairs} ms after another`,
      port,
      question,
      child,
      () => saveLeaf(app),
      betweenPairs,
    );
    if (procedures) {
      const file = join(app, procedures.file);
      const sound = readFileSync(file, 'utf8');
      await measure(`${name}, procedure`, port, question, child, () =>
        saveProcedure(file, sound, procedures.edit),
      );
      writeFileSync(file, sound);
    }
  } catch (error) {
    console.error(`the last that fw dev printed:\n${printed}`);
    throw error;
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

async function measure(
  what: string,
  port: number,
  question: Question,
  child: ChildProcess,
  save: () => number,
  pairedBy?: number,
): Promise<void> {
  const row = rows.get(what) ?? { times: [], answered: 0, failed: 0, stale: 0 };
  rows.set(what, row);
  const load = startProbes(port, question, requestsPerSecond);
  for (let index = 0; index < firstSaves + saves; index += 1) {
    if (pairedBy !== undefined) {
      save();
      await pause(pairedBy);
    }
    const began = performance.now();
    const wanted = save();
    await answersWith(port, question, wanted, child);
    if (index >= firstSaves) row.times.push(performance.now() - began);
    load.seen(wanted);
    await pause(betweenSaves);
  }
  const { answered, failed, stale } = await load.stop();
  row.answered += answered;
  row.failed += failed.length;
  row.stale += stale.length;
  for (const line of [...failed, ...stale].slice(0, 3)) console.error(`${what}: ${line}`);
}

function saveLeaf(app: string): number {
  version += 1;
  writeFileSync(join(app, 'src/bench-version.ts'), mark(version));
  return version;
}

function saveProcedure(file: string, sound: string, edit: readonly [string, string]): number {
  version += 1;
  const edited = sound.replace(edit[0], edit[1].replace('COUNT', String(version)));
  if (edited === sound)
    throw new Error(`${file} has no '${edit[0]}' any more: change the edit of this bench`);
  writeFileSync(file, `${edited}\n${mark(version)}`);
  return version;
}

/** Read by the module that `makeApp` adds, which puts the highest number on every response. */
function mark(value: number): string {
  return `Object.assign(globalThis, { benchVersion: ${value} });\n`;
}

/** Asks one request after the other until this version answers. */
async function answersWith(
  port: number,
  question: Question,
  wanted: number,
  child: ChildProcess,
): Promise<void> {
  let last = 'nothing';
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`fw dev exited with code ${child.exitCode}`);
    const answer = await probe(port, question).catch((error: Error) => error);
    if (!(answer instanceof Error) && answer.version === wanted) return;
    last = answer instanceof Error ? answer.message : `version ${answer.version}`;
    if (answer instanceof Error) await pause(1);
  }
  throw new Error(`version ${wanted} did not answer at ${question.path} within 30 s, but ${last}`);
}

function template(name: string): (typeof templates)[string] & object {
  const found = templates[name];
  if (!found) throw new Error(`there is no template ${name}; there are ${Object.keys(templates).join(', ')}`);
  return found;
}

console.log(`\n${rounds} rounds of ${saves} saves each, at ${requestsPerSecond} requests/s\n`);
printTable(
  ['', 'save to answer', 'p99', 'failed', 'stale'],
  [...rows].map(([name, { times, answered, failed, stale }]) => {
    const sorted = [...times].sort((a, b) => a - b);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
    return [
      name,
      `${median(times).toFixed(1)} ms`,
      `${p99.toFixed(1)} ms`,
      `${failed} of ${answered + failed}`,
      String(stale),
    ];
  }),
);
