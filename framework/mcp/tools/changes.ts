// MCP: the changes of resources, from subscriptions that run since it was made.
import type { SubscriptionRun } from '../../rpc/subscription/subscription.js';
import type { McpChanges } from '../protocol/source.js';

/** A URI, and the subscription whose every event is a change of it. */
export interface Watched {
  readonly uri: string;
  readonly run: SubscriptionRun;
  /** Gets what the subscription has thrown, and gives what to tell the client instead. */
  readonly failure: (error: unknown) => Error;
}

/** A URI that has changed several times before it was read is told once, so that nothing grows for a slow client. */
export class Changes implements McpChanges {
  readonly #waiting = new Set<string>();
  readonly #runs: readonly SubscriptionRun[];
  readonly #ended: () => void;
  #left: number;
  #failure: Error | undefined;
  #isOver = false;
  #wake: (() => void) | undefined;

  /** @param ended is called once, when it is over: all subscriptions have ended, or `end` was called */
  constructor(watched: readonly Watched[], ended: () => void) {
    this.#runs = watched.map(({ run }) => run);
    this.#ended = ended;
    this.#left = watched.length;
    for (const one of watched) void this.#read(one);
  }

  /** Stops the subscriptions. */
  readonly end = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const run of this.#runs) void run.end();
    this.#ended();
    this.#wake?.();
  };

  /** Rejects with the error of a subscription, when the changes before it were read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string, void> {
    try {
      for (;;) {
        const [next] = this.#waiting;
        if (next !== undefined) {
          this.#waiting.delete(next);
          yield next;
        } else if (this.#failure !== undefined) throw this.#failure;
        else if (this.#isOver || this.#left === 0) return;
        else await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      this.end();
    }
  }

  async #read({ uri, run, failure }: Watched): Promise<void> {
    try {
      while ((await run.next()).done !== true) {
        this.#waiting.add(uri);
        this.#wake?.();
      }
    } catch (error) {
      this.#failure ??= failure(error);
    }
    this.#left -= 1;
    this.#wake?.();
  }
}
