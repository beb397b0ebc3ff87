// Channels: the subscription of this process to a topic of a broker, which is wanted while there are subscribers.
import { DONE } from './exchange.js';

/** Ends a subscription. */
type Leave = () => Promise<void>;

/** Waits between attempts to subscribe, in milliseconds. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

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
  /** Ends a wait between attempts. */
  #wake: (() => void) | undefined;
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
    this.#wake?.();
    if (!this.#isBusy) void this.#settle();
  }

  /** Runs it when no attempt to subscribe is under way: at once, or after that attempt and in the order of calls. */
  afterAttempt<T>(run: () => Promise<T>): Promise<T> {
    if (!this.#isOpening) return run();
    return new Promise((resolve, reject) => this.#onAttempt.push(() => run().then(resolve, reject)));
  }

  async #settle(): Promise<void> {
    this.#isBusy = true;
    let waitMs = 0;
    while (this.#isWanted !== (this.#leave !== undefined)) {
      if (this.#leave !== undefined) await this.#end(this.#leave);
      else if (await this.#begin(waitMs > 0)) waitMs = 0;
      else {
        waitMs = Math.min(Math.max(FIRST_WAIT_MS, waitMs * 2), LONGEST_WAIT_MS);
        if (this.#isWanted) await this.#pause(waitMs);
      }
    }
    this.#isBusy = false;
    runAll(this.#onLive);
    if (!this.#isWanted) this.#onIdle();
  }

  async #begin(hasFailed: boolean): Promise<boolean> {
    this.#isOpening = true;
    try {
      this.#leave = await this.#open();
      return true;
    } catch (error) {
      if (!hasFailed) this.#onError(error);
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

  async #pause(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      // A process that has nothing else to do may end.
      timer = setTimeout(resolve, ms).unref();
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}

function runAll(callbacks: (() => void)[]): void {
  for (const callback of callbacks.splice(0)) callback();
}
