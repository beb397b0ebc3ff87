// The steps of `fw upgrade`: the new tarball, package.json, and the old tarball. Each of them can be repeated.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { retryBusySync } from '../../framework/files/retry-busy.js';
import { type PackageManager, readManifest } from '../manager/package-manager.js';
import { CliError } from '../terminal/errors.js';
import { type FwSource, fwSpec, tarballPath, VENDOR_FOLDER } from '../vendor/fw-dependency.js';
import type { Tarball } from '../vendor/own-package.js';

export interface Upgrade {
  /** Of the app. */
  readonly directory: string;
  /** What package.json said, and says now. */
  readonly before: string;
  readonly after: string;
  /** Paths in the app. */
  readonly written: string[];
  readonly removed: string[];
  /** Whether a tarball was replaced by another one of the same name. */
  readonly isSameSpec: boolean;
}

/** The nearest directory with a package.json that depends on `fw`. */
export function findApp(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (specIn(readManifest(folder)) !== undefined) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new CliError(`no package.json in ${cwd} or above depends on fw`, {
    help: 'run fw upgrade in the directory of an app; fw new makes one',
  });
}

/**
 * Leaves the installation to the caller.
 * @throws CliError if the app has a newer `fw`, unless `force` is set
 */
export function upgradeApp(
  directory: string,
  tarball: Tarball,
  { source, manager, force }: { source: FwSource; manager: PackageManager; force: boolean },
): Upgrade {
  const before = specIn(readManifest(directory)) ?? '';
  const has = /\d+\.\d+\.\d+/.exec(before)?.[0];
  if (has !== undefined && isOlder(tarball.version, has) && !force) {
    throw new CliError(`the app has fw ${has}, and this is fw ${tarball.version}, which is older`, {
      help: 'run the fw that the app should have, give its tarball: fw upgrade <tarball>, or add --force',
    });
  }
  const after = source === 'vendor' ? `file:${tarballPath(tarball.version)}` : fwSpec(source, manager);
  const written: string[] = [];
  const path = tarballPath(tarball.version);
  if (source === 'vendor' && replaceFile(join(directory, path), tarball.content)) written.push(path);
  if (before !== after) {
    replaceFile(join(directory, 'package.json'), rewritten(directory, before, after));
    written.push('package.json');
  }
  const removed = removeOthers(directory, source === 'vendor' ? path : '');
  return { directory, before, after, written, removed, isSameSpec: before === after && written.length > 0 };
}

function specIn(manifest: Record<string, unknown> | undefined): string | undefined {
  const { dependencies, devDependencies } = (manifest ?? {}) as Record<string, Record<string, unknown>>;
  const spec = dependencies?.fw ?? devDependencies?.fw;
  return typeof spec === 'string' ? spec : undefined;
}

/** The text of package.json with another `fw`, and else as it was. */
function rewritten(directory: string, before: string, after: string): Buffer {
  const text = readFileSync(join(directory, 'package.json'), 'utf8');
  const escaped = JSON.stringify(before).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const changed = text.replace(
    new RegExp(`("fw"\\s*:\\s*)${escaped}`, 'g'),
    (_all, key: string) => `${key}${JSON.stringify(after)}`,
  );
  if (changed === text) {
    throw new CliError(
      `${join(directory, 'package.json')} writes "fw" in a way that fw upgrade does not find`,
      {
        help: `set it to ${JSON.stringify(after)}, and install`,
      },
    );
  }
  return Buffer.from(changed);
}

/** Writes beside it first, so that the file is never half written; false if it is the same already. */
function replaceFile(path: string, content: Uint8Array): boolean {
  try {
    if (readFileSync(path).equals(content)) return false;
  } catch {
    // There is none yet.
  }
  mkdirSync(dirname(path), { recursive: true });
  const pending = `${path}.${process.pid}.tmp`;
  writeFileSync(pending, content);
  retryBusySync(() => renameSync(pending, path));
  return true;
}

/** Removes other versions of `fw` from vendor/, and leaves what else is there. */
function removeOthers(directory: string, kept: string): string[] {
  return carriedTarballs(directory)
    .filter((path) => path !== kept)
    .map((path) => {
      retryBusySync(() => rmSync(join(directory, path)));
      return path;
    });
}

/** The tarballs of `fw` in vendor/, as paths in the app. */
export function carriedTarballs(directory: string): string[] {
  let names: string[];
  try {
    names = readdirSync(join(directory, VENDOR_FOLDER));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^fw-\d+\.\d+\.\d+[\w.+-]*\.tgz$/.test(name))
    .map((name) => `${VENDOR_FOLDER}/${name}`);
}

function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, part] of (other ?? []).entries()) {
    const own = one?.[index] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
