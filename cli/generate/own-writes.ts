// Distinguishes files that a generation wrote from files that were changed since, for watchers.
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { textOf } from './write-changed.js';

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
