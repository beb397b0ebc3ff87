// Writes a file only if its text changes, so that watchers are not triggered otherwise.
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { writeIfChanged } from '../../framework/files/write-file.js';
import { readText } from '../files/read-text.js';
import { CliError } from '../terminal/errors.js';
import { unreadable } from '../terminal/unreadable.js';

/** A file that a generation makes. */
export interface Made {
  readonly file: AbsolutePath;
  readonly before: string | undefined;
  /** Undefined if the file is not needed. */
  readonly after: string | undefined;
  /** Contains places in the sources, which may move while the client stays the same: `--check` ignores it. */
  readonly isLocal?: boolean;
}

export function made(file: AbsolutePath, after: string | undefined): Made {
  return { file, before: textOf(file), after };
}

/** The text of a file, as it was generated: Git may have checked it out with other line ends. Undefined without it. */
export function textOf(file: string): string | undefined {
  try {
    return readText(file).replaceAll('\r\n', '\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unreadable(file, error);
  }
}

/** True if it was written. @throws CliError if it cannot be written */
export async function writeChanged(file: string, text: string): Promise<boolean> {
  try {
    return await writeIfChanged(file, text);
  } catch (error) {
    // Without the name of the temporary file, which the user does not know.
    const [why] = (error as Error).message.split(', ');
    throw new CliError(`${file} cannot be written: ${why}`, {
      help: 'check the permissions and the free space of its directory, or write the client elsewhere',
      cause: error,
    });
  }
}

/** Distinguishes files that a generation wrote from files that were changed since, for watchers. */
export class OwnWrites {
  readonly #texts = new Map<AbsolutePath, string>();

  /** @param text the text that is about to be written */
  note(file: AbsolutePath, text: string): void {
    this.#texts.set(file, text);
  }

  /** True as long as the file contains what was written last. */
  has(file: AbsolutePath): boolean {
    const text = this.#texts.get(file);
    return text !== undefined && textOf(file) === text;
  }
}
