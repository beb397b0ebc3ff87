// Builds that failed by a file: which change can fix them, and which file an import has most likely meant.
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Message } from 'esbuild';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { nearest } from '../../framework/options/nearest.js';

/** A file that was not found is listed under each name that would resolve the import. */
export function buildErrorFiles(errors: readonly Message[], root: AbsolutePath): AbsolutePath[] {
  return [...new Set(errors.flatMap((error) => filesOf(error, root)).map((file) => absolutePath(file)))];
}

function filesOf({ text, location }: Message, root: string): string[] {
  if (!location) return [];
  const file = resolve(root, location.file);
  const missing = missingIn(text);
  if (missing === undefined) return [file];
  const path = resolve(dirname(file), missing);
  return [file, path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`];
}

/** Adds `did you mean "./accounts.ts"?` where the folder has a file of nearly that name. */
export function withNearestFile(error: Message, root: string): Message {
  const missing = missingIn(error.text);
  if (missing === undefined || !error.location) return error;
  const folder = dirname(resolve(root, dirname(error.location.file), missing));
  const meant = nearest(basename(missing), filesLike(missing, folder));
  if (meant === undefined) return error;
  const path = missing.slice(0, missing.lastIndexOf('/') + 1) + meant;
  return { ...error, text: `${error.text}; did you mean "${path}"?` };
}

/** The relative path of an import that leads to no file. */
function missingIn(text: string): string | undefined {
  return /^Could not resolve "(\.{1,2}\/[^"]*)"/.exec(text)?.[1];
}

/** Names with the same extension, because another one is rarely a typing error. */
function filesLike(missing: string, folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => extname(name) === extname(missing));
  } catch {
    // The folder is the part that is wrong.
    return [];
  }
}
