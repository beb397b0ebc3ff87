// The texts of the files that the last builds were made from: an app that writes the same again needs no restart.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { fingerprint } from '../files/file-stamps.js';
import { tellsOfInstallation } from '../watch/watch-scope.js';

/** As after a checkout: nobody writes so many again without a change. */
const most = 100;

export class BuiltTexts {
  readonly #hashes = new Map<AbsolutePath, string>();
  /** By the clock of files. */
  #failedAt: number | undefined;

  /** A cycle begins. */
  begins(): void {
    this.#failedAt = undefined;
  }

  /** The app has not started, or has crashed, and waits for a change. */
  failed(): void {
    this.#failedAt = Date.now();
  }

  /** The files were read for a build while they had these stamps. */
  built(files: readonly AbsolutePath[], stamps: string): void {
    if (files.length > most) {
      this.#hashes.clear();
      return;
    }
    for (const file of files) this.#hashes.set(file, hashOf(file));
    if (fingerprint(files) !== stamps) for (const file of files) this.#hashes.delete(file);
  }

  /** True if nothing is new about the files. After a failure, writing a file tries again, except for the app itself. */
  areSame(files: readonly AbsolutePath[]): boolean {
    if (files.length > most || files.some(tellsOfInstallation)) return false;
    if (!files.every((file) => this.#hashes.has(file) && this.#hashes.get(file) === hashOf(file)))
      return false;
    const failedAt = this.#failedAt;
    return failedAt === undefined || files.every((file) => writtenAt(file) <= failedAt);
  }
}

function hashOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) return 'gone';
  try {
    return createHash('sha1').update(readFileSync(file)).digest('hex');
  } catch (error) {
    // It was removed meanwhile, or must not be read; the build says so.
    return `unread: ${(error as NodeJS.ErrnoException).code}`;
  }
}

function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
