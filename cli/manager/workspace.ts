// The workspace above a directory: where it is, and whether the directory belongs to it.
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { readManifest } from './package-manager.js';

export interface Workspace {
  /** Absolute. */
  readonly root: string;
  /** The file that lists its packages. */
  readonly file: 'package.json' | 'pnpm-workspace.yaml';
  /** Whether it has the directory among its packages; undefined for pnpm, whose list is not read. */
  readonly hasDirectory: boolean | undefined;
}

/** The nearest one; the directory need not exist. */
export function workspaceAbove(directory: string, isPnpm: boolean): Workspace | undefined {
  for (let root = dirname(directory); root !== dirname(root); root = dirname(root)) {
    if (isPnpm) {
      if (existsSync(join(root, 'pnpm-workspace.yaml')))
        return { root, file: 'pnpm-workspace.yaml', hasDirectory: undefined };
      continue;
    }
    const patterns = patternsOf(readManifest(root)?.workspaces);
    if (patterns === undefined) continue;
    const hasDirectory = matches(relative(root, directory).split(sep).join('/'), patterns);
    return { root, file: 'package.json', hasDirectory };
  }
  return undefined;
}

/** `["apps/*"]`, or `{ "packages": ["apps/*"] }`. */
function patternsOf(workspaces: unknown): string[] | undefined {
  const list = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | null | undefined)?.packages;
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : undefined;
}

function matches(path: string, patterns: readonly string[]): boolean {
  const plain = (pattern: string): string => pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
  const taken = patterns.filter((one) => !one.startsWith('!')).map(plain);
  const left = patterns.filter((one) => one.startsWith('!')).map((one) => plain(one.slice(1)));
  return (
    taken.some((one) => picomatch.isMatch(path, one)) && !left.some((one) => picomatch.isMatch(path, one))
  );
}
