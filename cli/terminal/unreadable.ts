// Files that are there and cannot be read.
import { CliError } from './errors.js';

/** The error for a file that is there and cannot be read. Docker makes a folder of a file that is mounted and not there. */
export function unreadable(file: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = code === undefined ? message : (REASONS[code] ?? message);
  return new CliError(`cannot read ${file}: ${why}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder; replace it by the file',
  ELOOP: 'it is a symbolic link that leads back to itself; replace it by the file',
  EACCES: 'this user may not read it',
};
