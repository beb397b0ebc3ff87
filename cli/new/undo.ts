// The steps that take back what was written, run in reverse order.
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export class Undo {
  readonly #steps: Array<() => void> = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Runs every step, also after one that failed: what can be restored is restored. */
  run(): void {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step();
      } catch {
        // A directory that others filled meanwhile stays.
      }
    }
  }

  /** Runs `action`; when it throws, everything noted so far is taken back. */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.run();
      throw error;
    }
  }
}

/** Retries, because a killed installer may still be writing. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** What `mkdirSync(deepest, { recursive: true })` made, outermost first, given the first one that it returned. */
export function madeDirectories(first: string | undefined, deepest: string): string[] {
  if (first === undefined) return [];
  const made = [deepest];
  for (let path = deepest; path.length > first.length; ) {
    path = dirname(path);
    made.unshift(path);
  }
  return made;
}
