// Channels: the waits between attempts while a broker is away.

/** In milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** Each wait takes twice as long as the one before, up to a limit. */
export class Backoff {
  #ms = 0;
  #wake: (() => void) | undefined;

  /** Whether there was no wait since the beginning or the reset. */
  get isFresh(): boolean {
    return this.#ms === 0;
  }

  /** Waits before the next attempt, until `end` at most. */
  async wait(): Promise<void> {
    this.#ms = Math.min(Math.max(FIRST_WAIT_MS, this.#ms * 2), LONGEST_WAIT_MS);
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      // A process that has nothing else to do may end.
      timer = setTimeout(resolve, this.#ms).unref();
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  /** Ends the wait. */
  end(): void {
    this.#wake?.();
  }

  /** An attempt was successful. */
  reset(): void {
    this.#ms = 0;
  }
}
