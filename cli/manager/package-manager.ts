// The package manager of a project, and the commands of each: npm, pnpm, yarn and bun.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type PackageManager = (typeof packageManagers)[number];

const marks: ReadonlyArray<[file: string, manager: PackageManager]> = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The one that runs this process (`npx`, `pnpm dlx`, …): "pnpm/9.1.0 npm/? node/v20.19.0 linux x64". */
export function callingPackageManager(): PackageManager | undefined {
  const agent = process.env.npm_config_user_agent ?? '';
  return packageManagers.find((manager) => agent.startsWith(`${manager}/`));
}

/** The one of the project that `directory` is in, else the one that runs this process, else npm. */
export function packageManagerFor(directory: string): PackageManager {
  return projectPackageManager(directory) ?? callingPackageManager() ?? 'npm';
}

/**
 * What `packageManager` or `devEngines` of a package.json, or a lock file, say in `directory` or above it: up to the
 * root of the git repository. A lock file that lies in the home directory by mistake counts for nothing below it.
 */
export function projectPackageManager(directory: string): PackageManager | undefined {
  const start = resolve(directory);
  const home = homedir();
  for (let folder = start; folder === start || folder !== home; folder = dirname(folder)) {
    const named = namedIn(folder) ?? marks.find(([file]) => existsSync(join(folder, file)))?.[1];
    if (named !== undefined) return named;
    if (folder === dirname(folder) || existsSync(join(folder, '.git'))) return undefined;
  }
  return undefined;
}

/** By `"packageManager": "pnpm@10.4.1"` (Corepack), or `"devEngines": { "packageManager": { "name": "pnpm" } }` (npm). */
function namedIn(folder: string): PackageManager | undefined {
  return namedManager(readManifest(folder) ?? {});
}

export function namedManager({
  packageManager,
  devEngines,
}: Readonly<Record<string, unknown>>): PackageManager | undefined {
  const engine = (devEngines as { packageManager?: unknown } | undefined)?.packageManager;
  const names = [packageManager, ...[engine].flat().map((one) => (one as { name?: unknown } | null)?.name)];
  return packageManagers.find((manager) =>
    names.some((name) => typeof name === 'string' && name.split('@')[0] === manager),
  );
}

/** The package.json of a folder as an object; undefined without one, and for a file that is not JSON. */
export function readManifest(folder: string): Record<string, unknown> | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const found: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const adding: Readonly<Record<PackageManager, readonly [add: string, addDev: string]>> = {
  npm: ['npm install', 'npm install --save-dev'],
  pnpm: ['pnpm add', 'pnpm add --save-dev'],
  yarn: ['yarn add', 'yarn add --dev'],
  bun: ['bun add', 'bun add --dev'],
};

/** What adds a package to the project that `directory` is in: `pnpm add redis`. */
export function addCommand(directory: string, name: string, options: { dev?: boolean } = {}): string {
  return `${adding[packageManagerFor(directory)][options.dev === true ? 1 : 0]} ${name}`;
}

/** The words that run a binary of the project's packages. */
export const runners: Readonly<Record<PackageManager, readonly string[]>> = {
  npm: ['npx'],
  pnpm: ['pnpm', 'exec'],
  yarn: ['yarn'],
  bun: ['bunx'],
};
