// A file system in memory for tests: of another system, or on a disk that ignores case.
import { type PlatformPath, posix, win32 } from 'node:path';
import type { PathSystem } from '../files/absolute-path.js';

interface Disk {
  /** Their paths; the folders around them exist too. */
  readonly files: readonly string[];
  /** The paths of links, and what they lead to. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Windows, which ignores case. */
export function windowsDisk(disk: Disk): PathSystem {
  return { path: win32, realpath: (path) => find(path, disk, win32, (name) => name.toLowerCase()) };
}

/** Linux. */
export function linuxDisk(disk: Disk): PathSystem {
  return { path: posix, realpath: (path) => find(path, disk, posix, (name) => name) };
}

/** macOS, on the usual disk. */
export function macDisk(disk: Disk): PathSystem {
  return { path: posix, realpath: (path) => find(path, disk, posix, (name) => name.toLowerCase()) };
}

function find(path: string, disk: Disk, system: PlatformPath, key: (name: string) => string): string {
  const { dirname, join, relative } = system;
  const { files, links = {} } = disk;
  for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
    const target = Object.entries(links).find(([link]) => key(link) === key(folder))?.[1];
    if (target !== undefined) return find(join(target, relative(folder, path)), disk, system, key);
  }
  const known = [...files, ...Object.keys(links)].flatMap((file) => upwards(file, system));
  const found = known.find((one) => key(one) === key(path));
  if (found === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  return found;
}

/** A path, and the folders around it. */
function upwards(path: string, system: PlatformPath): string[] {
  const above = system.dirname(path);
  return above === path ? [path] : [path, ...upwards(above, system)];
}
