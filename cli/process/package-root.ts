// Finds the directory of the running `fw` package, from its sources as well as from dist/.
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The real path of the directory that holds fw's own package.json. */
export function packageRoot(): string {
  let directory = dirname(realpathSync(fileURLToPath(import.meta.url)));
  while (!isFw(directory)) {
    const parent = dirname(directory);
    if (parent === directory)
      throw new Error(`no package.json of fw above ${fileURLToPath(import.meta.url)}`);
    directory = parent;
  }
  return directory;
}

/** The version of the running `fw` package. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).version;
}

function isFw(directory: string): boolean {
  try {
    return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).name === 'fw';
  } catch {
    return false;
  }
}
