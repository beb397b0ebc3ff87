// The nearest folder around a path that exists, of paths that are going to be made.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Undefined if not even the root exists: a drive of Windows, or a share of a network. */
export function existingFolder(path: string): string | undefined {
  if (existsSync(path)) return path;
  const above = dirname(path);
  return above === path ? undefined : existingFolder(above);
}
