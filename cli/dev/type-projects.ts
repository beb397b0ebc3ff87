// Finds the TypeScript projects of an app: its tsconfig.json, or those that it references.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Absolute paths of configurations; empty without a tsconfig.json. A tsconfig.json without files, as front-end
 * tools write it, checks nothing by itself: then the projects that it references are checked.
 */
export function typeProjects(root: string): string[] {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return [];
  const { files, include, references } = settingsOf(readFileSync(file, 'utf8'));
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

/** Empty if the text is not JSON: the compiler reports what is wrong with it. */
function settingsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(plainJson(text));
    return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Removes comments and trailing commas, which TypeScript allows; strings are kept. */
function plainJson(text: string): string {
  // Unterminated strings and comments extend to the end of the file, so that the match stays linear.
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^\ufeff/g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
}
