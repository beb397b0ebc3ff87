// Where the app imports what cannot be found. Node.js fails before any line of the app has run, and so no frame of its
// stack is of the app: the place is looked up in the text of the file that has the import.
import { readFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { importedBundle } from './import-bundle.js';

/** A frame as those of a stack, in a list; empty if the place is not known. */
export function placeOfImport(error: unknown): readonly string[] {
  try {
    if (!(error instanceof Error)) return [];
    if (error instanceof SyntaxError) return placeOfExport(error.stack ?? '');
    const { code } = error as NodeJS.ErrnoException;
    return LINK_ERRORS.has(code ?? '') ? placeOfSpecifier(error.message) : [];
  } catch {
    // A getter of the error throws, or the file is gone.
    return [];
  }
}

const LINK_ERRORS: ReadonlySet<string> = new Set([
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
  'ERR_UNKNOWN_BUILTIN_MODULE',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNSUPPORTED_ESM_URL_SCHEME',
]);

/** A module has no such export: Node.js writes the place before the message only, and of the bundle. */
function placeOfExport(stack: string): readonly string[] {
  const found = /^(file:\/\/\S+):(\d+)\n[^\n]*\n( *)\^/.exec(stack);
  if (found === null) return [];
  const [, url = '', line = '1', space = ''] = found;
  return [frame(url, Number(line), space.length + 1)];
}

function placeOfSpecifier(message: string): readonly string[] {
  const importer = importerIn(message) ?? importedBundle();
  if (importer === undefined || !isAbsolute(importer)) return [];
  const text = readFileSync(importer, 'utf8');
  // The longest one: both `odd` and `odd/sub.js` are in the path of the latter.
  const [found] = [...text.matchAll(/\b(?:from|import|import\() ?(["'])([^"'\n]+)\1/g)]
    .filter(([, , specifier = '']) => isMeant(specifier, message, importer))
    .sort(([, , a = ''], [, , b = '']) => b.length - a.length);
  if (found === undefined) return [];
  const before = text.slice(0, found.index + found[0].indexOf(found[1] ?? '')).split('\n');
  const url = pathToFileURL(importer).href;
  const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
  // A source that runs by itself has a map under its own name, and its text is already what a map leads to.
  return [isOwnSource(url) ? `at ${url}:${line}:${column}` : frame(url, line, column)];
}

function isOwnSource(url: string): boolean {
  const { sources = [] } = findSourceMap(url)?.payload ?? {};
  return sources.includes(url);
}

function importerIn(message: string): string | undefined {
  const begin = message.lastIndexOf(' imported from ');
  if (begin === -1) return undefined;
  // Newer versions of Node.js add lines with a hint.
  const [importer = ''] = message.slice(begin + ' imported from '.length).split('\n');
  return importer.startsWith('file:') ? fileURLToPath(importer) : importer;
}

/** Whether an import by this specifier fails with this message. */
function isMeant(specifier: string, message: string, importer: string): boolean {
  if (specifier.startsWith('.')) return message.includes(`'${resolve(dirname(importer), specifier)}'`);
  const [, name, path, subpath, folder] =
    /^Cannot find package '([^'/\\][^']*)'|^(?:Cannot find|Directory import|No "exports")[^/\\]*([^']*)|^Package subpath '\.([^']*)' is not defined by "exports" in (.+?)[/\\]package\.json/.exec(
      message,
    ) ?? [];
  if (name !== undefined) return specifier === name || specifier.startsWith(`${name}/`);
  const file = (path ?? `${folder}${subpath}`).replaceAll('\\', '/');
  const begun = file.split(`/node_modules/${specifier}`);
  return (
    // With an ending that the specifier leaves out.
    (begun.length > 1 && /^(?:[/.]|$)/.test(begun.at(-1) ?? '')) ||
    message.includes(`"${specifier}"`) ||
    message.endsWith(` ${specifier}`) ||
    (/^https?:/.test(specifier) && message.includes("Received protocol 'http"))
  );
}

/** @param line from 1, as the column */
function frame(url: string, line: number, column: number): string {
  const entry = findSourceMap(url)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return `at ${url}:${line}:${column}`;
  const { originalSource, originalLine, originalColumn } = entry;
  return `at ${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
}
