// Channels: the subscription of this process to a topic of a broker, which is wanted while there are subscribers.
import { DONE } from './topic.js';

/** Ends a subscription. */
type Leave = () => Promise<void>;

/**
 * Subscribes and unsubscribes one after the other, never two at a time, until what is wanted is so. While the broker
 * is away it tries again.
 */
export class TopicLink {
  readonly #open: () => Promise<Leave>;
  readonly #onError: (error: unknown) => void;
  readonly #onIdle: () => void;
  #isWanted = false;
  #isBusy = false;
  #isOpening = false;
  #leave: Leave | undefined;
  readonly #backoff = new Backoff();
  readonly #onLive: (() => void)[] = [];
  readonly #onAttempt: (() => void)[] = [];

  /**
   * @param open begins the subscription; it may be called again after it was ended or has failed.
   * @param onError called once for a series of failures.
   * @param onIdle called when nothing is subscribed nor wanted any more.
   */
  constructor(open: () => Promise<Leave>, onError: (error: unknown) => void, onIdle: () => void) {
    this.#open = open;
    this.#onError = onError;
    this.#onIdle = onIdle;
  }

  /** Resolves when the subscription has begun, or is no longer wanted. It never rejects. */
  want(): Promise<void> {
    this.#isWanted = true;
    if (this.#leave !== undefined) return DONE;
    const live = new Promise<void>((resolve) => this.#onLive.push(resolve));
    if (!this.#isBusy) void this.#settle();
    return live;
  }

  unwant(): void {
    this.#isWanted = false;
    this.#backoff.end();
    if (!this.#isBusy) void this.#settle();
  }

  /** Runs it when no attempt to subscribe is under way: at once, or after that attempt and in the order of calls. */
  afterAttempt<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#isOpening) return run();
    return new Promise((resolve, reject) => this.#onAttempt.push(() => run().then(resolve, reject)));
  }

  async #settle(): Promise<void> {
    this.#isBusy = true;
    this.#backoff.reset();
    while (this.#isWanted !== (this.#leave !== undefined)) {
      if (this.#leave !== undefined) await this.#end(this.#leave);
      else if (await this.#begin()) this.#backoff.reset();
      else if (this.#isWanted) await this.#backoff.wait();
    }
    this.#isBusy = false;
    runAll(this.#onLive);
    if (!this.#isWanted) this.#onIdle();
  }

  async #begin(): Promise<boolean> {
    this.#isOpening = true;
    try {
      const leave = await this.#open();
      // Taken for a subscription that has not begun, it would be asked for again at once, without an end.
      if (typeof leave !== 'function') {
        throw new TypeError('subscribe() of the broker gave no function that ends the subscription');
      }
      this.#leave = leave;
      return true;
    } catch (error) {
      if (this.#backoff.isFresh) this.#onError(error);
      return false;
    } finally {
      this.#isOpening = false;
      runAll(this.#onAttempt);
    }
  }

  async #end(leave: Leave): Promise<void> {
    this.#leave = undefined;
    try {
      await leave();
    } catch (error) {
      this.#onError(error);
    }
  }
}

function runAll(callbacks: (() => void)[]): void {
  for (const callback of callbacks.splice(0)) callback();
}

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
      timer = setTimeout(resolve, this.#ms);
      // A process that has nothing else to do may end. Other runtimes have numbers.
      timer.unref?.();
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
