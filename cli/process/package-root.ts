// Finds the directory of the running `fw` package, from its sources as well as from dist/.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../terminal/errors.js';

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

/**
 * @param name path below `cli/`, without the extension. In the sources the file is TypeScript; in the package it is
 *   in the folder next to that of the chunks, or next to the binary.
 */
export function packagedFile(name: string): string {
  const places = [`../${name}.js`, `./${name}.js`, `../${name}.ts`];
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new CliError(`the installation of fw is incomplete: ${name}.js is missing`, {
    help: 'install fw again',
  });
}
