// Runs `fw dev` of the new app, with the `fw` that the app has installed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageManager } from '../manager/package-manager.js';
import { runInForeground } from '../process/foreground.js';
import { CliError, ExitCode } from '../terminal/errors.js';

export async function startApp(directory: string, manager: PackageManager): Promise<void> {
  const binary = installedBinary(directory);
  const [program, args] = binary ? [process.execPath, [binary, 'dev']] : [manager, ['run', 'dev']];
  const { exitCode, signal, error } = await runInForeground(program, args, { cwd: directory });
  if (exitCode === 0) return;
  if (error) throw new CliError(`fw dev could not be started: ${error.message}`, { cause: error });
  if (exitCode === ExitCode.cancelled || signal === 'SIGINT')
    throw new CliError('', { exitCode: ExitCode.cancelled });
  throw new CliError(`fw dev ended with ${signal ?? `exit code ${exitCode}`}`);
}

/**
 * The binary, to be run by node directly: a package manager in between would interfere with signals and the
 * terminal.
 */
function installedBinary(directory: string): string | undefined {
  const root = join(directory, 'node_modules/fw');
  try {
    const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return join(root, typeof bin === 'string' ? bin : bin.fw);
  } catch {
    return undefined;
  }
}
