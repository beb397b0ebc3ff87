// Streaming: the queue of one stream of a channel; if it is full, it drops its oldest event.
import type { SseEvent } from './sse-event.js';

/** A stream of the events of a channel for one client; pass it to `ctx.sse`. Ending the iteration unsubscribes it. */
export interface SseStream extends AsyncIterable<SseEvent> {
  /** The number of events that this stream lost because its reader was slower than the sender. */
  readonly dropped: number;
  /** True once it is being read. It cannot be read twice: each reader would get only some of the events. */
  readonly locked: boolean;
}

type Result = IteratorResult<SseEvent, undefined>;

/** How a queue notifies its channel. */
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

  /** Adds an event. True if another one was dropped for it. */
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

  /** Ends the stream after the queued events. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<SseEvent, undefined> {
    if (this.#isLocked) {
      throw new Error('this stream is already being read; make another stream with sender.subscribe()');
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
