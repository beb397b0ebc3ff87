// Which files are sources of the app, and which file a name in one of them means.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createPathsMatcher, getTsconfig, parseTsconfig, type TsConfigResult } from 'get-tsconfig';
import { configFor } from '../../config/tsconfig.js';

const inside = `${sep}node_modules${sep}`;
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** What Node cannot run, or not on every version. */
const COMPILED = /\.(?:[cm]?ts|[jt]sx)$/;

/** The path of a file that is not in a package of node_modules. */
export function sourcePath(url: string | undefined): string | undefined {
  if (!url?.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  return path.includes(inside) ? undefined : path;
}

export function needsCompiler(path: string): boolean {
  return COMPILED.test(path);
}

/** Whether it is code below `root` that belongs to the app: not to a package, nor to a package that is linked from there. */
export function isAppCode(path: string, root: string): boolean {
  if (!CODE.test(path) || path.includes(inside) || !path.startsWith(root + sep)) return false;
  return !isInPackageBelow(dirname(path), root);
}

const packages = new Map<string, boolean>();

function isInPackageBelow(folder: string, root: string): boolean {
  if (folder.length <= root.length) return false;
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const found = isNamed(join(folder, 'package.json')) || isInPackageBelow(dirname(folder), root);
  packages.set(folder, found);
  return found;
}

function isNamed(manifest: string): boolean {
  return existsSync(manifest) && /"name"\s*:/.test(readFileSync(manifest, 'utf8'));
}

/**
 * The URL of the file that a module names, if Node would find none: a name of tsconfig.json, one without an extension,
 * or with that of the file that the compiler would write.
 */
export function namedSource(
  name: string,
  parent: string | undefined,
  isRequire: boolean,
): string | undefined {
  const from = sourcePath(parent);
  const place = placeOf(name, parent, isRequire);
  if (place === undefined) return from === undefined ? undefined : byTsconfig(name, from);
  const isForeign = place.path.includes(inside) || (from === undefined && !place.isWhole);
  if (isForeign || isFile(place.path)) return undefined;
  const found = otherName(place.path);
  return found && pathToFileURL(found).href + place.search;
}

interface Place {
  readonly path: string;
  readonly search: string;
  /** It does not depend on where it is named. */
  readonly isWhole: boolean;
}

function placeOf(name: string, parent: string | undefined, isRequire: boolean): Place | undefined {
  const isWhole = isAbsolute(name) || name.startsWith('file:');
  if (!isWhole && !/^\.{1,2}(?:\/|$)/.test(name)) return undefined;
  if (parent !== undefined && !parent.startsWith('file:')) return undefined;
  if (isRequire || (isAbsolute(name) && sep === '\\')) {
    const folder = parent === undefined ? process.cwd() : dirname(fileURLToPath(parent));
    return { path: resolve(folder, name), search: '', isWhole };
  }
  const url = new URL(name, parent);
  return { path: fileURLToPath(url), search: url.search, isWhole };
}

/** The file that Node was looking for in vain, under another name. */
export function missingSource(error: unknown): string | undefined {
  const { url } = error as { url?: unknown };
  const path = typeof url === 'string' ? sourcePath(url) : undefined;
  const found = path === undefined ? undefined : otherName(path);
  return found && pathToFileURL(found).href;
}

const written: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const extensions = ['.tsx', '.ts', '.mts', '.cts', '.jsx', '.js', '.mjs', '.cjs', '.json'];

function otherName(path: string): string | undefined {
  const extension = extname(path);
  const base = path.slice(0, path.length - extension.length);
  const names = [
    ...(written[extension] ?? []).map((one) => base + one),
    ...extensions.map((one) => path + one),
    ...extensions.map((one) => join(path, `index${one}`)),
  ];
  return names.find(isFile);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const matchers = new Map<string, ReturnType<typeof createPathsMatcher>>();

function byTsconfig(name: string, from: string): string | undefined {
  const config = tsconfigOf(from);
  if (config === undefined || name.startsWith('node:')) return undefined;
  if (!matchers.has(config.path)) matchers.set(config.path, createPathsMatcher(config));
  const places = matchers.get(config.path)?.(name) ?? [];
  const found = places.map((path) => (isFile(path) ? path : otherName(path))).find(Boolean);
  return found && !found.includes(inside) ? pathToFileURL(found).href : undefined;
}

const files = new Map();

/** The configuration for a source; undefined if there is none, or it cannot be read, which the compiler reports. */
export function tsconfigOf(path: string): TsConfigResult | undefined {
  try {
    const nearest = getTsconfig(path, 'tsconfig.json', files) ?? undefined;
    if (nearest?.config.references === undefined) return nearest;
    const own = configFor(dirname(nearest.path), path);
    return own === nearest.path ? nearest : { path: own, config: parseTsconfig(own, files) };
  } catch {
    return undefined;
  }
}
