// Checks what fw costs against .ci/budget.json, in counts that do not depend on the machine's speed or load: instructions
// and allocations of a request against a handwritten server on node:http in the same run, and what starting loads.
// Needs a build, Debian's valgrind and nghttp2-client, and `npm ci` in e2e/bench. After a change that is meant to spend
// more, in the same commit, whose message says why: npm run check:budget -- --update
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Counts, compareWithBudget, lowestCounts, type Tolerances } from './budget.js';
import { countBundles, countEntries, countStart } from './budget-loading.js';

const { values } = parseArgs({
  options: {
    update: { type: 'boolean', default: false },
    /** Leaves the requests out, which take two minutes. */
    'no-requests': { type: 'boolean', default: false },
  },
});
const file = fileURLToPath(new URL('budget.json', import.meta.url));
const bench = fileURLToPath(new URL('../e2e/bench', import.meta.url));
const WORKLOADS = ['json', 'param', 'post', 'chain', 'rpc-single', 'rpc-batch'];

interface Budget {
  readonly about: string;
  readonly tolerances: Tolerances;
  readonly rows: Counts;
}
const budget = JSON.parse(readFileSync(file, 'utf8')) as Budget;
const isAsked = (row: string) => !values['no-requests'] || !row.startsWith('request ');

const counted: Counts = {
  ...(values['no-requests'] ? {} : countSettled()),
  ...countStart(),
  ...countEntries(),
  ...countBundles(),
};
const asked = Object.fromEntries(Object.entries(budget.rows).filter(([row]) => isAsked(row)));
if (values.update) {
  const kept = Object.fromEntries(Object.entries(budget.rows).filter(([row]) => !isAsked(row)));
  writeFileSync(file, `${JSON.stringify({ ...budget, rows: { ...kept, ...counted } }, undefined, 2)}\n`);
} else {
  const problems = compareWithBudget(asked, counted, budget.tolerances);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error(
      'Where the new figure is meant: npm run check:budget -- --update, and say why in the same commit.',
    );
    process.exitCode = 1;
  }
}
console.log(`${Object.keys(counted).length} rows ${values.update ? 'written' : 'compared with the budget'}`);

/**
 * Where V8 puts things in memory decides how well some of its caches work, which differs between runs of the same code
 * by up to 2 %. So a workload that is over its budget is counted again, and the lowest of its counts is compared: code
 * that costs more costs more in every run.
 */
function countSettled(): Counts {
  const first = countRequests(WORKLOADS, 1);
  const over = WORKLOADS.filter((name) => {
    const row = `request ${name}`;
    const only = (rows: Counts): Counts => (rows[row] === undefined ? {} : { [row]: rows[row] });
    return compareWithBudget(only(budget.rows), only(first), budget.tolerances).length > 0;
  });
  return values.update || over.length === 0 ? first : lowestCounts(first, countRequests(over, 3));
}

/** Ratios to the handwritten server, which another version of Node.js makes dearer or cheaper as well. */
function countRequests(names: readonly string[], repeat: number): Counts {
  const dir = mkdtempSync(join(tmpdir(), 'fw-budget-'));
  try {
    const json = join(dir, 'counts.json');
    const args = ['instructions.ts', '--only', names.join(), '--repeat', String(repeat), '--json', json];
    execFileSync(process.execPath, ['--import', 'tsx', ...args], {
      cwd: bench,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const costs = JSON.parse(readFileSync(json, 'utf8')) as Record<
      string,
      Record<'node-http' | 'fw', { instructions: number; bytes: number }[]>
    >;
    return Object.fromEntries(
      Object.entries(costs).map(([name, { fw, 'node-http': base }]) => {
        const ratio = (what: 'instructions' | 'bytes') => {
          const lowest = (of: typeof fw) => Math.min(...of.map((cost) => cost[what]));
          return Number((lowest(fw) / lowest(base)).toFixed(3));
        };
        return [
          `request ${name}`,
          { 'instructions ÷ node:http': ratio('instructions'), 'allocations ÷ node:http': ratio('bytes') },
        ];
      }),
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
