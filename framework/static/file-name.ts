// Static files: the part of a request's path behind the prefix becomes a file name, or nothing.
import { decodeParam } from '../path.js';

/**
 * A backslash, a NUL, a segment that is empty or starts with a dot. The last keeps `.env` and `.git` private and
 * would refuse `..` where the path's own check did not.
 */
const REFUSED = /[\\\0]|(?:^|\/)(?:[./]|$)/;
/** Second names that Windows has for a file: streams (`a.txt::$DATA`), short names (`ENV~1`), `a.txt.` */
const REFUSED_ON_WINDOWS = /:|~\d|[. ](?:\/|$)/;

const HOST: string | undefined = globalThis.process?.platform;

/**
 * The name relative to the directory, with `/` between its segments; undefined for what no file may be called.
 *
 * @param text The canonical path, in which `%2F` and `%25` are still encoded (see path.ts).
 */
export function fileName(text: string, platform: string | undefined = HOST): string | undefined {
  // An encoded slash is part of a segment, and no file name holds one.
  if (text.includes('%2F')) return undefined;
  const name = decodeParam(text);
  if (REFUSED.test(name)) return undefined;
  return platform === 'win32' && REFUSED_ON_WINDOWS.test(name) ? undefined : name;
}
