// The texts of the files that the last builds were made from: an app that writes the same again needs no restart.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { AbsolutePath } from '../../../framework/files/absolute-path.js';
import { fingerprint, stampOf } from '../../files/file-stamps.js';
import { tellsOfInstallation } from '../../watch/watch-scope.js';

/** As after a checkout: nobody writes so many again without a change. */
const MOST = 100;

export class BuiltTexts {
  readonly #hashes = new Map<AbsolutePath, string>();
  /** The stamps of these files when the app failed; undefined while it runs. */
  #atFailure: Map<AbsolutePath, string> | undefined;

  /** A cycle begins. */
  begins(): void {
    this.#atFailure = undefined;
  }

  /** The app has not started, or has crashed, and waits for a change. */
  failed(): void {
    // Not the time of the failure: the clock of a file system may be behind, by a tick or on another machine.
    this.#atFailure = new Map([...this.#hashes.keys()].map((file) => [file, stampOf(file)]));
  }

  /** The files were read for a build while they had these stamps. */
  built(files: readonly AbsolutePath[], stamps: string): void {
    if (files.length > MOST) {
      this.#hashes.clear();
      return;
    }
    for (const file of files) this.#hashes.set(file, hashOf(file));
    if (fingerprint(files) !== stamps) for (const file of files) this.#hashes.delete(file);
  }

  /** True if nothing is new about the files. After a failure, writing a file tries again, except for the app itself. */
  areSame(files: readonly AbsolutePath[]): boolean {
    if (files.length > MOST || files.some(tellsOfInstallation)) return false;
    if (!files.every((file) => this.#hashes.has(file) && this.#hashes.get(file) === hashOf(file)))
      return false;
    const stamps = this.#atFailure;
    return stamps === undefined || files.every((file) => stamps.get(file) === stampOf(file));
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
