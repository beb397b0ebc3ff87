// Detects the user's package manager, by the process that runs `fw` or by a lock file.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

const lockFiles: ReadonlyArray<[file: string, manager: PackageManager]> = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** The one that runs this process (`npx`, `pnpm dlx`, …): "pnpm/9.1.0 npm/? node/v20.19.0 linux x64". */
export function callingPackageManager(): PackageManager | undefined {
  const agent = process.env.npm_config_user_agent ?? '';
  return packageManagers.find((manager) => agent.startsWith(`${manager}/`));
}

/** The package manager whose lock file is in `directory`. */
export function lockedPackageManager(directory: string): PackageManager | undefined {
  return lockFiles.find(([file]) => existsSync(join(directory, file)))?.[1];
}
