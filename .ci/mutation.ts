// Mutation testing by Stryker: npm run test:mutation, or npm run test:mutation router http
// A group and paths of its files, such as framework/router/router.ts:10-20, mutate only these.
// With `-- --incremental` only what changed since the last such run is tested: source and test files, not what they import.
// Each score is of the mutants that the tests could kill; what survives is in reports/mutation/<group>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import { groups, type MutationGroup } from './mutation-groups.js';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const root = fileURLToPath(new URL('..', import.meta.url));
const reports = `${root}/reports/mutation`;
/** Equivalent mutants are marked in the sources, with their reason, and come back as ignored. */
const KILLED: readonly string[] = ['Killed', 'Timeout'];
const SURVIVED: readonly string[] = ['Survived', 'NoCoverage'];

const isIncremental = process.argv.includes('--incremental');
const args = process.argv.slice(2).filter((argument) => argument !== '--incremental');
/** Files to mutate instead of all of a group's. */
const files = args.filter((argument) => argument.includes('/'));
const asked = args.filter((argument) => !argument.includes('/'));
const unknown = asked.filter((name) => !Object.hasOwn(groups, name));
if (unknown.length > 0) {
  console.error(
    `no group of .ci/mutation-groups.ts: ${unknown.join(', ')}; it has ${Object.keys(groups).join(', ')}`,
  );
  process.exit(2);
}

setPriority(19);
process.chdir(root);
mkdirSync(reports, { recursive: true });
const all: MutantResult[] = [];
for (const [name, group] of Object.entries(groups)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const mutants = await run(name, group);
  const survivors = mutants.filter(({ status }) => SURVIVED.includes(status)).map(describe);
  writeFileSync(`${reports}/${name}.json`, `${JSON.stringify(survivors, null, 2)}\n`);
  console.log(score(name, mutants));
  all.push(...mutants);
}
console.log(score('all of these', all));

async function run(name: string, group: MutationGroup): Promise<MutantResult[]> {
  process.env.FW_MUTATION_TESTS = JSON.stringify(testFiles(group));
  process.env.FW_MUTATION_LOAD = JSON.stringify(group.load ?? []);
  process.env.FW_CONFORMANCE_AREAS = JSON.stringify(group.areas ?? []);
  process.env.FW_CONFORMANCE_TRANSPORT = group.transport ?? 'fetch';
  return new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: '.ci/mutation.vitest.ts', related: false },
    mutate: files.length > 0 ? files : sources(group),
    mutator: { plugins: null, excludedMutations: group.texts ? [] : ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: isIncremental,
    incrementalFile: `${reports}/${name}.incremental.json`,
    concurrency: 2,
    // A busy machine is not what kills a mutant: one that loops is stopped by its count of hits, and one that waits by the
    // time limit of its test.
    timeoutMS: 60_000,
    // Stryker reads and rewrites the file of that name by the API that TypeScript 7 no longer has; there is none.
    tsconfigFile: 'tsconfig.none.json',
    ignorePatterns: ['/dist', '/dist.next', '/e2e', '/reports', '/templates/*/node_modules'],
    tempDirName: '.stryker-tmp',
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    checkers: [],
  }).runMutationTest();
}

function sources(group: MutationGroup): string[] {
  return group.mutate.flatMap((path) =>
    path.endsWith('.ts') ? [path] : [`${path}/**/*.ts`, `!${path}/**/*.test.ts`, `!${path}/**/*.test-d.ts`],
  );
}

function testFiles(group: MutationGroup): string[] {
  const named = group.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));
  return group.areas ? [...named, 'framework/conformance/conformance.test.ts'] : named;
}

function describe(mutant: MutantResult): object {
  const { fileName, location, mutatorName, replacement, status } = mutant;
  return {
    place: `${relative(root, fileName)}:${location.start.line}:${location.start.column}`,
    mutatorName,
    replacement,
    status,
  };
}

function score(name: string, mutants: readonly MutantResult[]): string {
  const killed = mutants.filter(({ status }) => KILLED.includes(status)).length;
  const survived = mutants.filter(({ status }) => SURVIVED.includes(status)).length;
  const ignored = mutants.length - killed - survived;
  const percent = ((100 * killed) / Math.max(1, killed + survived)).toFixed(1);
  return `${name}: ${percent} % (${killed} of ${killed + survived} killed; ${ignored} equivalent, static or excluded)`;
}
