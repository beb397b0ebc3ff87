// Installs the app's dependencies with the user's package manager.
import { type ProgramEnd, runProgram } from '../process/run-program.js';
import { CliError } from '../terminal/errors.js';
import type { PackageManager } from './package-manager.js';

const quiet: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['--no-audit', '--no-fund', '--loglevel=error'],
  pnpm: [],
  yarn: [],
  bun: [],
};

export interface InstallOptions {
  directory: string;
  manager: PackageManager;
  signal: AbortSignal;
  /** Sends the installer's output to standard error, because standard output is for the result. */
  toStderr: boolean;
  /** What to type after a failure. */
  retry: string;
}

/** @throws CliError if the installer fails; an abort ends the installer and returns */
export async function install(options: InstallOptions): Promise<void> {
  const { directory, manager, signal } = options;
  const result = await runProgram(manager, ['install', ...quiet[manager]], {
    cwd: directory,
    stdio: ['ignore', options.toStderr ? 2 : 'inherit', 'inherit'],
    signal,
  });
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

function failure(manager: PackageManager, result: ProgramEnd): string {
  const how =
    result.error?.message ??
    (result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.exitCode}`);
  return `${manager} install ${how}; the app is there, without its dependencies`;
}
