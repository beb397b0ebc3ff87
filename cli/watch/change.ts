// The change that starts a reload cycle, and how two changes are merged.

import type { AbsolutePath } from '../../framework/files/absolute-path.js';

export interface Change {
  /** For the line that is printed: `src/main.ts changed`. */
  what: string;
  /** The files written. */
  files: AbsolutePath[];
  rebuild: boolean;
  /** Settings, variables or packages changed: processes that were started before cannot be used. */
  environment: boolean;
  /** Requested with a key: the cycle that is running is abandoned at once. */
  atOnce?: boolean;
  /** `performance.now()` at the first sign of it. */
  began: number;
}

export function merge(first: Change | undefined, second: Change): Change {
  if (!first) return second;
  const files = [...new Set([...first.files, ...second.files])];
  return {
    what: first.what === second.what ? first.what : combine(first.what, second.what),
    files,
    rebuild: first.rebuild || second.rebuild,
    environment: first.environment || second.environment,
    began: Math.min(first.began, second.began),
  };
}

function combine(first: string, second: string): string {
  const text = `${first}, ${second}`;
  if (text.length <= 80) return text;
  return first.endsWith(' and more') ? first : `${first} and more`;
}

/** True for changes that others usually follow: a checkout, an installation, the build of a linked package. */
export function isBurst({ files, environment }: Change): boolean {
  return files.length >= 3 || (environment && files.length > 0);
}

/** `src/a.ts changed`, `src/a.ts and 3 more changed`. */
export function describeFiles(names: string[]): string {
  const [first = 'nothing', ...rest] = names;
  return `${first}${rest.length > 0 ? ` and ${rest.length} more` : ''} changed`;
}
