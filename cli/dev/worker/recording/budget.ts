// How many requests are recorded, and which of them are those of a frontend.

/** How many requests are recorded at once, such as those of a page with all its parts. */
const MOST = 100;
/** How many are recorded a second for longer. */
const PER_SECOND = 25;
/** How many follow each other then: Node is slow to switch the tracking of asynchronous work on and off. */
const AT_ONCE = 50;

/** More requests a second than this are a load test. */
const LOAD_PER_SECOND = 250;
/** What is recorded of one: so few that its 99th percentile is that of a request without a record. */
const LOAD = { perSecond: 5, atOnce: 20 };
const WINDOW_MS = 1000;

/**
 * All that a person causes is recorded, and a sample of what a load test does, whose times a record of each request
 * would change.
 */
export class Budget {
  #left = MOST;
  #since = performance.now();
  #isSpent = false;
  #isLoad = false;
  #asked = 0;
  #windowBegan = this.#since;

  /** Whether one more request may be recorded. */
  take(): boolean {
    const now = performance.now();
    this.#count(now);
    const { perSecond, atOnce } = this.#isLoad ? LOAD : { perSecond: PER_SECOND, atOnce: AT_ONCE };
    this.#left = Math.min(MOST, this.#left + ((now - this.#since) / 1000) * perSecond);
    this.#since = now;
    if (this.#left < (this.#isSpent ? atOnce : 1)) {
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

  #count(now: number): void {
    const elapsed = now - this.#windowBegan;
    if (elapsed >= WINDOW_MS) {
      this.#isLoad = this.#asked > (LOAD_PER_SECOND * elapsed) / 1000;
      this.#asked = 0;
      this.#windowBegan = now;
    }
    this.#asked += 1;
  }
}

/** Paths that are Vite's alone, for apps that have Vite as a middleware of their own. */
const VITE_PATHS = /^\/(?:@vite\/|@fs\/|@id\/|@react-refresh(?:$|\?)|node_modules\/\.vite\/)/;

export function isViteTarget(target: string | undefined): boolean {
  return target !== undefined && VITE_PATHS.test(target);
}
