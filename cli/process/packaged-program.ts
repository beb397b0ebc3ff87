// Finds a program of this package that runs in a separate process.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from '../terminal/errors.js';

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
