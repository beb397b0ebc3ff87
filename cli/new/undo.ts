// The steps that undo what was written, run in reverse order.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export class Undo {
  readonly #steps: Array<() => void> = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Runs every step, even after one has failed, to restore as much as possible. */
  run(): void {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step();
      } catch {
        // A directory that other programs have written to meanwhile stays.
      }
    }
  }

  /** Runs `action`; if it throws, runs all steps added so far and rethrows. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.run();
      throw error;
    }
  }
}

/** Removes a path; retries, because a killed installer may still be writing. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/**
 * The directories that `mkdirSync(deepest, { recursive: true })` made, outermost first; `first` is its return
 * value.
 */
export function madeDirectories(first: string | undefined, deepest: string): string[] {
  if (first === undefined) return [];
  const made = [deepest];
  for (let path = deepest; path.length > first.length; ) {
    path = dirname(path);
    made.unshift(path);
  }
  return made;
}
