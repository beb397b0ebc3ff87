// Says what newer versions of dependencies break: npm run try-updates, or npm run try-updates -- jose vitest@5.0.0
// Each is installed by itself into a clone of HEAD, or into an app of a template, and is built, checked and tested
// there; the checkout is not touched. What fails without the update too does not count. It ends with 1 if an update
// breaks something.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minVersion } from 'semver';
import { listTemplateFolders } from '../cli/new/templates.js';
import { runBounded } from './run-bounded.js';
import { packagesImportedBy } from './source-imports.js';
import { writeWorkspace } from './template-locks.js';
import { cloneCheckout } from './temporary-clone.js';
import {
  chosenUpdates,
  firstErrors,
  type Outcome,
  type OutdatedList,
  refusedByEngines,
  type Update,
  updatesOfCheckout,
  updatesOfTemplates,
  updateTable,
} from './updates.js';

interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

/** For one step. */
const SECONDS = 240;
/** Files with tests that are run for one update. */
const MOST_TESTS = 40;
const ERRORS = 3;
const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'] as const;

const root = fileURLToPath(new URL('..', import.meta.url));
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string };
};
const oldest = minVersion(engines.node)?.version ?? engines.node;
const templates = listTemplateFolders(join(root, 'templates'));
const place = realpathSync(mkdtempSync(join(tmpdir(), 'fw-updates-')));
process.on('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** Folders as they are without an update, by where they are. */
const unchanged = new Map<string, Promise<string>>();
let folders = 0;

const { chosen, unknown } = chosenUpdates(findUpdates(), process.argv.slice(2));
for (const name of unknown) console.log(`${name}: nothing newer, or not a dependency`);
const outcomes: Outcome[] = [];
for (const update of chosen) {
  const { name, where, from, to } = update;
  console.error(`${outcomes.length + 1}/${chosen.length} ${name} ${from} → ${to} in ${where} …`);
  outcomes.push(
    await tried(update).catch((error: unknown) => broken(update, 'could not be tried', String(error))),
  );
}
if (outcomes.length > 0) console.log(`\n${updateTable(outcomes)}`);
if (outcomes.some(({ result }) => /^(?:breaks|does not|could not)/.test(result))) process.exitCode = 1;

function findUpdates(): Update[] {
  const folder = join(place, 'templates');
  mkdirSync(folder);
  // npm leaves out what is for development and not installed. A package called fw is not this one there.
  writeWorkspace(folder, templates, ({ dependencies, devDependencies }) => {
    const { fw: _, ...others } = dependencies;
    return { dependencies: { ...devDependencies, ...others }, devDependencies: {} };
  });
  const order = templates.map(({ name }) => name);
  return [...updatesOfCheckout(outdated(root)), ...updatesOfTemplates(outdated(folder, '--all'), order)];
}

/** npm ends with 1 if there is something newer. With `--all` it lists what members of a workspace have. */
function outdated(cwd: string, ...args: string[]): OutdatedList {
  const { stdout, stderr } = spawnSync('npm', ['outdated', '--json', ...args], { cwd, encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(`npm outdated has failed: ${stderr}`);
  const list = JSON.parse(stdout) as OutdatedList & { readonly error?: { readonly summary?: string } };
  if (list.error?.summary !== undefined) throw new Error(`npm outdated has failed: ${list.error.summary}`);
  return list;
}

async function tried(update: Update): Promise<Outcome> {
  const { name, where, to } = update;
  const needed = execFileSync('npm', ['view', `${name}@${to}`, 'engines.node'], { encoding: 'utf8' });
  const refused = refusedByEngines(needed.trim(), oldest);
  if (refused !== undefined) return { ...update, result: refused, details: [] };

  const folder = where === 'fw' ? clone() : await makeApp(where);
  try {
    const installed = await runBounded('npm', [...install, `${name}@${to}`], folder, SECONDS);
    if (!installed.hasPassed) return broken(update, 'does not install', installed.output);
    const [steps, covered] = where === 'fw' ? stepsOfCheckout(name, folder) : [stepsOfApp(), ''];
    const failed: string[] = [];
    const details: string[] = [];
    for (const step of steps) {
      const [program, ...args] = step.command;
      const { hasPassed, output } = await runBounded(program, args, folder, SECONDS);
      if (hasPassed || (await failsAnyway(step, where))) continue;
      failed.push(step.name);
      details.push(...firstErrors(output, ERRORS).map((line) => `${step.name}: ${line}`));
      // Nothing works without it.
      if (step.name === 'build' && where === 'fw') break;
    }
    const result = failed.length === 0 ? `passes${covered}` : `breaks ${failed.join(', ')}${covered}`;
    return { ...update, result, details };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function broken(update: Update, result: string, output: string): Outcome {
  return { ...update, result, details: firstErrors(output, ERRORS) };
}

function clone(): string {
  folders += 1;
  const folder = join(place, `clone-${folders}`);
  cloneCheckout(root, folder);
  return folder;
}

/** An app of the template, which has the fw of this checkout. */
async function makeApp(template: string): Promise<string> {
  const fw = join(await asItIs('fw'), 'dist/cli/main.js');
  folders += 1;
  const folder = join(place, `app-${folders}`);
  const args = [fw, 'new', folder, '--name', 'app', '--template', template, '--no-install', '--no-git'];
  await passed(process.execPath, args, place);
  await passed('npm', [...install], folder);
  return folder;
}

/** The place without the update: a clone that is built, or an app. */
function asItIs(where: string): Promise<string> {
  const made = unchanged.get(where) ?? (where === 'fw' ? builtClone() : makeApp(where));
  unchanged.set(where, made);
  return made;
}

async function builtClone(): Promise<string> {
  const folder = clone();
  await passed('npm', ['run', 'build'], folder);
  return folder;
}

async function failsAnyway({ command: [program, ...args] }: Step, where: string): Promise<boolean> {
  return !(await runBounded(program, args, await asItIs(where), SECONDS)).hasPassed;
}

/** @throws Error with the output if the program fails */
async function passed(program: string, args: readonly string[], cwd: string): Promise<void> {
  const { hasPassed, output } = await runBounded(program, args, cwd, SECONDS);
  if (!hasPassed) throw new Error(`${program} ${args.join(' ')} has failed:\n${output}`);
}

function stepsOfApp(): Step[] {
  return ['typecheck', 'lint', 'test', 'build'].map(npmStep);
}

/** The steps, and which tests they have. */
function stepsOfCheckout(name: string, folder: string): [steps: Step[], covered: string] {
  const steps = ['build', 'typecheck', 'lint'].map(npmStep);
  const all = testsOf(name, folder);
  const tests = all.slice(0, MOST_TESTS);
  if (tests.length === 0) return [steps, '; no test imports it'];
  const projects = ['--project', 'unit*', '--project', 'templates'];
  const vitest: Step = { name: 'tests', command: ['npx', 'vitest', 'run', ...projects, ...tests] };
  const of = all.length > tests.length ? ` of ${all.length}` : '';
  return [[...steps, vitest], ` (${tests.length}${of} files of tests)`];
}

function npmStep(script: string): Step {
  return { name: script, command: ['npm', 'run', script] };
}

/** Those that import the package, and those beside sources that do. */
function testsOf(name: string, folder: string): string[] {
  const listed = execFileSync('git', ['ls-files', 'framework', 'cli', '.ci', 'templates', 'e2e/bench'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((file) => /\.tsx?$/.test(file));
  const importing = files.filter((file) => importsPackage(folder, file, name));
  const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file);
  const beside = new Set(importing.filter((file) => !isTest(file)).map((file) => dirname(file)));
  const found = files.filter(
    (file) => isTest(file) && (importing.includes(file) || beside.has(dirname(file))),
  );
  // Those that import it first.
  return found.sort((one, other) => Number(importing.includes(other)) - Number(importing.includes(one)));
}

function importsPackage(folder: string, file: string, name: string): boolean {
  return packagesImportedBy(folder, [file], true).has(name);
}
