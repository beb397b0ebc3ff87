// Abandons the work of a cycle when a newer change, a key or the end makes it pointless, and decides when.

/** Belongs to one cycle from its first step on, so that no interruption between two steps is missed. */
export class Interruption {
  readonly #now: () => number;
  readonly #began: number;
  readonly #left: Promise<undefined>;
  #settle: () => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isLeft = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#began = now();
    this.#left = new Promise<undefined>((resolve) => {
      this.#settle = () => resolve(undefined);
    });
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Abandons the cycle: at once, or after it has had `after` milliseconds since its start. */
  leave(after: number = 0): void {
    const rest = this.#began + after - this.#now();
    if (rest <= 0) this.#leaveNow();
    else this.#timer ??= setTimeout(() => this.#leaveNow(), rest);
  }

  /** The result of the work; undefined if the cycle is abandoned first. */
  unlessLeft<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return Promise.race([work, this.#left]);
  }

  /** The cycle has ended: cancels an interruption that is still pending. */
  done(): void {
    clearTimeout(this.#timer);
  }

  #leaveNow(): void {
    this.#isLeft = true;
    this.#settle();
  }
}

/** How many cycles in a row newer changes may cut short at once: more than a person causes by saving quickly. */
const hurried = 3;
/** The minimum time that a cycle gets after that, in milliseconds. */
const least = 2000;

/** Continuous changes, such as by a program that writes into `src`, must not prevent every boot from finishing. */
export class Patience {
  #inARow = 0;
  #usual = 0;

  /** How many milliseconds a cycle gets before a newer change cuts it short. */
  get due(): number {
    return this.#inARow < hurried ? 0 : Math.max(least, 2 * this.#usual);
  }

  cutShort(): void {
    this.#inARow += 1;
  }

  /** A cycle ended without an interruption, whether it succeeded or failed. */
  finished(took: number): void {
    this.#inARow = 0;
    this.#usual = took;
  }
}
