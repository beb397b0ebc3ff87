// npm run coverage: which lines of the binary the tests run, in their own process and in the processes that they start.
// vitest counts the first, V8 the second (NODE_V8_COVERAGE) in the built package, whose source maps lead back. A process
// that is killed writes nothing, so that the figures are a lower bound.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeProcessCovs, type ProcessCov } from '@bcoe/v8-coverage';
import spawn from 'cross-spawn';
import v8ToIstanbul from 'v8-to-istanbul';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'fw-coverage-'));
const raw = join(out, 'v8');
const own = join(out, 'vitest');

/** By source file, relative to the repository: the lines that hold statements, and those that ran. */
interface Lines {
  readonly all: Set<number>;
  readonly inProcess: Set<number>;
  readonly covered: Set<number>;
}
const sources = new Map<string, Lines>();

interface Istanbul {
  readonly statementMap: Readonly<Record<string, { readonly start: { readonly line: number } }>>;
  readonly s: Readonly<Record<string, number>>;
}

try {
  run('npx', ['tsx', '.ci/prepare.ts', '--force'], { FW_SOURCE_MAPS: '1' });
  runTests(process.argv.slice(2));
  readOwn();
  await readChildren();
  report();
} finally {
  run('npx', ['tsx', '.ci/prepare.ts', '--force'], {});
  rmSync(out, { recursive: true, force: true });
}

/** Tests that fail are told; what they ran counts all the same. */
function runTests(filter: readonly string[]): void {
  const projects = ['--project', 'unit*', '--project', 'e2e*'];
  const coverage = [
    '--coverage.enabled',
    '--coverage.provider=v8',
    '--coverage.reporter=json',
    `--coverage.reportsDirectory=${own}`,
    '--coverage.include=cli/**/*.ts',
    '--coverage.exclude=**/*.test.ts',
    '--coverage.exclude=**/*.d.ts',
    '--coverage.reportOnFailure',
  ];
  try {
    run('npx', ['vitest', 'run', ...projects, ...coverage, ...filter], { NODE_V8_COVERAGE: raw });
  } catch {
    console.error('some tests failed: the figures are those of what ran');
  }
}

function readOwn(): void {
  const files = JSON.parse(readFileSync(join(own, 'coverage-final.json'), 'utf8')) as Record<
    string,
    Istanbul
  >;
  for (const [file, coverage] of Object.entries(files)) {
    const lines = linesOf(file);
    for (const [id, { start }] of Object.entries(coverage.statementMap)) {
      lines.all.add(start.line);
      if ((coverage.s[id] ?? 0) === 0) continue;
      lines.inProcess.add(start.line);
      lines.covered.add(start.line);
    }
  }
}

/** What ran from the package, in the checkout or where a journey has installed it. */
async function readChildren(): Promise<void> {
  const processes = readdirSync(raw).map((name) =>
    fromPackage(JSON.parse(readFileSync(join(raw, name), 'utf8'))),
  );
  for (const { url, functions } of mergeProcessCovs(processes).result) {
    const converter = v8ToIstanbul(url);
    await converter.load();
    converter.applyCoverage(functions);
    for (const [source, coverage] of Object.entries(converter.toIstanbul() as Record<string, Istanbul>)) {
      addChild(source, coverage);
    }
    converter.destroy();
  }
}

/** The scripts of the binary in one process, each by its path in the checkout. */
function fromPackage({ result }: ProcessCov): ProcessCov {
  return {
    result: result.flatMap((script) => {
      const file = /^file:.*\/dist\/(cli\/.+\.js)$/.exec(script.url)?.[1];
      return file === undefined ? [] : [{ ...script, url: join(root, 'dist', file) }];
    }),
  };
}

/** V8 counts every line; those without a statement are nobody's. */
function addChild(source: string, coverage: Istanbul): void {
  if (!relative(root, source).startsWith(`cli${sep}`)) return;
  const lines = linesOf(source);
  for (const [id, { start }] of Object.entries(coverage.statementMap)) {
    if ((coverage.s[id] ?? 0) > 0 && lines.all.has(start.line)) lines.covered.add(start.line);
  }
}

function linesOf(file: string): Lines {
  const name = relative(root, file);
  const present = sources.get(name);
  if (present !== undefined) return present;
  const lines: Lines = { all: new Set(), inProcess: new Set(), covered: new Set() };
  sources.set(name, lines);
  return lines;
}

function report(): void {
  const folders = new Map<string, [all: number, inProcess: number, covered: number]>();
  const percent = (part: number, whole: number) =>
    `${((100 * part) / Math.max(1, whole)).toFixed(1).padStart(5)} %`;
  for (const [name, { all, inProcess, covered }] of [...sources].sort()) {
    for (const folder of [name.split(sep).slice(0, -1).join('/'), 'all of cli']) {
      const [a, b, c] = folders.get(folder) ?? [0, 0, 0];
      folders.set(folder, [a + all.size, b + inProcess.size, c + covered.size]);
    }
    if (all.size > 0 && covered.size / all.size < 0.8) {
      const missed = [...all].filter((line) => !covered.has(line)).sort((a, b) => a - b);
      console.log(
        `${percent(covered.size, all.size)}  ${name}, without lines ${missed.slice(0, 12).join(', ')}${missed.length > 12 ? ' …' : ''}`,
      );
    }
  }
  console.log('\nlines run by the tests themselves, and with the processes that they start:');
  for (const [folder, [all, inProcess, covered]] of folders) {
    console.log(`${percent(inProcess, all)}  ${percent(covered, all)}  ${folder}`);
  }
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status } = spawn.sync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
