// Writes a file only where its text changes, so that watchers of it have nothing to do otherwise.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../ui/errors.js';

/** A file that a generation makes. */
export interface Made {
  readonly file: string;
  readonly before: string | undefined;
  /** Undefined where it is not needed. */
  readonly after: string | undefined;
  /** It tells of this checkout's sources, which may move while the client stays: no check asks for it. */
  readonly isLocal?: boolean;
}

export function made(file: string, after: string | undefined): Made {
  return { file, before: textOf(file), after };
}

export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** True where it was written. Whoever reads meanwhile gets the old text or the new one. */
export function writeChanged(file: string, text: string): boolean {
  if (textOf(file) === text) return false;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // A link stays one.
    replace(existsSync(file) ? realpathSync(file) : file, text);
  } catch (error) {
    // Without the name of the pending file, which nobody knows.
    const [why] = (error as Error).message.split(', ');
    throw new CliError(`${file} cannot be written: ${why}`, {
      help: 'see to the rights and the space of its directory, or write the client elsewhere',
      cause: error,
    });
  }
  return true;
}

function replace(file: string, text: string): void {
  const pending = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(pending, text);
    renameSync(pending, file);
  } finally {
    rmSync(pending, { force: true });
  }
}
