// Finds out where the running `fw` came from (registry, tarball or checkout), so that the app depends on the same one.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { packageRoot } from '../process/package-root.js';
import { CliError } from '../terminal/errors.js';

/** The dependency spec for the new app's package.json. */
export function fwSpec(root: string = packageRoot()): string {
  // A checkout, which may be linked: its real path is not inside the node_modules of another package.
  if (!root.split(sep).includes('node_modules')) return fileSpec(root);
  const owner = findOwner(root);
  // A global install leaves no record of where it came from.
  if (!owner) return versionRange(root);
  return translate(owner.spec, owner.directory) ?? versionRange(root);
}

interface Owner {
  directory: string;
  spec: string;
}

/** The first package above the running one that depends on `fw`, with the spec of that dependency. */
function findOwner(root: string): Owner | undefined {
  for (let directory = dirname(root); directory !== dirname(directory); directory = dirname(directory)) {
    const manifest = readManifest(directory);
    if (!manifest || manifest.name === 'fw') continue;
    const spec =
      manifest.dependencies?.fw ??
      manifest.devDependencies?.fw ??
      manifest.optionalDependencies?.fw ??
      manifest.peerDependencies?.fw;
    if (typeof spec === 'string') return { directory, spec };
  }
  return undefined;
}

/** The owner's spec, valid in another directory; undefined for a version, a range or a tag of the registry. */
function translate(spec: string, owner: string): string | undefined {
  if (/^(?:https?|git|git\+\w+|ssh|github|gitlab|bitbucket):/.test(spec)) return spec;
  const path = localPath(spec);
  if (path === undefined) return /^[\w.-]+\/[\w.-]+(?:#.*)?$/.test(spec) ? spec : undefined;
  const absolute = isAbsolute(path) ? path : resolve(owner, path);
  if (existsSync(absolute)) return fileSpec(absolute);
  throw new CliError(
    `this fw was installed from ${absolute}, which no longer exists; the app would depend on it too`,
    {
      help: 'put it back, or install fw from another place',
    },
  );
}

/** The path in `file:../x.tgz`, `link:../fw`, `./x.tgz` (as bun writes it); undefined for other specs. */
function localPath(spec: string): string | undefined {
  const prefixed = /^(?:file|link|portal):(?:\/\/(?=\/))?(.*)$/.exec(spec)?.[1];
  if (prefixed !== undefined) return prefixed.replace(/::.*$/, '');
  return /^(?:\.{0,2}\/|[a-z]:[\\/])|\.(?:tgz|tar\.gz)$/i.test(spec) ? spec : undefined;
}

/** Absolute, because relative paths break where a parent directory is a symbolic link. */
function fileSpec(path: string): string {
  return `file:${path.split(sep).join('/')}`;
}

function versionRange(root: string): string {
  return `^${readManifest(root)?.version}`;
}

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, unknown>;
  devDependencies?: Record<string, unknown>;
  optionalDependencies?: Record<string, unknown>;
  peerDependencies?: Record<string, unknown>;
}

function readManifest(directory: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  } catch {
    return undefined;
  }
}
