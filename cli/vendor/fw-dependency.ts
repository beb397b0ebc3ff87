// How an app depends on `fw`: by the tarball that it carries, by a version of a registry, or by a link to a clone.
import { existsSync } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { type PackageManager, readManifest } from '../manager/package-manager.js';
import { packageRoot, packageVersion } from '../process/package-root.js';
import { UsageError } from '../terminal/errors.js';

export type FwSource = 'vendor' | 'registry' | 'link';

/** The folder of the app, with a name that version control knows as other people's work. */
export const VENDOR_FOLDER = 'vendor';

/** `vendor/fw-1.0.0.tgz`, relative to the app. */
export function tarballPath(version: string): string {
  return `${VENDOR_FOLDER}/fw-${version}.tgz`;
}

/** What `dependencies.fw` of the app says for the running `fw`. */
export function fwSpec(source: FwSource, manager: PackageManager, root: string = packageRoot()): string {
  if (source === 'vendor') return `file:${tarballPath(packageVersion())}`;
  if (source === 'registry') return `^${packageVersion()}`;
  if (root.split(sep).includes('node_modules')) {
    throw new UsageError(
      `--link needs a clone of fw, and this one is installed in ${root}`,
      'leave --link out: the app then carries this fw as a tarball',
    );
  }
  // For pnpm and yarn, `file:` of a directory is a copy.
  const protocol = manager === 'pnpm' || manager === 'yarn' ? 'link' : 'file';
  return `${protocol}:${root.split(sep).join('/')}`;
}

/** By `--from-registry` and `--link`. */
export function fwSource({ fromRegistry, link }: { fromRegistry?: boolean; link?: boolean }): FwSource {
  if (fromRegistry && link) {
    throw new UsageError('--from-registry and --link cannot be used together', 'remove one of the two');
  }
  if (fromRegistry) return 'registry';
  return link ? 'link' : 'vendor';
}

/**
 * The package.json of a package that modules of the app would load; undefined if it is not installed.
 * @param top the last directory to look into
 */
export function installedManifest(
  app: string,
  name: string,
  top: string = parse(app).root,
): Record<string, unknown> | undefined {
  for (let folder = app; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name);
    if (existsSync(join(place, 'package.json'))) return readManifest(place) ?? {};
    if (folder === top || folder === dirname(folder)) return undefined;
  }
}

/** False for another package of the same name, such as the one on npm. */
export function isThisFramework(manifest: Readonly<Record<string, unknown>>): boolean {
  const { exports, bin } = manifest as { exports?: Record<string, unknown>; bin?: Record<string, unknown> };
  return bin?.fw === 'dist/cli/main.js' && exports?.['./fw-toml.schema.json'] !== undefined;
}

/** Yarn's Plug'n'Play has no node_modules to look into. */
export function hasPlugAndPlay(app: string, top: string = parse(app).root): boolean {
  for (let folder = app; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.pnp.cjs'))) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}
