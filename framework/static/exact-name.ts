// Static files: whether a name is exactly that of a file, on disks that find a file by other spellings too.
import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Routes distinguish `/admin` from `/ADMIN`, and the disks of macOS and Windows do not: a file that is found by another
 * spelling would be served past the routes and guards of its own path. What a link leads to may have any name.
 *
 * @param root a real path
 * @param name below it, with slashes
 * @param real the real path of what was found
 */
export function isExactName(root: string, name: string, real: string): boolean {
  const parts = name.split('/');
  if (real === join(root, ...parts)) return true;
  let folder = root;
  for (const part of parts) {
    const path = join(folder, part);
    const found = realpathSync.native(path);
    if (isLink(path)) {
      // Its real path is that of its target.
      if (!readdirSync(folder).includes(part)) return false;
    } else if (found !== path) return false;
    folder = found;
  }
  return true;
}

const STAT = { bigint: true, throwIfNoEntry: false } as const;

function isLink(path: string): boolean {
  const stat: BigIntStats | undefined = lstatSync(path, STAT);
  return stat?.isSymbolicLink() === true;
}

/** Whether no part of the path below the root is a symbolic link. */
export function isWithoutLinks(root: string, path: string): boolean {
  for (let end = path.indexOf(sep, root.length + 1); ; end = path.indexOf(sep, end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    if (lstatSync(part, STAT)?.isSymbolicLink() !== false) return false;
    if (end === -1) return true;
  }
}
