// What a session and a key of a rate limit take in memory, beside the stores of peers:
// `npm run store-memory [-- --rounds 3 --count 50000 --json file]`. Each is measured in a process of its own.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { interleave, median, printTable } from './measure.js';
import { type Series, writeSeries } from './series.js';
import { keys, sessions } from './servers/held-stores.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    count: { type: 'string', default: '50000' },
    json: { type: 'string' },
    /** Measures one contender in this process, such as `sessions/fw`. */
    one: { type: 'string' },
  },
});
const kinds = { 'a session': sessions, 'a key of a rate limit': keys };
const COUNT = Number(values.count);

if (values.one === undefined) {
  const series: Series[] = [];
  for (const [kind, contenders] of Object.entries(kinds)) {
    series.push(await compare(kind, Object.keys(contenders)));
  }
  writeSeries(values.json, series);
} else {
  const [kind = '', contender = ''] = values.one.split('=');
  const start = kinds[kind as keyof typeof kinds]?.[contender];
  if (start === undefined) throw new Error(`there is no '${values.one}'`);
  console.log(await bytesOfOne(await start()));
}

async function compare(kind: string, contenders: readonly string[]): Promise<Series> {
  const results = await interleave(
    contenders,
    Number(values.rounds),
    async (name) => inProcess(kind, name),
    0,
  );
  const fw = median(results.get('fw') ?? []);
  printTable(
    [kind, 'bytes', '÷ fw'],
    [...results].map(([name, of]) => [
      name,
      Math.round(median(of)).toLocaleString('en'),
      (median(of) / fw).toFixed(2),
    ]),
  );
  console.log();
  return {
    name: `memory of ${kind}`,
    unit: 'bytes',
    better: 'less',
    // That of Express, which all others are compared with most often.
    base: contenders.find((name) => name.startsWith('express-')) ?? 'fw',
    rounds: Object.fromEntries(results),
  };
}

function inProcess(kind: string, contender: string): number {
  const file = fileURLToPath(import.meta.url);
  const own = ['--one', `${kind}=${contender}`, '--count', String(COUNT)];
  return Number(
    execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', file, ...own], { encoding: 'utf8' }),
  );
}

/** Of the heap and what belongs to it, for each of many. */
async function bytesOfOne(ask: (key: string) => Promise<number>): Promise<number> {
  const add = async (prefix: string, count: number) => {
    for (let i = 0; i < count; i++) {
      const status = await ask(`${prefix}-${i}`);
      if (status !== 200) throw new Error(`${prefix}-${i} was answered ${status}`);
    }
  };
  await add('warm', 2_000);
  const before = await held();
  await add('user', COUNT);
  return ((await held()) - before) / COUNT;
}

async function held(): Promise<number> {
  for (let i = 0; i < 10; i++) {
    // What only ends in a later turn is garbage by then.
    await new Promise((resolve) => setTimeout(resolve, 50));
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
