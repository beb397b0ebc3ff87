// Installs the app's dependencies with the user's package manager, and looks whether they are there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type PackageManager, readManifest } from '../manager/package-manager.js';
import type { Workspace } from '../manager/workspace.js';
import { type ProgramEnd, runProgram } from '../process/run-program.js';
import { CliError } from '../terminal/errors.js';
import { count } from '../terminal/output.js';
import { canSpin, spin } from '../terminal/spinner.js';
import { hasPlugAndPlay, installedManifest, isThisFramework } from '../vendor/fw-dependency.js';

/** In CI, Yarn and pnpm refuse to write the lock file, which a new app does not have yet. */
const args: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: ['--no-frozen-lockfile'],
  yarn: [],
  bun: [],
};

const environment = { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' };

/** Yarn 1 looks for the tarballs of a workspace below the directory that it was started in. */
function placeOf({ directory, manager, workspace }: InstallOptions): string {
  return manager === 'yarn' && workspace?.hasDirectory === true ? workspace.root : directory;
}

/** How much of the output is shown after a failure, in characters. */
const MOST_OUTPUT = 20_000;

export interface InstallOptions {
  directory: string;
  manager: PackageManager;
  signal: AbortSignal;
  /** That lies above the directory. */
  workspace: Workspace | undefined;
  /** Of `fw`, for the look whether it is installed; undefined if a registry chooses it. */
  version: string | undefined;
  /** A package whose tarball has other bytes under the same name, which npm and bun look at only if it is named. */
  replaced?: string;
  /** Sends the installer's output to standard error, because standard output is for the result. */
  toStderr: boolean;
  /** What to type after a failure. */
  retry: string;
}

/**
 * Shows progress on a terminal, where the installer's own output appears only if it fails.
 *
 * @throws CliError if the installer fails, or has not installed `fw`; an abort ends the installer and returns
 */
export async function install(options: InstallOptions): Promise<void> {
  const { manager, signal } = options;
  const result = options.toStderr || !canSpin() ? await runPlainly(options) : await runWithProgress(options);
  if (signal.aborted) return;
  if (result.exitCode === 0) return checkInstalled(options);
  const missing = result.error?.code === 'ENOENT';
  throw new CliError(
    missing
      ? `${manager} is not installed; the app is there, without its dependencies`
      : failure(manager, result),
    {
      help: missing ? `install ${manager}, then run: ${options.retry}` : remedy(options),
      cause: result.error ?? result,
    },
  );
}

/** An install script that a workspace of pnpm has not decided on is an error of pnpm 11 and newer. */
function remedy({ workspace, retry }: InstallOptions): string {
  if (workspace?.file !== 'pnpm-workspace.yaml') return `run: ${retry}`;
  const file = join(workspace.root, workspace.file);
  if (readFileSync(file, 'utf8').includes('esbuild')) return `run: ${retry}`;
  return `if pnpm says that it ignored build scripts, add to ${file}: allowBuilds: { esbuild: false }; then run: ${retry}`;
}

/** A package manager that installs the workspace above, and nothing for the app, ends without an error. */
function checkInstalled({ directory, manager, workspace, version, retry }: CheckOptions): void {
  const top = workspace?.root ?? directory;
  if (hasPlugAndPlay(directory, top)) return;
  const found = installedManifest(directory, 'fw', top);
  if (found !== undefined && !isThisFramework(found)) {
    throw new CliError(
      `the package fw that ${manager} installed is another one: fw ${found.version}, ${found.description ?? 'without a description'}`,
      { help: 'do not run it; run fw upgrade in the app, which puts this fw there' },
    );
  }
  const { dependencies, devDependencies } = (readManifest(directory) ?? {}) as Record<string, object>;
  const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => installedManifest(directory, name, top) === undefined,
  );
  const problem =
    missing.length > 0
      ? `${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' and others are' : missing.length > 1 ? ' are' : ' is'} not installed`
      : version !== undefined && found !== undefined && found.version !== version
        ? `the app gets fw ${found.version}, not ${version}`
        : undefined;
  if (problem === undefined) return;
  if (workspace === undefined || workspace.hasDirectory === true) {
    throw new CliError(`${manager} install ended without an error, and ${problem}`, {
      help: `run: ${retry}`,
    });
  }
  const list = `${workspace.file === 'package.json' ? 'workspaces' : 'packages'} in ${join(workspace.root, workspace.file)}`;
  throw new CliError(
    `${problem}: the workspace ${workspace.root} does not have ${relative(workspace.root, directory)} among its packages`,
    { help: `add it to ${list}, then run: ${retry}` },
  );
}

type CheckOptions = Pick<InstallOptions, 'directory' | 'manager' | 'workspace' | 'version' | 'retry'>;

function words({ manager, replaced }: InstallOptions): string[] {
  const isNamed = replaced !== undefined && (manager === 'npm' || manager === 'bun');
  return ['install', ...(isNamed ? [replaced] : []), ...args[manager]];
}

function runPlainly(options: InstallOptions): Promise<ProgramEnd> {
  const { manager, signal, toStderr } = options;
  return runProgram(manager, words(options), {
    cwd: placeOf(options),
    env: environment,
    stdio: ['ignore', toStderr ? 2 : 'inherit', 'inherit'],
    signal,
  });
}

async function runWithProgress(options: InstallOptions): Promise<ProgramEnd> {
  const { manager, signal } = options;
  let output = '';
  const spinner = spin(() => `Installing the dependencies with ${manager}${soFar(options)}`);
  const result = await runProgram(manager, words(options), {
    cwd: placeOf(options),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    onStart(child) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-MOST_OUTPUT);
        });
      }
    },
  });
  const seconds = spinner.stop();
  if (result.exitCode === 0) {
    process.stdout.write(`Installed the dependencies with ${manager} in ${seconds} s\n`);
  } else if (!signal.aborted) process.stderr.write(output);
  return result;
}

/** How many packages are there, which some package managers write as they arrive, and others in the end. */
function soFar({ directory, workspace }: InstallOptions): string {
  const modules = join(workspace?.hasDirectory === true ? workspace.root : directory, 'node_modules');
  const number = packagesIn(existsSync(join(modules, '.pnpm')) ? join(modules, '.pnpm') : modules);
  return number === 0 ? '' : `, ${count(number, 'package')} so far`;
}

function packagesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  const inScopes = names.map((name) =>
    name.startsWith('@') && !name.includes('+') ? packagesIn(join(folder, name)) : 1,
  );
  return inScopes.reduce((sum, one) => sum + one, 0);
}

function failure(manager: PackageManager, result: ProgramEnd): string {
  const how =
    result.error?.message ??
    (result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.exitCode}`);
  return `${manager} install ${how}; the app is there, without its dependencies`;
}
