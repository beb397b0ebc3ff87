// The version of a package manager that is installed.
import spawn from 'cross-spawn';
import { existingFolder } from '../files/existing-folder.js';
import type { PackageManager } from './package-manager.js';

/** That of the calling one, or else what it says in the directory; undefined if it is not installed. */
export function managerVersion(manager: PackageManager, directory: string): string | undefined {
  const agent = process.env.npm_config_user_agent ?? '';
  const calling = new RegExp(`^${manager}/(\\d+\\.\\d+\\.\\d+)`).exec(agent)?.[1];
  if (calling !== undefined) return calling;
  const cwd = existingFolder(directory);
  if (cwd === undefined) return undefined;
  const { status, stdout } = spawn.sync(manager, ['--version'], { cwd, encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? /^\d+\.\d+\.\d+/.exec(stdout.trim())?.[0] : undefined;
}
