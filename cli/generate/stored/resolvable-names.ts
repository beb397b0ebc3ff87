// The files of an app that an import may be resolved to: a new one may be found instead of another.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const resolvable = /\.[cm]?[jt]sx?$|^(?:package|tsconfig.*)\.json$/;

/** Why the state of a program cannot be known. */
export class UnknownState extends Error {}

/** Of a folder and all folders below it, except for packages and hidden ones. @throws UnknownState if there are too many */
export function namesBelow(root: string, most: number = 20_000): string[] {
  const all: string[] = [];
  const folders = [root];
  let seen = 0;
  // A list that grows meanwhile.
  for (const folder of folders) {
    const { names, below, count } = entriesOf(folder);
    seen += count;
    // Looking at them would take longer than it saves.
    if (seen > most) throw new UnknownState(`${root} has more than ${most} files`);
    all.push(...names);
    folders.push(...below);
  }
  return all;
}

/** Of one folder. */
export function namesIn(folder: string): string[] {
  return entriesOf(folder).names;
}

function entriesOf(folder: string): { names: string[]; below: string[]; count: number } {
  const entries = readdirSync(folder, { withFileTypes: true });
  const paths = (fits: (entry: (typeof entries)[number]) => boolean): string[] =>
    entries.filter(fits).map(({ name }) => join(folder, name));
  return {
    names: paths((entry) => !entry.isDirectory() && resolvable.test(entry.name)),
    below: paths(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'),
    ),
    count: entries.length,
  };
}
