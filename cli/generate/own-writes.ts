// Distinguishes files that a generation wrote from files that were changed since, for watchers.
import { textOf } from './write-changed.js';

export class OwnWrites {
  readonly #texts = new Map<string, string>();

  /** @param text the text that is about to be written */
  note(file: string, text: string): void {
    this.#texts.set(file, text);
  }

  /** True as long as the file contains what was written last. */
  has(file: string): boolean {
    const text = this.#texts.get(file);
    return text !== undefined && textOf(file) === text;
  }
}
