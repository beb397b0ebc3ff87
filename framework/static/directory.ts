// Static files: the directory on the disk. What is opened here lies in it, wherever its links lead.
import { type BigIntStats, closeSync, constants, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { FwError } from '../errors.js';

/** An open regular file; whoever has it closes it. */
export interface OpenFile {
  readonly fd: number;
  readonly stat: BigIntStats;
}

const STAT = { bigint: true, throwIfNoEntry: false } as const;
/** A FIFO that took the file's place would otherwise hold up the process until somebody writes to it. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** How often a file may be replaced while it is being opened. */
const ATTEMPTS = 10;

/** The process may not read a file that is there. Clients are not told of it. */
export class UnreadableFile extends Error {}

export class Directory {
  readonly #start: string;
  readonly #root: string;

  /** @param root An absolute path. It is resolved at every opening, so that a link may be swapped for another. */
  constructor(root: string) {
    this.#root = root;
    this.#start = root.endsWith(sep) ? root : root + sep;
  }

  pathOf(name: string): string {
    return this.#start + name;
  }

  /**
   * What is under the path now, links followed; undefined for nothing.
   *
   * @throws UnreadableFile where it may not be looked at.
   */
  stat(path: string): BigIntStats | undefined {
    try {
      return statSync(path, STAT);
    } catch (error) {
      return explain(error);
    }
  }

  /**
   * Opens a regular file whose real path lies in the directory; undefined for anything else.
   *
   * @throws UnreadableFile where it may not be read, FwError ServiceUnavailable where no descriptor is left.
   */
  open(path: string): OpenFile | undefined {
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        // Opening a device may already have an effect, so anything but a file is not even opened.
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
      place = this.#locate(path, stat);
      if (place === 'inside') return { fd, stat };
    } finally {
      if (place !== 'inside') closeSync(fd);
    }
    return place === 'replaced' ? 'replaced' : undefined;
  }

  /** Asked of the file that is open already: what a path leads to can change between two looks at it. */
  #locate(path: string, opened: BigIntStats): 'inside' | 'outside' | 'replaced' {
    const root = realpathSync.native(this.#root);
    const real = realpathSync.native(path);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return 'outside';
    const found = statSync(real, STAT);
    return found?.dev === opened.dev && found.ino === opened.ino ? 'inside' : 'replaced';
  }
}

/** True where nothing was written, replaced or linked elsewhere between the two. */
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

/** Gives undefined where the error means that there is no such file, and throws the others. */
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
