// Node: ends the wait for request bodies that stopped coming.

/** How often is looked, in milliseconds, where the time itself is longer. */
const CHECK_MS = 1_000;

/** A body that is being waited for. */
export class BodyWait {
  readonly onIdle: () => void;
  sinceMs: number = performance.now();
  readonly #all: BodyWait[];
  #index: number;

  constructor(all: BodyWait[], onIdle: () => void) {
    this.onIdle = onIdle;
    this.#all = all;
    this.#index = all.push(this) - 1;
  }

  /** Bytes came. */
  touch(): void {
    this.sinceMs = performance.now();
  }

  /** The body is complete, or nobody waits any more. */
  end(): void {
    if (this.#index === -1) return;
    const last = this.#all.pop() as BodyWait;
    if (last !== this) {
      this.#all[this.#index] = last;
      last.#index = this.#index;
    }
    this.#index = -1;
  }
}

/** One timer for all bodies of a server: most are there before a timer of their own would be set up. */
export class IdleBodies {
  readonly idleMs: number;
  /**
   * No Set: one that takes and loses a member with every request grows anew all the time, and V8 chains its old
   * tables to the new ones, so that the requests in them outlive the young generation.
   */
  readonly #waiting: BodyWait[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** Calls `onIdle` once when no byte comes for the time. */
  wait(onIdle: () => void): BodyWait {
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK_MS, this.idleMs)).unref();
    return new BodyWait(this.#waiting, onIdle);
  }

  #check(): void {
    const latest = performance.now() - this.idleMs;
    // From the end: one that leaves puts the last one, which was looked at, in its place.
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const waiting = this.#waiting[i];
      if (waiting === undefined || waiting.sinceMs > latest) continue;
      waiting.end();
      waiting.onIdle();
    }
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
