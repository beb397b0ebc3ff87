// Cancels the work of a cycle when a newer change, a key or the end makes it pointless, and decides when.

/** Belongs to one cycle from its first step on, so that no cancellation between two steps is missed. */
export class Cancellation {
  readonly #now: () => number;
  readonly #began: number;
  readonly #cancelled: Promise<undefined>;
  #settle: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isCancelled = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
    this.#cancelled = new Promise<undefined>((resolve) => {
      this.#settle = () => resolve(undefined);
    });
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Cancels the cycle: at once, or after it has had `after` milliseconds since its start. */
  cancel(after: number = 0): void {
    const rest = this.#began + after - this.#now();
    if (rest <= 0) this.#cancelNow();
    else this.#timer ??= setTimeout(() => this.#cancelNow(), rest);
  }

  /** The result of the work; undefined if the cycle is cancelled first. */
  unlessCancelled<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return Promise.race([work, this.#cancelled]);
  }

  /** The cycle has ended: a cancellation that is still pending is dropped. */
  done(): void {
    clearTimeout(this.#timer);
  }

  #cancelNow(): void {
    this.#isCancelled = true;
    this.#settle();
  }
}

/** How many cycles in a row newer changes may cancel at once: more than a person causes by saving quickly. */
const MOST_AT_ONCE = 3;
/** The minimum time that a cycle gets after that, in milliseconds. */
const LEAST = 2000;

/** Continuous changes, such as by a program that writes into `src`, must not prevent every boot from finishing. */
export class CancelTiming {
  #inARow = 0;
  #usual = 0;

  /** How many milliseconds a cycle gets before a newer change cancels it. */
  get delay(): number {
    return this.#inARow < MOST_AT_ONCE ? 0 : Math.max(LEAST, 2 * this.#usual);
  }

  cancelled(): void {
    this.#inARow += 1;
  }

  /** A cycle ended without a cancellation, whether it succeeded or failed. */
  finished(took: number): void {
    this.#inARow = 0;
    this.#usual = took;
  }
}
