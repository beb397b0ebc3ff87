// How many requests are recorded: all that a person causes, and a sample of what a load test does, whose times a
// record of each request would change.

/** How many requests are recorded at once, such as those of a page with all its parts. */
const most = 100;
/** How many are recorded a second for longer. */
const perSecond = 25;
/** How many follow each other then: Node is slow to switch the tracking of asynchronous work on and off. */
const atOnce = 50;

export class Budget {
  #left = most;
  #since = performance.now();
  #isSpent = false;

  /** Whether one more request may be recorded. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(most, this.#left + ((now - this.#since) / 1000) * perSecond);
    this.#since = now;
    if (this.#left < (this.#isSpent ? atOnce : 1)) {
      this.#isSpent = true;
      return false;
    }
    this.#isSpent = false;
    this.#left -= 1;
    return true;
  }
}
