// Reads tsconfig.json as TypeScript does: JSON with comments and trailing commas.
import { parseTsconfig } from 'get-tsconfig';
import { readText } from '../files/read-text.js';

/**
 * What is in the file itself: `extends` is not followed. Empty if there is no such file, or if it is not an object: the
 * compiler reports what is wrong with it.
 */
export function readTsconfig(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(plainJson(readText(file))));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
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

/** The conditions of exports that the compiler takes, besides its own. */
export function customConditions(file: string): string[] {
  const { customConditions: names } = compilerOptions(file);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
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
