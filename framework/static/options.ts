// Static files: the options, which are checked at registration.

import { checkOptions } from '../options/check.js';
import { callback, either, fieldValue, flag, listOf, matching, type Rules } from '../options/rules.js';
import { synchronous } from '../promises.js';

/** A value for all files, or a function of the path within the directory, such as `css/site.css`. */
export type CacheControl = string | ((path: string) => string | undefined);

/** Options of `app.serveStatic` and `app.serveSpa`. */
export interface StaticOptions {
  /**
   * The `Cache-Control` field; none by default. A function is called when a file is read from the disk, not at every
   * request; if it returns `undefined`, the field is left out.
   */
  cacheControl?: CacheControl;
  /**
   * Whether to send `app.js.br` or `app.js.gz` for `app.js` if the client accepts the coding; true by default. A
   * compressed file that is older than the original is ignored.
   */
  precompressed?: boolean;
  /**
   * Names of files and folders that start with a dot and are sent all the same, such as `.well-known` (RFC 8615); none by
   * default, so that `.env` and `.git` are not sent.
   */
  dotfiles?: readonly string[];
}

/** The value for a file. @throws what the function throws; Error if it is asynchronous */
export function cacheControlOf(option: CacheControl | undefined, path: string): string | undefined {
  if (typeof option !== 'function') return option;
  const value: string | undefined | null = synchronous(
    option(path),
    'cacheControl of static files returned a promise; return the value itself',
  );
  return value ?? undefined;
}

/** A name that starts with a dot, and is neither `.` nor `..`, nor a path. */
const DOTFILE = /^\.(?!\.?$)[^/\\\0]+$/;

const RULES: Rules<StaticOptions> = {
  cacheControl: either(fieldValue, callback('a function (path) => value')),
  precompressed: flag,
  dotfiles: listOf(matching(DOTFILE, "a name such as '.well-known'")),
};

/** @throws ConfigError if an option is unknown or malformed. */
export function checkStaticOptions(call: string, options: StaticOptions): StaticOptions {
  return checkOptions(call, options, RULES);
}
