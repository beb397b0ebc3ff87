// Stamps of files (time of the last write, size and inode), to find changes that no event reported.
import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';

/** A string that changes whenever the file is written, or another one takes its place. */
export function stampOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? stampIn(found) : 'gone';
}

/** A string that changes whenever one of the files is written. */
export function fingerprint(files: readonly string[]): string {
  return files.map(stampOf).join(' ');
}

/** Which files are meant, and what they are called. */
interface Scope {
  isIgnored(path: string): boolean;
  pathOf(name: string): AbsolutePath;
}

/** The stamps of all files at and below the paths. Files that cannot be read are left out. */
export function stampsBelow(paths: readonly string[], scope: Scope): Map<AbsolutePath, string> {
  const stamps = new Map<AbsolutePath, string>();
  // By their real paths: a link may lead to a folder above it.
  const seen = new Set<AbsolutePath>();
  const visit = (name: string): void => {
    if (scope.isIgnored(name)) return;
    const path = scope.pathOf(name);
    if (seen.has(path)) return;
    seen.add(path);
    try {
      const found = statSync(path);
      if (!found.isDirectory()) stamps.set(path, stampIn(found));
      else for (const inner of readdirSync(name)) visit(join(name, inner));
    } catch {
      // It was removed meanwhile, or is a broken link: there is nothing to compare.
    }
  };
  for (const path of paths) visit(path);
  return stamps;
}

function stampIn({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs}:${size}:${ino}`;
}
