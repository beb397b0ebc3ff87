// Runs a script of the app with its package manager, as the app's own users do.
import { constants } from 'node:os';
import { join } from 'node:path';
import { managerVersion } from '../manager/manager-version.js';
import { type PackageManager, packageManagerFor } from '../manager/package-manager.js';
import { commandLine } from '../new/quote.js';
import { runInForeground } from '../process/foreground.js';
import { CliError } from '../terminal/errors.js';
import type { AppScript } from './app-script.js';

/** The scripts around this process that `fw` runs, one a line: those that it would run again without end. */
const VARIABLE = 'FW_RUNNING_SCRIPTS';

/**
 * Prints what it runs, and gives the exit code of the script: 128 and more after a signal, as shells do.
 * @throws CliError if the script runs `fw <command>` itself, or if the package manager cannot be started
 */
export async function runScript(
  command: string,
  script: AppScript,
  args: readonly string[],
): Promise<number> {
  const { name, directory } = script;
  const around = (process.env[VARIABLE] ?? '').split('\n').filter(Boolean);
  const own = JSON.stringify([name, directory]);
  if (around.includes(own)) {
    throw new CliError(
      `the script "${name}" in ${join(directory, 'package.json')} runs fw ${command}, which runs that script again`,
      { help: `replace fw ${command} there by the program that does the work` },
    );
  }
  const manager = packageManagerFor(directory);
  const words = scriptWords(manager, name, args, () => managerVersion(manager, directory));
  process.stderr.write(`fw ${command} is a placeholder; running: ${commandLine([manager, ...words])}\n`);
  const { exitCode, signal, error } = await runInForeground(manager, words, {
    cwd: directory,
    env: { ...process.env, [VARIABLE]: [...around, own].join('\n') },
  });
  if (error !== undefined) throw notStarted(manager, name, directory, error);
  if (signal !== null) return 128 + constants.signals[signal];
  return exitCode ?? 1;
}

/** What makes each package manager pass all of the arguments on as they are. */
export function scriptWords(
  manager: PackageManager,
  script: string,
  args: readonly string[],
  version: () => string | undefined,
): string[] {
  const isSeparated = {
    // Takes options after the name of a script for its own.
    npm: () => args.length > 0,
    pnpm: () => false,
    // Yarn 1 removes the first one, and everything before it.
    yarn: () => args.includes('--') && version()?.startsWith('1.') === true,
    bun: () => args[0] === '--',
  }[manager]();
  return ['run', script, ...(isSeparated ? ['--'] : []), ...args];
}

function notStarted(
  manager: PackageManager,
  script: string,
  directory: string,
  error: NodeJS.ErrnoException,
): CliError {
  const isMissing = error.code === 'ENOENT';
  return new CliError(
    isMissing
      ? `${manager} is not installed, and ${directory} is a project of ${manager}`
      : `${manager} could not be started: ${error.message}`,
    { help: `install ${manager}, or run what the script "${script}" says yourself`, cause: error },
  );
}
