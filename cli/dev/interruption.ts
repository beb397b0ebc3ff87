// What one cycle does is left when a newer change, a key or the end makes it pointless; when that is decided.

/** Belongs to one cycle, from its first step on: what comes in the middle of any step is not missed. */
export interface Interruption {
  readonly isLeft: boolean;
  /** Leaves what is under way: at once, or once the cycle has had `after` milliseconds. */
  leave(after?: number): void;
  /** Undefined where the cycle is left before the work is done. */
  unlessLeft<Result>(work: Promise<Result>): Promise<Result | undefined>;
  /** The cycle is done: nothing is left to leave. */
  done(): void;
}

export function createInterruption(now: () => number = () => performance.now()): Interruption {
  const began = now();
  let isLeft = false;
  let timer: NodeJS.Timeout | undefined;
  let settle: () => void = () => {};
  const left = new Promise<undefined>((resolve) => {
    settle = () => resolve(undefined);
  });

  function leaveNow(): void {
    isLeft = true;
    settle();
  }

  return {
    get isLeft() {
      return isLeft;
    },
    leave(after = 0) {
      const rest = began + after - now();
      if (rest <= 0) leaveNow();
      else timer ??= setTimeout(leaveNow, rest);
    },
    unlessLeft: (work) => Promise.race([work, left]),
    done: () => clearTimeout(timer),
  };
}

/** How many cycles in a row a newer change may cut short at once: more than a person saves in a hurry. */
const hurried = 3;
/** What a cycle gets after that, at least, in milliseconds. */
const least = 2000;

/** Changes without end, such as of a program that writes into `src`, must not keep every boot from finishing. */
export interface Patience {
  /** How many milliseconds a cycle gets before a newer change cuts it short. */
  readonly due: number;
  cutShort(): void;
  /** A cycle came to its end, good or bad. */
  finished(took: number): void;
}

export function createPatience(): Patience {
  let inARow = 0;
  let usual = 0;
  return {
    get due() {
      return inARow < hurried ? 0 : Math.max(least, 2 * usual);
    },
    cutShort() {
      inARow += 1;
    },
    finished(took) {
      inARow = 0;
      usual = took;
    },
  };
}
