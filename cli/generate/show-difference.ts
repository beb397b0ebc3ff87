// Shows what a new client changes for users of the old one.
import { readClient } from '../../framework/client/read-client.js';
import { diffTypes } from '../../framework/wire/compare/same-type.js';
import type { Colors } from '../terminal/color.js';
import type { Made } from './write-changed.js';

/** Lists the changes against the file on disk, those that break clients first; returns how many of them do. */
export function showDifference(
  { before, after }: Made,
  colors: Colors,
  print: (line: string) => void,
): number {
  if (before === undefined) {
    print('there is no client yet: nothing to compare');
    return 0;
  }
  const changes = diffTypes(readClient(before), readClient(after ?? ''));
  if (changes.length === 0) {
    print(before === after ? 'no changes' : 'no types changed; only the text of the client differs');
    return 0;
  }
  const sorted = changes.toSorted((a, b) => Number(b.isBreaking) - Number(a.isBreaking));
  for (const { path, what, isBreaking, isExposed } of sorted) {
    const label = isBreaking
      ? colors.red('breaks ')
      : isExposed
        ? colors.yellow('exposes')
        : colors.green('safe   ');
    print(`${label} ${colors.bold(path)}  ${what}`);
  }
  return changes.filter(({ isBreaking }) => isBreaking).length;
}
