// `fw dev` of a new app, started with the binary that the app has installed, and its repository.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CliError, ExitCode } from '../terminal/errors.js';
import { gitInit, startApp } from './run-in-app.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fw-start-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const marker = () => join(directory, 'ran');
/** Writes to a file that it runs, and its arguments. */
const says =
  "import { writeFileSync } from 'node:fs'; writeFileSync('ran', process.argv.slice(2).join(' '));\n";

function install(code: string, bin: unknown = { fw: 'bin.mjs' }, before = ''): void {
  const folder = join(directory, 'node_modules/fw');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'fw', bin }));
  writeFileSync(join(folder, 'bin.mjs'), before + says + code);
}

const bySignal: [code: string, message: string, exitCode: ExitCode][] = [
  ["process.kill(process.pid, 'SIGKILL')", 'fw dev ended with SIGKILL', ExitCode.failed],
  ["process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)", '', ExitCode.cancelled],
];

it('makes a repository in the app, also within a hook of another one', async () => {
  const other = join(directory, 'other');
  const app = join(directory, 'app');
  mkdirSync(app);
  vi.stubEnv('GIT_DIR', join(other, '.git'));
  vi.stubEnv('GIT_WORK_TREE', other);
  const isMade = await gitInit(app);
  vi.unstubAllEnvs();
  // Without git, nothing is made.
  expect([existsSync(join(app, '.git')), existsSync(other)]).toEqual([isMade, false]);
});

describe('the start of a new app', () => {
  it.each([{ fw: 'bin.mjs' }, 'bin.mjs'])('runs dev with the installed binary: %j', async (bin) => {
    install('', bin);
    await startApp(directory, 'npm');
    expect(readFileSync(marker(), 'utf8')).toBe('dev');
  });

  it('runs the script of the app if the binary is not installed', async () => {
    writeFileSync(join(directory, 'dev.mjs'), says);
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: { dev: 'node dev.mjs' } }));
    await startApp(directory, 'npm');
    expect(readFileSync(marker(), 'utf8')).toBe('');
  });

  it.each([
    ['process.exit(3)', 'fw dev ended with exit code 3', ExitCode.failed],
    [`process.exit(${ExitCode.cancelled})`, '', ExitCode.cancelled],
    ...(process.platform === 'win32' ? [] : bySignal),
  ])('fails if it does: %s', async (code, message, exitCode) => {
    install(code);
    const failure = await startApp(directory, 'npm').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CliError);
    expect(failure).toMatchObject({ message, exitCode });
  });

  const signals = process.platform === 'win32' ? [] : (['SIGTERM', 'SIGHUP'] as const);
  it.each(signals)('passes on %s, and leaves no listener behind', async (signal) => {
    install('setInterval(() => {}, 1000);', 'bin.mjs', "process.on('SIGTERM', () => process.exit(0));\n");
    const listeners = () => ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name));
    const before = listeners();
    const ended = startApp(directory, 'npm');
    await expect.poll(() => existsSync(marker())).toBe(true);
    (process.listeners(signal).at(-1) as () => void)();
    await ended;
    expect(listeners()).toEqual(before);
  });
});
