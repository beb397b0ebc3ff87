// Passwords: runs expensive work a few at a time, and refuses more than can wait.
import { availableParallelism } from 'node:os';

export class WorkQueue {
  readonly #mostAtATime: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param mostAtATime half of the processors by default, so that requests have the others */
  constructor(mostAtATime: number = Math.max(1, Math.floor(availableParallelism() / 2)), mostWaiting = 100) {
    this.#mostAtATime = mostAtATime;
    this.#mostWaiting = mostWaiting;
  }

  /** The result of the work, when its turn comes. Rejects with `refuse()` at once if too much waits. */
  async run<T>(work: () => Promise<T>, refuse: () => Error): Promise<T> {
    if (this.#running >= this.#mostAtATime) {
      if (this.#waiting.length >= this.#mostWaiting) throw refuse();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      // The turn passes on to the next one, so that none can come in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
