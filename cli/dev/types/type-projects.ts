// Finds the TypeScript projects of an app and its frontend: each tsconfig.json, or those that it references.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readTsconfig } from '../../config/tsconfig.js';

/** Absolute paths of configurations, each once; empty without a tsconfig.json. */
export function typeProjects(folders: readonly string[]): string[] {
  return [...new Set(folders.flatMap(projectsOf))];
}

/**
 * A tsconfig.json without files, as frontend tools write it, checks nothing by itself: then the projects that it
 * references are checked.
 */
function projectsOf(root: string): string[] {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return [];
  const { files, include, references } = readTsconfig(file);
  const refersOnly = Array.isArray(files) && files.length === 0 && include === undefined;
  if (!refersOnly || !Array.isArray(references)) return [file];
  return references
    .map((one) => (one as { path?: unknown } | null)?.path)
    .filter((path) => typeof path === 'string')
    .map((path) => configOf(root, path))
    .filter((path) => existsSync(path));
}

/** A reference names a file, or a folder with a tsconfig.json. */
function configOf(root: string, path: string): string {
  const named = resolve(root, path);
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? join(named, 'tsconfig.json') : named;
}
