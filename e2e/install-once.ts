// What npm installs is the same for every test file that installs the same: npm does it once, the others get a copy.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const parts = ['node_modules', 'package-lock.json'] as const;

/** Installs into `directory`, by `install` the first time, and from what it has kept in `store` for `key` after that. */
export function installOnce(store: string, key: string, directory: string, install: () => void): void {
  const [major] = process.versions.node.split('.');
  const kept = join(store, `${key}-node${major}`);
  if (existsSync(kept)) {
    copyParts(kept, directory);
    return;
  }
  install();
  const pending = `${kept}.${process.pid}`;
  mkdirSync(pending);
  copyParts(directory, pending);
  try {
    renameSync(pending, kept);
  } catch (error) {
    rmSync(pending, { recursive: true });
    if (!existsSync(kept)) throw error;
  }
}

/** What decides what npm installs in an app, apart from its name: its package.json, and the fw that it carries. */
export function keyOfApp(app: string): string {
  const { name, ...manifest } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  const hash = createHash('sha256').update(JSON.stringify(manifest));
  const vendor = join(app, 'vendor');
  const carried = existsSync(vendor) ? readdirSync(vendor) : [];
  for (const file of carried) hash.update(readFileSync(join(vendor, file)));
  return `app-${hash.digest('hex').slice(0, 16)}`;
}

function copyParts(from: string, to: string): void {
  for (const part of parts)
    cpSync(join(from, part), join(to, part), { recursive: true, verbatimSymlinks: true });
}
