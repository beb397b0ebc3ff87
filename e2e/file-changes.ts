// The wait for a file that a command of a journey writes.
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Resolves when the file is written, or another one takes its place. */
export function fileChanges(file: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(file), (_event, name) => {
      if (name !== basename(file)) return;
      watcher.close();
      resolve();
    });
  });
}
