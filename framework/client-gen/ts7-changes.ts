// Inference: the changed files for TypeScript 7, which ignores a new file unless it is reported as created.
import { existsSync } from 'node:fs';

interface FileChanges {
  readonly changed: string[];
  readonly created: string[];
  readonly deleted: string[];
}

/** @param known the files of the program so far */
export function fileChanges(files: readonly string[], known: ReadonlySet<string>): FileChanges {
  const there = files.filter((file) => existsSync(file));
  return {
    changed: there.filter((file) => known.has(file)),
    created: there.filter((file) => !known.has(file)),
    deleted: files.filter((file) => !existsSync(file)),
  };
}
