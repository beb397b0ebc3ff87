// The permissions of what is packed, which a checkout has by the umask of whoever made it, and npm takes as they are.
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What npm packs, and folders with it. */
const PACKED = ['dist', 'framework/docs', 'cli/docs', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

/** Lets everybody read what is packed, its owner write it, and everybody run what its owner may run. */
export function openPackedFiles(root: string): void {
  for (const path of PACKED) openFiles(join(root, path));
}

function openFiles(path: string): void {
  const stat = statSync(path);
  if (stat.isDirectory()) {
    for (const name of readdirSync(path)) if (!name.startsWith('.')) openFiles(join(path, name));
    return;
  }
  const wanted = (stat.mode & 0o100) === 0 ? 0o644 : 0o755;
  if ((stat.mode & 0o777) !== wanted) chmodSync(path, wanted);
}
