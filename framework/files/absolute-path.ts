// Paths of files in one spelling. They are made here and nowhere else: comparing or keying by another string where the
// type asks for one of these does not compile.
import { realpathSync } from 'node:fs';
import nodePath from 'node:path';

declare const spelling: unique symbol;

/**
 * The real path of a file or folder, with the separators of the system, and with the case of the names on disk where the
 * disk ignores case. What does not exist has the name that it was given, in its real folder.
 */
export type AbsolutePath = string & { readonly [spelling]: true };

/** The part of `node:path` that is needed. */
interface PathFlavour {
  readonly sep: string;
  dirname(path: string): string;
  join(...paths: string[]): string;
  parse(path: string): { readonly root: string };
  relative(from: string, to: string): string;
  resolve(...paths: string[]): string;
}

/** What decides about the spelling: the flavour of paths, and the file system. */
export interface PathSystem {
  readonly path: PathFlavour;
  /** The real path, with names as they are on disk. @throws Error with a code of the system */
  realpath(path: string): string;
}

const own: PathSystem = { path: nodePath, realpath: realpathSync.native };

/**
 * The path that a name stands for. A relative one is resolved from the working directory. A name such as
 * `bundled:///libs/lib.dom.d.ts`, which TypeScript 7 has for files inside of its executable, stays as it is.
 */
export function absolutePath(name: string, system: PathSystem = own): AbsolutePath {
  const { dirname, join, relative } = system.path;
  const path = spelledPath(name, system);
  if (isBundled(name)) return path;
  for (let folder: string = path; ; folder = dirname(folder)) {
    const real = realPath(folder, system);
    if (real !== undefined) return join(real, relative(folder, path)) as AbsolutePath;
    if (folder === dirname(folder)) return path;
  }
}

/**
 * The same without a look at the disk, for names that a program has made from an `AbsolutePath`: chokidar, for example,
 * asks about thousands of files, and with `/` on every system.
 */
export function spelledPath(name: string, { path }: PathSystem = own): AbsolutePath {
  if (isBundled(name)) return name as AbsolutePath;
  const resolved = path.resolve(name);
  return resolved.replace(/^[a-z]:/, (drive) => drive.toUpperCase()) as AbsolutePath;
}

/** What is called so in a folder; it may be a link. */
export function pathIn(folder: AbsolutePath, ...names: readonly string[]): AbsolutePath {
  return nodePath.join(folder, ...names) as AbsolutePath;
}

/** The folder around a file or folder; that of a root is the root itself. */
export function folderOf(path: AbsolutePath): AbsolutePath {
  return nodePath.dirname(path) as AbsolutePath;
}

/** Whether a path is inside of a folder, at any depth. */
export function isInside(
  folder: AbsolutePath,
  path: AbsolutePath,
  { path: { sep } }: PathSystem = own,
): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isBundled(name: string): boolean {
  return name.startsWith('bundled:');
}

/** Undefined for what does not exist, or may not be looked at: what is known of it is its name. */
function realPath(path: string, system: PathSystem): string | undefined {
  try {
    return onSameDrive(path, system.realpath(path), system);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return undefined;
  }
}

/**
 * A drive that stands for a folder (by `subst`, or of a network) keeps its letter: compilers and bundlers keep it too, and
 * cmd.exe cannot work in `\\server\share`.
 */
function onSameDrive(
  path: string,
  real: string,
  { path: { parse, relative, join }, ...disk }: PathSystem,
): string {
  const drive = parse(path).root;
  // Stryker disable next-line ConditionalExpression,MethodExpression: the rest gives the same, with more looks at the disk
  if (parse(real).root.toLowerCase() === drive.toLowerCase()) return real;
  const inside = relative(disk.realpath(drive), real);
  return parse(inside).root !== '' || inside.startsWith('..') ? real : join(drive, inside);
}
