// Tells files that a generation wrote from those that somebody else changed since, for whoever watches both.
import { textOf } from './write-changed.js';

export class OwnWrites {
  readonly #texts = new Map<string, string>();

  /** @param text what is about to be written. */
  note(file: string, text: string): void {
    this.#texts.set(file, text);
  }

  /** True while the file holds what was written last. */
  has(file: string): boolean {
    const text = this.#texts.get(file);
    return text !== undefined && textOf(file) === text;
  }
}
