// Streaming: events from anywhere in the application to one reader, or to many.
import { SseEvent } from './sse-event.js';
import { SseQueue, type SseStream, type Subscription } from './sse-queue.js';

export interface SseChannelOptions {
  /** Events that wait for a reader, per stream, before its oldest is dropped; 1024 by default. */
  capacity?: number;
}

/** The sending end of a channel. Sending never waits: a slow reader loses its oldest events. */
export interface SseSender {
  /**
   * Sends the event to every stream of the channel. False when the channel is closed.
   *
   * @throws Error when it is no SseEvent.
   */
  send(event: SseEvent): boolean;
  /** Ends every stream behind the events that wait in it. */
  close(): void;
  /** A further stream, which gets what is sent from now on. After `close` it is empty. */
  subscribe(): SseStream;
  /** Streams that are read or may be. */
  readonly subscribers: number;
  /** Events that slow readers lost, over all streams. */
  readonly dropped: number;
}

export interface SseChannel {
  readonly sender: SseSender;
  /** The first stream, subscribed when it is taken from the channel: a channel for broadcasts needs none. */
  readonly stream: SseStream;
}

/**
 * A channel of events with bounded queues.
 *
 * ```ts
 * const { sender, stream } = sseChannel({ capacity: 100 });
 * sender.send(SseEvent.new({ done: 1 }));
 * return ctx.sse(stream);
 * ```
 *
 * @throws Error when the capacity is no whole number above 0.
 */
export function sseChannel({ capacity = 1024 }: SseChannelOptions = {}): SseChannel {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new Error(`${capacity} is no capacity of a channel: give a whole number, 1 or more`);
  }
  const sender = new Sender(capacity);
  let first: SseStream | undefined;
  return {
    sender,
    get stream() {
      first ??= sender.subscribe();
      return first;
    },
  };
}

class Sender implements SseSender, Subscription {
  readonly #capacity: number;
  readonly #read = new Set<SseQueue>();
  /** Weak: a handler that subscribes and then throws leaves a stream that nobody can ever read. */
  readonly #unread = new Set<WeakRef<SseQueue>>();
  #dropped = 0;
  #isClosed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get subscribers(): number {
    return this.#queues().length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  send(event: SseEvent): boolean {
    if (!(event instanceof SseEvent)) {
      throw new Error(
        `send() takes an SseEvent, got a ${typeof event}; use SseEvent.new() or SseEvent.data()`,
      );
    }
    if (this.#isClosed) return false;
    for (const queue of this.#queues()) if (queue.push(event)) this.#dropped += 1;
    return true;
  }

  close(): void {
    this.#isClosed = true;
    for (const queue of this.#queues()) queue.close();
    this.#read.clear();
    this.#unread.clear();
  }

  subscribe(): SseStream {
    const queue = new SseQueue(this.#capacity, this);
    if (this.#isClosed) queue.close();
    else this.#unread.add(new WeakRef(queue));
    return queue;
  }

  begun(queue: SseQueue): void {
    if (this.#isClosed) return;
    for (const ref of this.#unread) if (ref.deref() === queue) this.#unread.delete(ref);
    this.#read.add(queue);
  }

  left(queue: SseQueue): void {
    this.#read.delete(queue);
  }

  #queues(): SseQueue[] {
    const queues = [...this.#read];
    for (const ref of this.#unread) {
      const queue = ref.deref();
      if (queue === undefined) this.#unread.delete(ref);
      else queues.push(queue);
    }
    return queues;
  }
}
