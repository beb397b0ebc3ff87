// The version of a package manager that is installed.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import spawn from 'cross-spawn';
import type { PackageManager } from './package-manager.js';

/** That of the calling one, or else what it says in the directory; undefined if it is not installed. */
export function managerVersion(manager: PackageManager, directory: string): string | undefined {
  const agent = process.env.npm_config_user_agent ?? '';
  const calling = new RegExp(`^${manager}/(\\d+\\.\\d+\\.\\d+)`).exec(agent)?.[1];
  if (calling !== undefined) return calling;
  let cwd = directory;
  while (!existsSync(cwd)) cwd = dirname(cwd);
  const { status, stdout } = spawn.sync(manager, ['--version'], { cwd, encoding: 'utf8', timeout: 20_000 });
  return status === 0 ? /^\d+\.\d+\.\d+/.exec(stdout.trim())?.[0] : undefined;
}
