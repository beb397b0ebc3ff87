// Inference: errors and warnings about the app's tsconfig.json, independent of the version of TypeScript.
import { readFileSync } from 'node:fs';
import type { AbsolutePath } from '../../files/absolute-path.js';
import type { Finding } from './compiler.js';
import { placeOf } from './place-of.js';

/** The errors for no files. They become a warning, because procedures with schemas need no inference. */
const NO_FILES = [18002, 18003];

/** An error that TypeScript found in its settings. */
interface SettingsFault {
  readonly file: string | undefined;
  readonly offset: number | undefined;
  readonly text: string;
  readonly code: number;
}

/** Errors, because TypeScript would continue with other settings, and infer other types. */
export function settingsErrors(config: string, faults: readonly SettingsFault[]): Finding[] {
  return faults
    .filter(({ code }) => !NO_FILES.includes(code))
    .map(({ file = config, offset = 0, text, code }) => ({
      place: placeOf(file, readFileSync(file, 'utf8'), Math.max(offset, 0)),
      message: `${text} (TS${code})`,
    }));
}

/** @param options the options that TypeScript uses */
export function settingsWarnings(
  config: AbsolutePath,
  own: readonly unknown[],
  options: { readonly strict?: unknown; readonly strictNullChecks?: unknown },
): Finding[] {
  const place = { file: config, line: 1, column: 1 };
  if (own.length === 0) {
    const message =
      'names no file of the app, and nothing is inferred; list the sources in "include", here or in a file that "references" names';
    return [{ place, message }];
  }
  if ((options.strictNullChecks ?? options.strict ?? true) === true) return [];
  const message =
    'strictNullChecks is off: null and undefined are not recognized in inferred types; set "strict": true';
  return [{ place, message }];
}
