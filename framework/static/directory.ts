// Static files: opens files of a directory, and only those whose real path is inside it.
import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { FwError } from '../http/errors.js';

/** An open regular file, which its owner must close. */
export interface OpenFile {
  readonly fd: number;
  readonly stat: BigIntStats;
}

const STAT = { bigint: true, throwIfNoEntry: false } as const;
/** Non-blocking: a FIFO that replaced the file would otherwise block the process until something writes to it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** How often a file may be replaced while it is being opened. */
const ATTEMPTS = 10;

/** The process may not read an existing file. This is reported, but the client gets a 404. */
export class UnreadableFile extends Error {}

export class Directory {
  readonly #start: string;
  readonly #root: string;

  /** @param root An absolute path. It is resolved for every file, so that a symbolic link can be replaced. */
  constructor(root: string) {
    this.#root = root;
    this.#start = root.endsWith(sep) ? root : root + sep;
  }

  pathOf(name: string): string {
    return this.#start + name;
  }

  /**
   * The current file at the path, with links followed; undefined if there is none.
   *
   * @throws UnreadableFile if the process has no permission.
   */
  stat(path: string): BigIntStats | undefined {
    try {
      return statSync(path, STAT);
    } catch (error) {
      return explain(error);
    }
  }

  /**
   * Opens a regular file whose real path is inside the directory; undefined for anything else.
   *
   * @throws UnreadableFile if the process may not read it; FwError ServiceUnavailable without a free descriptor.
   */
  open(path: string): OpenFile | undefined {
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        // Opening a device may have side effects, so only regular files are opened.
        if (!statSync(path, STAT)?.isFile()) return undefined;
        const opened = this.#tryOpen(path);
        if (opened !== 'replaced') return opened;
      }
      return undefined;
    } catch (error) {
      return explain(error);
    }
  }

  #tryOpen(path: string): OpenFile | 'replaced' | undefined {
    const fd = openSync(path, READ);
    let place: 'inside' | 'outside' | 'replaced' = 'outside';
    try {
      const stat = fstatSync(fd, STAT);
      if (!stat.isFile()) return undefined;
      place = this.#locate(path, stat, fd);
      if (place === 'inside') return { fd, stat };
    } finally {
      if (place !== 'inside') closeSync(fd);
    }
    return place === 'replaced' ? 'replaced' : undefined;
  }

  /**
   * Where the file is that is already open, because the target of a path can change between two checks. The system tells
   * the path of a descriptor where it has `/proc/self/fd`. Elsewhere, a link in the real path, which has none, says that
   * something was exchanged meanwhile.
   */
  #locate(path: string, opened: BigIntStats, fd: number): 'inside' | 'outside' | 'replaced' {
    const root = realpathSync.native(this.#root);
    const start = root.endsWith(sep) ? root : root + sep;
    const real = realpathSync.native(path);
    if (!real.startsWith(start) || !isExactName(root, path.slice(this.#start.length), real)) return 'outside';
    const found = statSync(real, STAT);
    if (found?.dev !== opened.dev || found.ino !== opened.ino) return 'replaced';
    if (HAS_DESCRIPTORS) return readlinkSync(`/proc/self/fd/${fd}`).startsWith(start) ? 'inside' : 'replaced';
    return isWithoutLinks(root, real) ? 'inside' : 'replaced';
  }
}

/** Linux: each is a link to the path of the open file. Elsewhere the name may be there too, of something else. */
const HAS_DESCRIPTORS = process.platform === 'linux' && existsSync('/proc/self/fd');

/** Whether the file was not written, replaced or re-linked between the two. */
export function isUnchanged(before: BigIntStats, now: BigIntStats): boolean {
  return (
    before.ino === now.ino &&
    before.dev === now.dev &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  );
}

const ABSENT: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'ENXIO',
  'EINVAL',
]);
const FORBIDDEN: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
const EXHAUSTED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Returns undefined if the error means that there is no such file, and throws otherwise. */
function explain(error: unknown): undefined {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (ABSENT.has(code)) return undefined;
  if (FORBIDDEN.has(code)) throw new UnreadableFile((error as Error).message, { cause: error });
  if (EXHAUSTED.has(code)) {
    throw FwError.serviceUnavailable('too many files are open; try again in a moment', {
      cause: error,
      headers: { 'Retry-After': '1' },
    });
  }
  throw error;
}

/**
 * Routes distinguish `/admin` from `/ADMIN`, and the disks of macOS and Windows do not: a file that is found by another
 * spelling would be served past the routes and guards of its own path. What a link leads to may have any name.
 *
 * @param root a real path
 * @param name below it, with slashes
 * @param real the real path of what was found
 */
function isExactName(root: string, name: string, real: string): boolean {
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

const LINK_STAT = { bigint: true, throwIfNoEntry: false } as const;

function isLink(path: string): boolean {
  const stat: BigIntStats | undefined = lstatSync(path, LINK_STAT);
  return stat?.isSymbolicLink() === true;
}

/** Whether no part of the path below the root is a symbolic link. */
function isWithoutLinks(root: string, path: string): boolean {
  for (let end = path.indexOf(sep, root.length + 1); ; end = path.indexOf(sep, end + 1)) {
    const part = end === -1 ? path : path.slice(0, end);
    if (lstatSync(part, LINK_STAT)?.isSymbolicLink() !== false) return false;
    if (end === -1) return true;
  }
}
