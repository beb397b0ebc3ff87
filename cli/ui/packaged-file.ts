// Finds a program of this package that runs in a process of its own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError } from './errors.js';

/**
 * @param name as under `cli/`, without its ending. In the sources it is TypeScript; in the package it lies one
 *   folder away from the chunks, or beside the binary.
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
