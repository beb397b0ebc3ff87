// Installs the app's dependencies with the user's package manager.
import { type ProgramEnd, runProgram } from '../process/run-program.js';
import { CliError } from '../terminal/errors.js';
import { canSpin, spin } from '../terminal/spinner.js';
import type { PackageManager } from './package-manager.js';

const quiet: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: [],
  yarn: [],
  bun: [],
};

/** How much of the output is shown after a failure, in characters. */
const mostOutput = 20_000;

export interface InstallOptions {
  directory: string;
  manager: PackageManager;
  signal: AbortSignal;
  /** Sends the installer's output to standard error, because standard output is for the result. */
  toStderr: boolean;
  /** What to type after a failure. */
  retry: string;
}

/**
 * Shows progress on a terminal, where the installer's own output appears only if it fails.
 *
 * @throws CliError if the installer fails; an abort ends the installer and returns
 */
export async function install(options: InstallOptions): Promise<void> {
  const { manager, signal } = options;
  const result = options.toStderr || !canSpin() ? await runPlainly(options) : await runWithProgress(options);
  if (result.exitCode === 0 || signal.aborted) return;
  const missing = result.error?.code === 'ENOENT';
  throw new CliError(
    missing
      ? `${manager} is not installed; the app is there, without its dependencies`
      : failure(manager, result),
    {
      help: `${missing ? `install ${manager}, then run` : 'run'}: ${options.retry}`,
      cause: result.error ?? result,
    },
  );
}

function runPlainly({ directory, manager, signal, toStderr }: InstallOptions): Promise<ProgramEnd> {
  return runProgram(manager, ['install', ...quiet[manager]], {
    cwd: directory,
    stdio: ['ignore', toStderr ? 2 : 'inherit', 'inherit'],
    signal,
  });
}

async function runWithProgress({ directory, manager, signal }: InstallOptions): Promise<ProgramEnd> {
  let output = '';
  const spinner = spin(`Installing the dependencies with ${manager}`);
  const result = await runProgram(manager, ['install', ...quiet[manager]], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    onStart(child) {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          output = (output + text).slice(-mostOutput);
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

function failure(manager: PackageManager, result: ProgramEnd): string {
  const how =
    result.error?.message ??
    (result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.exitCode}`);
  return `${manager} install ${how}; the app is there, without its dependencies`;
}
