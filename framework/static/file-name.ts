// Static files: converts the part of a request's path after the prefix to a file name.
import { decodeParam } from '../http/request-target.js';

/**
 * A backslash, a NUL, or a segment that is empty or starts with a dot. The last protects `.env` and `.git`, and refuses
 * `..` if the check of the path did not.
 */
const REFUSED = /[\\\0]|(?:^|\/)(?:[./]|$)/;
/**
 * Other names of a file on Windows: streams (`a.txt::$DATA`), short names (`ENV~1`), and `a.txt.`. And names of devices,
 * which are there in every folder, also as `con.txt`.
 */
const REFUSED_ON_WINDOWS =
  /:|~\d|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(?:[./]|$)/i;

const HOST: string | undefined = globalThis.process?.platform;

/**
 * The name relative to the directory, with `/` between its segments; undefined if the name is not allowed.
 *
 * @param text The canonical path, in which `%2F` and `%25` are still encoded (see http/request-target.ts).
 * @param dotfiles Names that may be a segment although they start with a dot.
 */
export function fileName(
  text: string,
  platform: string | undefined = HOST,
  dotfiles: readonly string[] = [],
): string | undefined {
  // An encoded slash is part of a segment, and file names cannot contain a slash.
  if (text.includes('%2F')) return undefined;
  const name = decodeParam(text);
  if (REFUSED.test(name) && !namesOnly(dotfiles, name)) return undefined;
  return platform === 'win32' && REFUSED_ON_WINDOWS.test(name) ? undefined : name;
}

/** Whether a refused name is one only for the sake of segments that are allowed. */
function namesOnly(dotfiles: readonly string[], name: string): boolean {
  return (
    dotfiles.length > 0 && !name.split('/').some((part) => REFUSED.test(part) && !dotfiles.includes(part))
  );
}
