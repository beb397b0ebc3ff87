// Runs unit tests with Node's Windows executable under Wine: npm run test:windows [-- FILES]
// It needs the folder of setup.sh as FW_WINDOWS. `not-there.ts` lists what cannot run there; a test of that list that
// passes is a failure of this run, as any other that does not. Files with a failure run again, one at a time and with
// nothing beside them: Wine starts a process in half a second, and two at once fail tests by time alone.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flakyLine, note } from '../tests.js';
import { type Listed, listedFor, notThere } from './not-there.js';

interface Test {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  /** In milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly Test[];
}

/** In milliseconds; a test that hangs in a call that blocks knows no other limit. */
const longest = 40 * 60_000;
/** With more than these, something other than time is wrong. */
const MAX_FILES_AGAIN = 15;

const windows = process.env.FW_WINDOWS ?? '';
if (!existsSync(join(windows, 'node.exe'))) {
  throw new Error(
    'FW_WINDOWS does not name the folder of .ci/windows/setup.sh; run: bash .ci/windows/setup.sh DIR',
  );
}
const repository = process.cwd();
const files = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'fw-windows-tests-'));
try {
  process.exitCode = judge(runAll());
} finally {
  rmSync(folder, { recursive: true });
}

/** The results of all files, those of failed ones from their second run. */
function runAll(): readonly TestFile[] {
  const natives = installNatives();
  const first = results(natives, files);
  const failed = first.filter((file) => wrongIn(file).length > 0).map(nameOf);
  if (failed.length === 0 || failed.length > MAX_FILES_AGAIN) return first;
  console.log(`Again, one at a time, since they failed: ${failed.join(', ')}`);
  const again = results(natives, [...failed, '--no-file-parallelism']);
  const ranAgain = new Set(again.map(nameOf));
  const passed = new Set(again.filter((file) => wrongIn(file).length === 0).map(nameOf));
  for (const file of first)
    if (wrongIn(file).length > 0 && passed.has(nameOf(file)))
      note(flakyLine({ project: 'unit on Windows', file: nameOf(file), message: wrongIn(file)[0] ?? '' }));
  return [...first.filter((file) => !ranAgain.has(nameOf(file))), ...again];
}

/** Installs what the packages here have in the code of a machine, for Windows; returns where it is. */
function installNatives(): string {
  const wanted = ['rolldown', 'esbuild', 'lightningcss', 'oxc-parser', 'libsql'].flatMap((name) => {
    const text = readFileSync(join(repository, 'node_modules', name, 'package.json'), 'utf8');
    const { optionalDependencies = {} } = JSON.parse(text) as { optionalDependencies?: object };
    return Object.entries(optionalDependencies)
      .filter(([one]) => /win32-x64/.test(one))
      .map(([one, version]) => `${one}@${version}`);
  });
  const there = join(windows, 'natives');
  const list = join(there, 'list');
  if (!existsSync(list) || readFileSync(list, 'utf8') !== wanted.join('\n')) {
    mkdirSync(there, { recursive: true });
    writeFileSync(join(there, 'package.json'), '{"private":true}');
    const flags = ['--os=win32', '--cpu=x64', '--force', '--silent', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...flags, ...wanted], { cwd: there, stdio: 'inherit' });
    writeFileSync(list, wanted.join('\n'));
  }
  return join(there, 'node_modules');
}

/** Puts npm where programs are looked for, as that of this system; returns the folders, for Wine. */
function programs(): string {
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  mkdirSync(join(windows, 'bin'), { recursive: true });
  writeFileSync(join(windows, 'bin/npm.cmd'), `@"${onZ(join(windows, 'node.exe'))}" "${onZ(npm)}" %*\r\n`);
  return `${onZ(windows)};${onZ(join(windows, 'bin'))}`;
}

/** Wine's standard streams cannot be pipes of this system: output goes to files. */
function results(natives: string, asked: readonly string[]): readonly TestFile[] {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const out = openSync(join(folder, 'out.txt'), 'w');
  const program = [join(windows, 'node.exe'), 'node_modules/vitest/vitest.mjs', 'run'];
  const flags = [
    '--config',
    '.ci/windows/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${onZ(report)}`,
  ];
  const prefix = join(windows, 'prefix');
  const { signal } = spawnSync('/usr/lib/wine/wine64', [...program, ...flags, ...asked], {
    cwd: repository,
    timeout: longest,
    stdio: ['ignore', out, out],
    env: {
      ...process.env,
      WINEPREFIX: prefix,
      WINEDEBUG: '-all',
      DISPLAY: '',
      NO_COLOR: '1',
      NODE_PATH: onZ(natives),
      WINEPATH: programs(),
    },
  });
  closeSync(out);
  // What tests have left running there.
  spawnSync('wineserver', ['-k'], { env: { ...process.env, WINEPREFIX: prefix } });
  if (signal !== null) console.error(`it was ended after ${longest / 60_000} minutes`);
  if (!existsSync(report))
    throw new Error(`there is no report:\n${readFileSync(join(folder, 'out.txt'), 'utf8')}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: TestFile[] };
  if (testResults.length === 0) throw new Error('no test file was run');
  return testResults;
}

/** Prints what is not as expected, and returns the exit code. */
function judge(ran: readonly TestFile[]): number {
  const counts = { passed: 0, listed: 0, skipped: 0 };
  const unused = new Set(files.length === 0 ? notThere : []);
  const wrong = ran.flatMap(wrongIn);
  for (const file of ran) {
    for (const { fullName, status } of file.assertionResults) {
      const listed = listedFor(nameOf(file), fullName);
      if (listed !== undefined) unused.delete(listed);
      if (status === 'passed') counts.passed += 1;
      else if (status !== 'failed') counts.skipped += 1;
      else if (listed !== undefined) counts.listed += 1;
    }
  }
  for (const { file, tests } of unused)
    wrong.push(`.ci/windows/not-there.ts names ${file} ${tests ?? ''}, and no test is called so`);
  for (const text of wrong) console.error(`✗ ${text}\n`);
  for (const line of slowest(ran)) console.log(line);
  const { passed, listed, skipped } = counts;
  console.log(
    `On Windows, by Wine: ${ran.length} files; ${passed} tests passed, ${listed} failed as listed, ${skipped} were skipped, ${wrong.length} are wrong`,
  );
  return wrong.length === 0 ? 0 : 1;
}

/** The ten files that cost most, for whoever shortens this. */
function slowest(ran: readonly TestFile[]): string[] {
  return ran
    .map((file) => ({ name: nameOf(file), seconds: (file.endTime - file.startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)} s  ${name}`);
}

/** What is not as expected in a file. */
function wrongIn(file: TestFile): string[] {
  const { status, message, assertionResults } = file;
  const name = nameOf(file);
  const wrong: string[] = [];
  // A file that fails as a whole has no tests.
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
    wrong.push(`${name}: ${message}`);
  for (const test of assertionResults) {
    const listed = listedFor(name, test.fullName);
    if (test.status === 'failed' && listed === undefined)
      wrong.push(`${name} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
    if (test.status === 'passed' && listed !== undefined && !listed.isSometimes)
      wrong.push(passesNow(name, test, listed));
  }
  return wrong;
}

/** Its path in the repository. */
function nameOf({ name }: TestFile): string {
  return name.replaceAll('\\', '/').replace(`Z:${repository}/`, '');
}

function passesNow(file: string, { fullName }: Test, { reason }: Listed): string {
  return `${file} > ${fullName}\npasses, and .ci/windows/not-there.ts says that it cannot: ${reason}`;
}

/** The name that Wine has for a file of this system. */
function onZ(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}
