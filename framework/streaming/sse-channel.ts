// Streaming: a channel that passes events from any part of the application to one or many clients.

import { checkOptions } from '../options/check.js';
import { type Rules, whole } from '../options/rules.js';
import { kindOf } from '../options/shown.js';
import { SseEvent } from './sse-event.js';
import { SseQueue, type SseStream, type Subscription } from './sse-queue.js';

/** Options of `sseChannel`. */
export interface SseChannelOptions {
  /** How many events each stream buffers; if its queue is full, the oldest is dropped. 1,024 by default. */
  capacity?: number;
}

/** The sending side of a channel. Sending never waits: a slow reader loses its oldest events. */
export interface SseSender {
  /**
   * Sends the event to all streams of the channel. Returns false if the channel is closed.
   *
   * @throws Error if it is not an SseEvent.
   */
  send(event: SseEvent): boolean;
  /** Ends every stream after its queued events. Afterwards `send` has no effect. */
  close(): void;
  /** Makes a stream of the events that are sent from now on, for one client. After `close` it is empty. */
  subscribe(): SseStream;
  /** The number of streams that are read or can still be read. */
  readonly subscribers: number;
  /** The number of events that slow readers lost, in all streams. */
  readonly dropped: number;
}

/** A channel of events, made by `sseChannel`. */
export interface SseChannel {
  /** Sends events, and makes more streams. */
  readonly sender: SseSender;
  /** A stream for one client. It is subscribed when this property is read; a broadcast does not need it. */
  readonly stream: SseStream;
}

/**
 * Makes a channel of server-sent events, through which any part of an application can send them. Each stream has a
 * queue of limited size.
 *
 * ```ts
 * const { sender, stream } = sseChannel({ capacity: 100 });
 * sender.send(SseEvent.new({ done: 1 }));
 * return ctx.sse(stream);
 * ```
 *
 * @throws ConfigError if an option is unknown, or the capacity is not a whole number above 0.
 */
export function sseChannel(options: SseChannelOptions = {}): SseChannel {
  const { capacity = 1024 } = checkOptions('sseChannel', options, RULES);
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

const RULES: Rules<SseChannelOptions> = { capacity: whole(1) };

class Sender implements SseSender, Subscription {
  readonly #capacity: number;
  readonly #read = new Set<SseQueue>();
  /** Weak references: a handler that subscribes and then throws leaves a stream that is never read. */
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
        `send() takes an SseEvent, got ${kindOf(event)}; use SseEvent.new() or SseEvent.data()`,
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
