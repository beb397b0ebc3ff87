// Start time, memory and size of production apps beside other starters: `npm run starters [-- --rounds 7]`. Each app
// is as its generator makes it, built and started by its own scripts. Downloads the generators and packages.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../free-port.js';
import { interleave, median, printTable } from './measure.js';
import { makeStarters, type Starter } from './starter-apps.js';
import { residentMegabytes, startInGroup } from './starter-process.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const requests = 1000;

interface Run {
  /** Milliseconds from the start script to the first 200. */
  readonly start: number;
  /** Resident megabytes of the server and of what started it, after the first answer and after the requests. */
  readonly first: number;
  readonly last: number;
}

const starters = new Map<string, Starter>();
for (const made of makeStarters()) {
  if ('reason' in made) console.log(`skipped ${made.name}: ${made.reason}`);
  else starters.set(made.name, made);
}

const results = await interleave([...starters.keys()], Number(values.rounds), measure);
printTable(
  ['', 'first 200', 'memory', `after ${requests}`, 'node_modules', 'build'],
  [...results].map(([name, runs]) => {
    const of = (key: keyof Run) => median(runs.map((run) => run[key])).toFixed(0);
    const { packages, output } = starters.get(name) as Starter;
    return [
      name,
      `${of('start')} ms`,
      `${of('first')} MB`,
      `${of('last')} MB`,
      `${packages.toFixed(0)} MB`,
      `${(output * 1000).toFixed(0)} KB`,
    ];
  }),
);

async function measure(name: string): Promise<Run> {
  const { folder, script, path, environment } = starters.get(name) as Starter;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${path}`;
  const began = performance.now();
  const child = startInGroup(folder, script, { ...environment, PORT: String(port), NODE_ENV: 'production' });
  const exited = once(child, 'exit');
  try {
    while (!(await isOk(url))) {
      if (child.exitCode !== null) throw new Error(`${name} exited with code ${child.exitCode}`);
      if (performance.now() - began > 60_000) throw new Error(`${name} did not answer ${url} within 60 s`);
      await pause(2);
    }
    const start = performance.now() - began;
    const first = residentMegabytes(child);
    for (let count = 0; count < requests; count += 10) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => isOk(url)));
      if (answers.includes(false)) throw new Error(`${name} failed under ${requests} requests`);
    }
    return { start, first, last: residentMegabytes(child) };
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exited;
  }
}

async function isOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
