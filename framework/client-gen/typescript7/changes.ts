// Inference: the changed files for TypeScript 7, which ignores a new file unless it is reported as created.
import { existsSync } from 'node:fs';
import type { AbsolutePath } from '../../files/absolute-path.js';

interface FileChanges {
  readonly changed: AbsolutePath[];
  readonly created: AbsolutePath[];
  readonly deleted: AbsolutePath[];
}

/** The maximum number of steps, because a change of an import takes long in each of them. */
const MOST_STEPS = 8;

/**
 * The steps in which TypeScript is told of changes. A program is only reused if a single file has changed.
 *
 * @param known the files that TypeScript knows so far; those that are there are added, others removed
 */
export function fileChanges(
  files: readonly AbsolutePath[],
  known: Set<AbsolutePath>,
): readonly FileChanges[] {
  const there = files.filter((file) => existsSync(file));
  const changed = there.filter((file) => known.has(file));
  const created = there.filter((file) => !known.has(file));
  const deleted = files.filter((file) => !existsSync(file));
  for (const file of created) known.add(file);
  for (const file of deleted) known.delete(file);
  const isStepwise = created.length + deleted.length === 0 && changed.length <= MOST_STEPS;
  return isStepwise
    ? changed.map((file) => ({ changed: [file], created, deleted }))
    : [{ changed, created, deleted }];
}
