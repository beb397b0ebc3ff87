// Inference: what TypeScript 7 must be told of changed files; a new one is in no program until it is called new.
import { existsSync } from 'node:fs';

interface FileChanges {
  readonly changed: string[];
  readonly created: string[];
  readonly deleted: string[];
}

/** @param known files of the program so far. */
export function fileChanges(files: readonly string[], known: ReadonlySet<string>): FileChanges {
  const there = files.filter((file) => existsSync(file));
  return {
    changed: there.filter((file) => known.has(file)),
    created: there.filter((file) => !known.has(file)),
    deleted: files.filter((file) => !existsSync(file)),
  };
}
