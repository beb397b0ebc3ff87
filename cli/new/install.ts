// Installs the app's dependencies with the user's package manager.
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
  const { execa } = await import('execa');
  const result = await execa(manager, ['install', ...quiet[manager]], {
    cwd: directory,
    stdin: 'ignore',
    stdout: options.toStderr ? 2 : 'inherit',
    stderr: 'inherit',
    cancelSignal: signal,
    reject: false,
  });
  if (!result.failed || signal.aborted) return;
  const missing = result.code === 'ENOENT';
  throw new CliError(
    missing
      ? `${manager} is not installed; the app is there, without its dependencies`
      : failure(manager, result),
    { help: `${missing ? `install ${manager}, then run` : 'run'}: ${options.retry}`, cause: result },
  );
}

function failure(manager: PackageManager, result: { exitCode?: number; signal?: string }): string {
  const how = result.signal ? `was ended by ${result.signal}` : `failed with exit code ${result.exitCode}`;
  return `${manager} install ${how}; the app is there, without its dependencies`;
}
