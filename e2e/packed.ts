// What every journey starts from: the packed tarball, installed and scaffolded in temporary directories
// outside the repository, and the binary run as a user runs it.
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { installOnce, keyOfApp } from './install-once.js';

export const checkout: string = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

const shell: boolean = process.platform === 'win32';
const quiet: readonly string[] = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];

/** A fresh directory outside the repository, removed after the test file's last test. */
export function temporaryDirectory(label = 'fw-e2e'): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${label}-`)));
  // Open to read, for what runs as another user.
  chmodSync(directory, 0o755);
  temporary.push(directory);
  return directory;
}

const temporary: string[] = [];

afterAll(() => {
  for (const directory of temporary) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
});

/** The tarball of this checkout, packed once for each state of dist/ and templates/. */
export function packedTarball(): string {
  if (!existsSync(join(checkout, 'dist/.built'))) throw new Error('dist/ is missing; run: npm run build');
  const state = Math.trunc(Math.max(...['dist', 'templates', 'package.json'].map(newestChange)));
  const store = join(realpathSync(tmpdir()), `fw-packed-${state}`);
  const tarball = join(store, 'fw.tgz');
  if (existsSync(tarball)) return tarball;
  removeOldStores();
  const pending = `${store}.${process.pid}`;
  mkdirSync(pending, { recursive: true });
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', pending], checkout);
  const packed = readdirSync(pending).find((name) => name.endsWith('.tgz'));
  if (!packed) throw new Error(`npm pack wrote no tarball into ${pending}`);
  renameSync(join(pending, packed), join(pending, 'fw.tgz'));
  try {
    renameSync(pending, store);
  } catch (error) {
    rmSync(pending, { recursive: true });
    if (!existsSync(tarball)) throw error;
  }
  return tarball;
}

/** Installs the tarball into `directory` as a user does; gives the path of the binary's entry. */
export function installFw(directory: string, spec: string = packedTarball()): string {
  mkdirSync(directory, { recursive: true });
  const install = (): unknown => npm(['install', ...quiet, '--prefix', directory, spec], directory);
  if (spec === packedTarball() && !existsSync(join(directory, 'node_modules'))) {
    installOnce(dirname(spec), 'fw', directory, install);
    dependOnFw(directory, spec);
  } else install();
  return join(directory, 'node_modules/fw/dist/cli/main.js');
}

/** As npm writes it when it installs. */
function dependOnFw(directory: string, tarball: string): void {
  const path = join(directory, 'package.json');
  const manifest = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  const dependencies = { ...manifest.dependencies, fw: `file:${tarball}` };
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies }, null, 2));
}

let sharedBinary: string | undefined;

/** The binary installed from the tarball, once for each test process. */
export function installedFw(): string {
  sharedBinary ??= installFw(join(temporaryDirectory('fw-bin'), 'tools'));
  return sharedBinary;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Whether `env` is all of the environment, as on another machine. */
  onlyEnv?: boolean;
  /** Written to the standard input, which is then closed. */
  input?: string;
  /** Another entry than the shared installed one. */
  binary?: string;
  /** Sends this signal after `signalAfterMs`, or once the output holds `signalAfter`. */
  signal?: NodeJS.Signals;
  signalAfterMs?: number;
  signalAfter?: string;
  /** Runs as another user who may do nothing, where this one is the superuser and may do everything. */
  unprivileged?: boolean;
}

export interface RunResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  signal: NodeJS.Signals | null;
}

/** Runs `fw …args` to its end, without a terminal. */
export function runFw(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return run(process.execPath, [options.binary ?? installedFw(), ...args], options);
}

/** Runs any program to its end with its output collected. */
export function run(
  program: string,
  args: readonly string[],
  options: Omit<RunOptions, 'binary'> = {},
): Promise<RunResult> {
  const { signal, signalAfter, signalAfterMs } = options;
  const child = spawn(program, args, spawnOptions(options));
  const result: RunResult = { exitCode: null, stdout: '', stderr: '', signal: null };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text;
    if (signal && signalAfter !== undefined && result.stdout.includes(signalAfter)) child.kill(signal);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text;
  });
  child.stdin?.on('error', () => {}).end(options.input ?? '');
  const timer = signal && signalAfterMs !== undefined && setTimeout(() => child.kill(signal), signalAfterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, closedBy) => {
      clearTimeout(timer || undefined);
      resolve({ ...result, exitCode, signal: closedBy });
    });
  });
}

export interface ScaffoldOptions {
  template?: string;
  name?: string;
  /** Runs `npm install` in the app. */
  install?: boolean;
  /** Scaffolds with the binary of this entry, for example the checkout's. */
  binary?: string;
}

/** Scaffolds an app into a temporary directory; gives its path. */
export async function scaffold(options: ScaffoldOptions = {}): Promise<string> {
  const { template = 'basic', name = 'my-app', install = true } = options;
  const parent = temporaryDirectory();
  const args = ['new', name, '--template', template, '--no-install', '--no-git'];
  const result = await runFw(args, { cwd: parent, ...(options.binary && { binary: options.binary }) });
  if (result.exitCode !== 0) throw new Error(`fw ${args.join(' ')} failed:\n${result.stderr}`);
  const app = join(parent, name);
  if (install)
    installOnce(dirname(packedTarball()), keyOfApp(app), app, () => npm(['install', ...quiet], app));
  return app;
}

/** Runs npm in `cwd`; throws with its output when it fails. */
export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, shell, env: userEnvironment(), encoding: 'utf8', stdio: 'pipe' });
}

function spawnOptions({ cwd, env, onlyEnv, unprivileged }: RunOptions): SpawnOptions {
  const user = unprivileged && process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  return {
    cwd: cwd ?? tmpdir(),
    env: onlyEnv ? { ...env, NO_COLOR: '1' } : { ...userEnvironment(), ...env },
    stdio: 'pipe',
    ...user,
  };
}

const NOBODY = 65_534;

/** The environment without what `npm test` and vitest put there: a user's shell has none of it. */
function userEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(registry|cache|userconfig))|VITEST|TEST$|NODE_ENV$|FORCE_COLOR$|INIT_CWD$)/i.test(
        name,
      ),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: '1' };
}

function newestChange(relative: string): number {
  return newest(join(checkout, relative));
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(path).filter((name) => name !== 'node_modules' && name !== 'dist');
  return inside.reduce((latest, name) => Math.max(latest, newest(join(path, name))), stat.mtimeMs);
}

/** Tarballs of earlier states, kept for an hour because another run may still install from one. */
function removeOldStores(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith('fw-packed-'))) {
    const path = join(tmpdir(), name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
