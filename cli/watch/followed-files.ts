// The files outside of `src` that are watched: bundles and clients add them, also before there is a watcher.
import { type AbsolutePath, isInside } from '../../framework/files/absolute-path.js';
import { stampOf } from '../files/file-stamps.js';
import type { Watcher } from './watch.js';

export class FollowedFiles {
  readonly #named = new Map<AbsolutePath, string>();
  readonly #linked = new Set<AbsolutePath>();
  #watcher: Pick<Watcher, 'alsoWatch'> | undefined;

  addBundle({ inputs, linked }: Readonly<Record<'inputs' | 'linked', readonly AbsolutePath[]>>): void {
    this.addFiles(inputs);
    for (const folder of linked) this.#linked.add(folder);
    this.#watcher?.alsoWatch(new Map(), linked);
  }

  addFiles(files: readonly AbsolutePath[]): void {
    if (this.#watcher) this.#watcher.alsoWatch(new Map(files.map((file) => [file, undefined])), []);
    // The stamp of the last build counts, because that build read the files as they were then.
    else for (const file of files) this.#named.set(file, stampOf(file));
  }

  /** Passes all files to the watcher, which also looks for those that were written since they were added. */
  attach(watcher: Pick<Watcher, 'alsoWatch'>): void {
    this.#watcher = watcher;
    watcher.alsoWatch(this.#named, [...this.#linked]);
    this.#named.clear();
  }

  /** True for a file of a linked package that is not bundled: a process may have loaded it already. */
  isLinked(file: AbsolutePath): boolean {
    return [...this.#linked].some((folder) => isInside(folder, file));
  }
}
