// The command that does the same again, without a question.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../ui/package-root.js';
import { callingPackageManager } from './package-manager.js';
import { commandLine } from './quote.js';
import type { Request } from './request.js';

/** Leaves out what is the default, so that the command stays short enough to be read. */
export function reproduce(request: Request, cwd: string): string {
  const { argument, name, template, packageManager, install, git, force } = request;
  const otherManager = packageManager !== (callingPackageManager() ?? 'npm');
  return commandLine([
    ...caller(cwd),
    'new',
    argument,
    ...(name === undefined ? [] : ['--name', name]),
    ...['--template', template.name],
    ...(otherManager ? ['--package-manager', packageManager] : []),
    ...(install ? [] : ['--no-install']),
    ...(git ? [] : ['--no-git']),
    ...(force ? ['--force'] : []),
  ]);
}

const callers = {
  npm: ['npx', 'fw'],
  pnpm: ['pnpm', 'exec', 'fw'],
  yarn: ['yarn', 'fw'],
  bun: ['bunx', 'fw'],
} as const;

/** How a person reaches `fw`. `npx fw` only where it finds this one: elsewhere it would fetch some package. */
function caller(cwd: string): readonly string[] {
  const manager = callingPackageManager();
  return manager && isInstalledAt(cwd) ? callers[manager] : ['fw'];
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
