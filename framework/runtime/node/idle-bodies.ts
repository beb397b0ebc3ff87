// Node: the idle timeout of request bodies.

/** The interval of the checks in milliseconds, if the timeout is longer. */
const CHECK_MS = 1_000;

/** A body that a handler waits for. */
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

  /** Must be called when bytes arrive. */
  touch(): void {
    this.sinceMs = performance.now();
  }

  /** Must be called when the body is complete, or nothing waits for it any more. */
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

/** One timer for all bodies of a server: most bodies arrive faster than it takes to set up a timer for each. */
export class IdleBodies {
  readonly idleMs: number;
  /**
   * Not a Set: with an addition and a removal for every request it is rehashed all the time, and V8 links its old
   * tables to the new ones, so that the requests in them survive the young generation.
   */
  readonly #waiting: BodyWait[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** Calls `onIdle` once if no byte arrives for the timeout. */
  wait(onIdle: () => void): BodyWait {
    this.#timer ??= setInterval(() => this.#check(), Math.min(CHECK_MS, this.idleMs)).unref();
    return new BodyWait(this.#waiting, onIdle);
  }

  #check(): void {
    const latest = performance.now() - this.idleMs;
    // From the end: a removed entry is replaced by the last one, which was already checked.
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
