// How many requests are recorded, and which of them are those of a frontend.

/** How many requests are recorded at once, such as those of a page with all its parts. */
const MOST = 100;
/** How many are recorded a second for longer. */
const PER_SECOND = 25;
/** How many follow each other then: Node is slow to switch the tracking of asynchronous work on and off. */
const AT_ONCE = 50;

/**
 * All that a person causes is recorded, and a sample of what a load test does, whose times a record of each request
 * would change.
 */
export class Budget {
  #left = MOST;
  #since = performance.now();
  #isSpent = false;

  /** Whether one more request may be recorded. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(MOST, this.#left + ((now - this.#since) / 1000) * PER_SECOND);
    this.#since = now;
    if (this.#left < (this.#isSpent ? AT_ONCE : 1)) {
      this.#isSpent = true;
      return false;
    }
    this.#isSpent = false;
    this.#left -= 1;
    return true;
  }

  /** The last one that was taken counts for another budget. */
  giveBack(): void {
    this.#left += 1;
  }
}

/** Paths that are Vite's alone, for apps that have Vite as a middleware of their own. */
const VITE_PATHS = /^\/(?:@vite\/|@fs\/|@id\/|@react-refresh(?:$|\?)|node_modules\/\.vite\/)/;

export function isViteTarget(target: string | undefined): boolean {
  return target !== undefined && VITE_PATHS.test(target);
}
