// Whether a program may have failed because another process holds something: a port, a lock, a file, a database.
import type { AppError } from './messages.js';

const CODES =
  /\b(?:EADDRINUSE|ELOCKED|LEVEL_LOCKED|EBUSY|EAGAIN|EWOULDBLOCK|EEXIST|ETXTBSY|SQLITE_BUSY|SQLITE_LOCKED)\b/;
/** What Windows says of a file that another process has open. */
const WINDOWS_CODES = /\b(?:EPERM|EACCES)\b/;
const WORDS =
  /\block(?:ed|s|file)?\b|\b(?:already|still) (?:in use|running|open(?:ed)?|listening|exists?|held|started|used)\b|\bin use by\b|\banother (?:process|instance)\b|\bresource (?:temporarily unavailable|busy)\b/i;

export function namesHeld(text: string): boolean {
  return CODES.test(text) || WORDS.test(text) || (process.platform === 'win32' && WINDOWS_CODES.test(text));
}

/** The same for an error of the app, with its causes. */
export function isOfHeld({ title, code = '', details }: AppError): boolean {
  return namesHeld(`${title}\n${code}\n${details}`);
}
