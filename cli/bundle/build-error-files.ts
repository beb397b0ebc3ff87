// Builds that failed by a file: which change can fix them, and which file an import has most likely meant.
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Message } from 'esbuild';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { meantFile } from '../files/meant-file.js';

/** A file that was not found is listed under each name that would resolve the import. */
export function buildErrorFiles(errors: readonly Message[], root: AbsolutePath): AbsolutePath[] {
  return [...new Set(errors.flatMap((error) => filesOf(error, root)).map((file) => absolutePath(file)))];
}

function filesOf({ text, location }: Message, root: string): string[] {
  if (!location) return [];
  const file = resolve(root, location.file);
  const missing = missingIn(text) ?? /^Cannot read file: (.+)$/s.exec(text)?.[1];
  if (missing === undefined) return [file];
  const path = resolve(dirname(file), missing);
  return [file, path, path.replace(/\.([cm]?)js$/, '.$1ts'), `${path}.ts`];
}

/** Adds `did you mean "./accounts.ts"?` where the folder has a file of nearly that name, or another remedy. */
export function withNearestFile(error: Message, root: string): Message {
  const other = otherCase(error.text);
  if (other !== undefined)
    return { ...error, text: `${error.text}; did you mean "${other}"? Names differ in capital letters` };
  if (error.text.startsWith('No loader is configured for ')) return withWayToRead(error);
  const missing = missingIn(error.text);
  if (missing === undefined) return error;
  // What no file imports is the entry, which was there when `fw dev` began.
  if (!error.location)
    return {
      ...error,
      text: `${error.text}, which starts the app; name another file by entry under [dev] of fw.toml`,
    };
  const path = missing.replace(/\/+$/, '');
  const meant = path.includes('/') ? meantFile(resolve(root, dirname(error.location.file), path)) : undefined;
  if (meant === undefined) return error;
  const corrected = path.slice(0, path.lastIndexOf('/') + 1) + meant;
  return { ...error, text: `${error.text}; did you mean "${corrected}"?` };
}

/** Of a file that is not code, such as `./query.sql`. */
function withWayToRead(error: Message): Message {
  const { lineText = '', column = 0, length = 0 } = error.location ?? {};
  // Columns are in bytes.
  const specifier = Buffer.from(lineText)
    .subarray(column, column + length)
    .toString();
  if (!/^["']\.{1,2}\//.test(specifier)) return error;
  const way = `readFileSync(new URL(${specifier}, import.meta.url), 'utf8')`;
  return { ...error, text: `${error.text}; only code and JSON are imported, a text is read by ${way}` };
}

/** Esbuild finds files in any case, and cannot read them where the file system tells one from the other. */
function otherCase(text: string): string | undefined {
  const path = /^Cannot read file: (.+)$/s.exec(text)?.[1];
  if (path === undefined) return undefined;
  const name = basename(path);
  return filesLike(name, dirname(path)).find(
    (one) => one !== name && one.toLowerCase() === name.toLowerCase(),
  );
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
