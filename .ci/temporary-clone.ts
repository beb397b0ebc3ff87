// Clones of HEAD with the packages of this checkout, to build and to change without touching it.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** npm writes into this file, as into no other: a link of it would change the checkout. */
const WRITTEN = 'node_modules/.package-lock.json';

/**
 * The packages are links of the same files, which cost no time and must not be written into; on another disk, copies.
 * A link of the whole folder would lead a build back to the checkout.
 */
export function cloneCheckout(root: string, folder: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', pathToFileURL(root).href, folder]);
  const modules = [join(root, 'node_modules'), join(folder, 'node_modules')];
  const linked = spawnSync('cp', ['-al', ...modules], { stdio: 'ignore' });
  if (linked.status !== 0) execFileSync('cp', ['-a', ...modules]);
  rmSync(join(folder, WRITTEN), { force: true });
  copyFileSync(join(root, WRITTEN), join(folder, WRITTEN));
}
