// What `fw new` runs in the new app beside its installation: git, and `fw dev` of the `fw` that the app has installed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageManager } from '../manager/package-manager.js';
import { runInForeground } from '../process/foreground.js';
import { CliError, ExitCode } from '../terminal/errors.js';

/** Without a commit; it is not an error if git is missing. */
export async function gitInit(directory: string): Promise<boolean> {
  const child = spawn('git', ['init', '--quiet'], { cwd: directory, env: outside(), stdio: 'ignore' });
  try {
    const [code] = await once(child, 'close');
    return code === 0;
  } catch {
    return false;
  }
}

/** Inside a git hook these variables point at the repository of the hook. */
function outside(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, ...env } = process.env;
  return env;
}

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
