// The state of each file that the last report was about, to tell a change from an event that is none: systems report
// changes of rights and attributes, looks of virus scanners, and writes from before the start, as changes too.
import { statSync } from 'node:fs';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { stampOf } from '../files/file-stamps.js';

/**
 * How long a file can be written again without another time, in milliseconds: the clock of Linux stands still for up to
 * 10, and disks that keep whole seconds (FAT, HFS+) for up to 2,000.
 */
const grain = { usual: 20, wholeSeconds: 2500 };

export class ReportedStamps {
  readonly #stamps: Map<AbsolutePath, string>;

  /** @param first the files as they were when watching began */
  constructor(first: ReadonlyMap<AbsolutePath, string>) {
    this.#stamps = new Map(first);
  }

  note(file: AbsolutePath, stamp: string): void {
    this.#stamps.set(file, stamp);
  }

  /** The stamp of a file that is as it was reported last, or when watching began; undefined for another. */
  ifUnchanged(file: AbsolutePath, now: number = Date.now()): string | undefined {
    const known = this.#stamps.get(file);
    if (known === undefined || known !== stampOf(file)) return undefined;
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    const isSure = now - written > (written % 1000 === 0 ? grain.wholeSeconds : grain.usual);
    return isSure ? known : undefined;
  }
}
