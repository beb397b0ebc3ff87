// Streaming: the events that wait for one reader of a channel; a full queue drops its oldest.
import type { SseEvent } from './sse-event.js';

/** Events of a channel for one reader, to be passed to `ctx.sse`. Leaving the loop unsubscribes it. */
export interface SseStream extends AsyncIterable<SseEvent> {
  /** Events that this reader lost because it was slower than the sender. */
  readonly dropped: number;
  /** True once somebody reads it: a second reader would take half of the events. */
  readonly locked: boolean;
}

type Result = IteratorResult<SseEvent, undefined>;

/** What the queue tells its channel. */
export interface Subscription {
  begun(queue: SseQueue): void;
  left(queue: SseQueue): void;
}

export class SseQueue implements SseStream {
  readonly #capacity: number;
  readonly #subscription: Subscription;
  readonly #readers: ((result: Result) => void)[] = [];
  #events: SseEvent[] = [];
  #dropped = 0;
  #isLocked = false;
  #isClosed = false;

  constructor(capacity: number, subscription: Subscription) {
    this.#capacity = capacity;
    this.#subscription = subscription;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get locked(): boolean {
    return this.#isLocked;
  }

  /** True when it had to drop an event for this one. */
  push(event: SseEvent): boolean {
    const reader = this.#readers.shift();
    if (reader) {
      reader({ done: false, value: event });
      return false;
    }
    this.#events.push(event);
    if (this.#events.length <= this.#capacity) return false;
    this.#events.shift();
    this.#dropped += 1;
    return true;
  }

  /** Ends it behind the events that are in it. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<SseEvent, undefined> {
    if (this.#isLocked) {
      throw new Error('this stream has a reader already; sender.subscribe() gives another stream');
    }
    this.#isLocked = true;
    this.#subscription.begun(this);
    return { next: () => this.#next(), return: () => this.#leave() };
  }

  #next(): Promise<Result> {
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    if (this.#isClosed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  #leave(): Promise<Result> {
    this.#subscription.left(this);
    this.#events = [];
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }
}
