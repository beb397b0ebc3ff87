// Node: ends the wait for request bodies that stopped coming.

/** How often is looked, in milliseconds, where the time itself is longer. */
const CHECK_MS = 1_000;

interface Waiting {
  sinceMs: number;
  readonly onIdle: () => void;
}

/** A body that is being waited for. */
export interface BodyWait {
  /** Bytes came. */
  touch(): void;
  /** The body is complete, or nobody waits any more. */
  end(): void;
}

/** One timer for all bodies of a server: most are there before a timer of their own would be set up. */
export class IdleBodies {
  readonly idleMs: number;
  readonly #waiting = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** Calls `onIdle` once when no byte comes for the time. */
  wait(onIdle: () => void): BodyWait {
    const waiting: Waiting = { sinceMs: performance.now(), onIdle };
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK_MS, this.idleMs)).unref();
    return {
      touch: () => {
        waiting.sinceMs = performance.now();
      },
      end: () => {
        this.#waiting.delete(waiting);
      },
    };
  }

  #check(): void {
    const latest = performance.now() - this.idleMs;
    for (const waiting of this.#waiting) {
      if (waiting.sinceMs > latest) continue;
      this.#waiting.delete(waiting);
      waiting.onIdle();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
