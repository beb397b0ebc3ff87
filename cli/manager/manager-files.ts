// The files that an app needs for its package manager: settings without which installing or the checks of it fail.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PackageManager } from './package-manager.js';
import { type Workspace, workspaceAbove } from './workspace.js';

export interface ManagerFile {
  readonly path: string;
  readonly text: string;
}

/** pnpm 11 and newer fail at an install script that nobody decided on, and read the first list; 10 reads the second. */
const PNPM_WORKSPACE = `packages:
  - .
# No package runs a script when it is installed: esbuild has its binary in a package of its own.
allowBuilds:
  esbuild: false
  fsevents: false
ignoredBuiltDependencies:
  - esbuild
  - fsevents
`;

/** TypeScript and Vite do not know Yarn's Plug'n'Play. Yarn 1 does not read this file. */
const YARN_SETTINGS = 'nodeLinker: node-modules\nenableTelemetry: false\n';

/** Files that the app has already are not replaced by these. In a workspace, the settings of its root apply. */
export function managerFiles(manager: PackageManager, directory: string): ManagerFile[] {
  if (manager === 'pnpm' && !workspaceAbove(directory, true)) {
    return [{ path: 'pnpm-workspace.yaml', text: PNPM_WORKSPACE }];
  }
  if (manager !== 'yarn' || isMember(workspaceAbove(directory, false))) return [];
  const settings = { path: '.yarnrc.yml', text: YARN_SETTINGS };
  // Yarn 2 and newer take the app for a part of any project above it, unless it has a lock file.
  return isBelowProject(directory) ? [settings, { path: 'yarn.lock', text: '' }] : [settings];
}

export function isMember(workspace: Workspace | undefined): boolean {
  return workspace?.hasDirectory === true;
}

function isBelowProject(directory: string): boolean {
  for (let folder = dirname(directory); ; folder = dirname(folder)) {
    if (['package.json', 'yarn.lock'].some((name) => existsSync(join(folder, name)))) return true;
    if (folder === dirname(folder)) return false;
  }
}
