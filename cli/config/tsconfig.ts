// Reads tsconfig.json as TypeScript does: JSON with comments and trailing commas.
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig';
import { readText } from '../files/read-text.js';
import { unreadable } from '../terminal/unreadable.js';

/**
 * What is in the file itself: `extends` is not followed. Empty if there is no such file, or if it is not an object: the
 * compiler reports what is wrong with it.
 */
export function readTsconfig(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(plainJson(readText(file))));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw unreadable(file, error);
  }
}

/** Its `compilerOptions`, with those of the files that it extends; its own alone if one of them cannot be read. */
export function compilerOptions(file: string): Readonly<Record<string, unknown>> {
  const own = asObject(readTsconfig(file).compilerOptions);
  if (readTsconfig(file).extends === undefined) return own;
  try {
    return asObject(parseTsconfig(file).compilerOptions);
  } catch {
    // The compiler reports what is wrong with the file that is extended.
    return own;
  }
}

/**
 * The file whose `extends` leads back to one that is being read; undefined if none does. TypeScript 7.0 never answers for
 * such settings where it serves other programs.
 */
export function circularConfig(file: string): string | undefined {
  if (readTsconfig(file).extends === undefined) return undefined;
  try {
    parseTsconfig(file);
    return undefined;
  } catch (error) {
    // What else is wrong with the settings is reported by the compiler.
    return /^Circularity detected while resolving configuration: (.+)$/s.exec((error as Error).message)?.[1];
  }
}

/** The conditions of exports that the compiler takes, besides its own. */
export function customConditions(file: string): string[] {
  const { customConditions: names } = compilerOptions(file);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/**
 * The configurations of the project in a folder, if it has one. A tsconfig.json without files, as frontend tools write it,
 * is none itself: then it is those that it references.
 */
export function projectConfigs(root: string): string[] {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return [];
  const { files, include, references } = readTsconfig(file);
  const refersOnly = Array.isArray(files) && files.length === 0 && include === undefined;
  if (!refersOnly || !Array.isArray(references)) return [file];
  return references
    .map((one) => (one as { path?: unknown } | null)?.path)
    .filter((path) => typeof path === 'string')
    .map((path) => configOf(root, path))
    .filter((path) => existsSync(path));
}

/** A reference names a file, or a folder with a tsconfig.json. */
function configOf(root: string, path: string): string {
  const named = resolve(root, path);
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? join(named, 'tsconfig.json') : named;
}

/**
 * The configuration of a source of the project in a folder, as editors find it: the tsconfig.json there, or the first one
 * that this references and that includes the source. If none includes it, that of the next source.
 */
export function configFor(root: string, ...sources: string[]): string {
  const own = join(root, 'tsconfig.json');
  const others = projectConfigs(root).filter((path) => path !== own);
  for (const source of others.length > 0 ? sources : []) {
    const config = others.find((path) => includes(path, source));
    if (config !== undefined) return config;
  }
  return own;
}

function includes(path: string, source: string): boolean {
  try {
    return createFilesMatcher({ path, config: parseTsconfig(path) })(source) !== undefined;
  } catch {
    // The compiler reports what is wrong with it.
    return false;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Removes comments and trailing commas; strings are kept. */
function plainJson(text: string): string {
  // Unterminated strings and comments extend to the end of the line or the file, so that the match stays linear.
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^\ufeff/g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*"?)|,(?=[ \t\r\n]*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
}
