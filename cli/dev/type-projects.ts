// Which TypeScript projects make up an app: its tsconfig.json, or those that it only refers to.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Absolute paths of configurations. A tsconfig.json without files of its own, as front-end tools make it, checks
 * nothing by itself: then those it refers to are checked. Empty where there is none.
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

/** Nothing where the file cannot be read as JSON: the compiler says what is wrong with it. */
function settingsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(plainJson(text));
    return typeof settings === 'object' && settings !== null ? (settings as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** Without comments and commas before a closing bracket, which TypeScript allows; texts stay as they are. */
function plainJson(text: string): string {
  // What has no end goes on to the end of the file, so that nothing is read twice.
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|^\ufeff/g,
      (_, kept: string | undefined) => kept ?? ' ',
    )
    .replace(/("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
}
