// The files whose change can fix a failed build: those with errors, and those that were not found.
import { dirname, resolve } from 'node:path';
import type { Message } from 'esbuild';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';

/** A file that was not found is listed under each name that would resolve the import. */
export function buildErrorFiles(errors: readonly Message[], root: AbsolutePath): AbsolutePath[] {
  return [...new Set(errors.flatMap((error) => filesOf(error, root)).map((file) => absolutePath(file)))];
}

function filesOf({ text, location }: Message, root: string): string[] {
  if (!location) return [];
  const file = resolve(root, location.file);
  const missing = /^Could not resolve "(\.{1,2}\/[^"]*)"/.exec(text)?.[1];
  if (missing === undefined) return [file];
  const path = resolve(dirname(file), missing);
  return [file, path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`];
}
