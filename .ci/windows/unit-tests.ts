// Runs unit tests with Node's Windows executable under Wine: npm run test:windows [-- FILES]
// It needs the folder of setup.sh as FW_WINDOWS. `not-there.ts` lists what cannot run there; a test of that list that
// passes is a failure of this run, as any other that does not.
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
  readonly assertionResults: readonly Test[];
}

/** In milliseconds; a test that hangs in a call that blocks knows no other limit. */
const longest = 15 * 60_000;

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
  process.exitCode = judge(results(installNatives()));
} finally {
  rmSync(folder, { recursive: true });
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
function results(natives: string): readonly TestFile[] {
  const report = join(folder, 'report.json');
  const out = openSync(join(folder, 'out.txt'), 'w');
  const program = [join(windows, 'node.exe'), 'node_modules/vitest/vitest.mjs', 'run'];
  const flags = [
    '--config',
    '.ci/windows/vitest.config.ts',
    '--reporter=json',
    `--outputFile=${onZ(report)}`,
  ];
  const prefix = join(windows, 'prefix');
  const { signal } = spawnSync('/usr/lib/wine/wine64', [...program, ...flags, ...files], {
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
  const wrong: string[] = [];
  const unused = new Set(files.length === 0 ? notThere : []);
  for (const { name, status, message, assertionResults } of ran) {
    const file = name.replaceAll('\\', '/').replace(`Z:${repository}/`, '');
    // A file that fails as a whole has no tests.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      wrong.push(`${file}: ${message}`);
    for (const test of assertionResults) {
      const listed = listedFor(file, test.fullName);
      if (listed !== undefined) unused.delete(listed);
      if (test.status === 'passed') counts.passed += 1;
      else if (test.status !== 'failed') counts.skipped += 1;
      else if (listed !== undefined) counts.listed += 1;
      else wrong.push(`${file} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
      if (test.status === 'passed' && listed !== undefined && !listed.isSometimes)
        wrong.push(passesNow(file, test, listed));
    }
  }
  for (const { file, tests } of unused)
    wrong.push(`.ci/windows/not-there.ts names ${file} ${tests ?? ''}, and no test is called so`);
  for (const text of wrong) console.error(`✗ ${text}\n`);
  const { passed, listed, skipped } = counts;
  console.log(
    `On Windows, by Wine: ${ran.length} files; ${passed} tests passed, ${listed} failed as listed, ${skipped} were skipped, ${wrong.length} are wrong`,
  );
  return wrong.length === 0 ? 0 : 1;
}

function passesNow(file: string, { fullName }: Test, { reason }: Listed): string {
  return `${file} > ${fullName}\npasses, and .ci/windows/not-there.ts says that it cannot: ${reason}`;
}

/** The name that Wine has for a file of this system. */
function onZ(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}
