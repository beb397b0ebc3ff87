// What is followed beside `src`: bundles and clients name it, also before there is a watcher.
import { sep } from 'node:path';
import { stampOf } from './file-stamps.js';
import type { Watcher } from './watch.js';

export interface FollowedFiles {
  addBundle(bundle: Readonly<Record<'inputs' | 'linked', readonly string[]>>): void;
  addFiles(files: readonly string[]): void;
  /** From now on the watcher is told; it also looks for what was written since the files were named. */
  attach(watcher: Pick<Watcher, 'alsoWatch'>): void;
  /** True for a file of a linked package that Node loads as it is: a process may have loaded it already. */
  isLinked(file: string): boolean;
}

export function createFollowedFiles(): FollowedFiles {
  const named = new Map<string, string>();
  const linked = new Set<string>();
  let watcher: Pick<Watcher, 'alsoWatch'> | undefined;

  function addFiles(files: readonly string[]): void {
    if (watcher) watcher.alsoWatch(new Map(files.map((file) => [file, undefined])), []);
    // Of several builds the last one counts: it has read the files as they were then.
    else for (const file of files) named.set(file, stampOf(file));
  }

  return {
    addFiles,
    addBundle({ inputs, linked: folders }) {
      addFiles(inputs);
      for (const folder of folders) linked.add(folder);
      watcher?.alsoWatch(new Map(), folders);
    },
    attach(next) {
      watcher = next;
      watcher.alsoWatch(named, [...linked]);
      named.clear();
    },
    isLinked: (file) => [...linked].some((folder) => file.startsWith(folder + sep)),
  };
}
