// Whether a program may have failed because another process holds something: a port, a lock, a file, a database.
import type { AppError } from './messages.js';

const codes =
  /\b(?:EADDRINUSE|ELOCKED|LEVEL_LOCKED|EBUSY|EAGAIN|EWOULDBLOCK|EEXIST|ETXTBSY|SQLITE_BUSY|SQLITE_LOCKED)\b/;
/** What Windows says of a file that another process has open. */
const windowsCodes = /\b(?:EPERM|EACCES)\b/;
const words =
  /\block(?:ed|s|file)?\b|\b(?:already|still) (?:in use|running|open(?:ed)?|listening|exists?|held|started|used)\b|\bin use by\b|\banother (?:process|instance)\b|\bresource (?:temporarily unavailable|busy)\b/i;

export function namesHeld(text: string): boolean {
  return codes.test(text) || words.test(text) || (process.platform === 'win32' && windowsCodes.test(text));
}

/** The same for an error of the app, with its causes. */
export function isOfHeld({ title, code = '', details }: AppError): boolean {
  return namesHeld(`${title}\n${code}\n${details}`);
}
