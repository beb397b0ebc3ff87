// The command that repeats a run of `fw new` without prompts.
import { realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { callingPackageManager, packageManagerFor, runners } from '../manager/package-manager.js';
import { packageRoot } from '../process/package-root.js';
import { commandLine } from './quote.js';
import type { Request } from './request.js';

/** Leaves out defaults to keep the command short. */
export function reproduce(request: Request, cwd: string): string {
  const { argument, name, template, packageManager, install, git, force, fwSource } = request;
  const otherManager = packageManager !== packageManagerFor(resolve(cwd, argument));
  return commandLine([
    ...caller(cwd),
    'new',
    argument,
    ...(name === undefined ? [] : ['--name', name]),
    ...['--template', template.name],
    ...(otherManager ? ['--package-manager', packageManager] : []),
    ...(install ? [] : ['--no-install']),
    ...(git ? [] : ['--no-git']),
    ...(fwSource === 'registry' ? ['--from-registry'] : fwSource === 'link' ? ['--link'] : []),
    ...(force ? ['--force'] : []),
  ]);
}

/**
 * The words that run `fw`: `npx fw` only if that finds this `fw`, because otherwise npx would fetch another
 * package.
 */
function caller(cwd: string): readonly string[] {
  const manager = callingPackageManager();
  return manager && isInstalledAt(cwd) ? [...runners[manager], 'fw'] : ['fw'];
}

function isInstalledAt(cwd: string): boolean {
  const root = packageRoot();
  for (let directory = cwd; ; directory = dirname(directory)) {
    try {
      if (realpathSync(join(directory, 'node_modules/fw')) === root) return true;
    } catch {
      // Not at this level.
    }
    if (directory === dirname(directory)) return false;
  }
}
