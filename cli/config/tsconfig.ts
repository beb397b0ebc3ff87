// Reads tsconfig.json as TypeScript does: JSON with comments and trailing commas. `extends` is not followed.
import { readFileSync } from 'node:fs';

/** Empty if there is no such file, or if it is not an object: the compiler reports what is wrong with it. */
export function readTsconfig(file: string): Readonly<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(plainJson(readFileSync(file, 'utf8'))));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Its `compilerOptions`, in the same way. */
export function compilerOptions(file: string): Readonly<Record<string, unknown>> {
  return asObject(readTsconfig(file).compilerOptions);
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
