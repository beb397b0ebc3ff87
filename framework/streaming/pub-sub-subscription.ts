// Streaming: the messages of one topic for one subscriber, who may be slower than those who publish.
import { CutStream } from '../http/chunks.js';
import { shared } from '../http/shared-signal.js';

/**
 * Rejects the iteration of a subscriber to a `PubSub` who has missed messages, because it read too slowly or the broker was
 * away. A response of it is cut off and nothing is reported: its client connects again, and loads what it shows.
 */
export class MissedMessagesError extends CutStream {}

type Result<Message> = IteratorResult<Message, undefined>;

interface Reader<Message> {
  resolve(result: Result<Message>): void;
  reject(error: unknown): void;
}

const DONE = { done: true, value: undefined } as const;

export class TopicSubscription<Message> implements AsyncIterableIterator<Message, undefined> {
  readonly #capacity: number;
  readonly #signal: AbortSignal | undefined;
  readonly #left: (subscription: TopicSubscription<Message>) => void;
  readonly #leave = (): void => this.end();
  #messages: Message[] = [];
  /** Where the messages begin that nobody has read: to shift each would take long where many wait. */
  #first = 0;
  readonly #readers: Reader<Message>[] = [];
  #isOver = false;
  /** The error that the next read rejects with. */
  #missed: MissedMessagesError | undefined;

  /** @param left called once, when it takes no more messages */
  constructor(
    capacity: number,
    signal: AbortSignal | undefined,
    left: (subscription: TopicSubscription<Message>) => void,
  ) {
    this.#capacity = capacity;
    this.#signal = signal;
    this.#left = left;
    if (signal?.aborted) this.#isOver = true;
    else if (signal !== undefined) shared(signal).addEventListener('abort', this.#leave);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  push(message: Message): void {
    const reader = this.#readers.shift();
    if (reader !== undefined) reader.resolve({ done: false, value: message });
    else if (this.#waiting < this.#capacity) this.#messages.push(message);
    else this.miss(`it was more than ${this.#capacity} messages behind`);
  }

  /** It has missed messages, so those that wait are of no use either. */
  miss(why: string): void {
    if (this.#isOver) return;
    this.#missed = new MissedMessagesError(`the subscriber has missed messages: ${why}`);
    this.end();
  }

  /** Ends the iteration. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#messages = [];
    this.#first = 0;
    this.#signal?.removeEventListener('abort', this.#leave);
    this.#left(this);
    for (const reader of this.#readers.splice(0)) this.next().then(reader.resolve, reader.reject);
  }

  next(): Promise<Result<Message>> {
    if (this.#waiting > 0) return Promise.resolve({ done: false, value: this.#take() });
    const missed = this.#missed;
    this.#missed = undefined;
    if (missed !== undefined) return Promise.reject(missed);
    if (this.#isOver) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }));
  }

  return(): Promise<Result<Message>> {
    this.#missed = undefined;
    this.end();
    return Promise.resolve(DONE);
  }

  get #waiting(): number {
    return this.#messages.length - this.#first;
  }

  /** Leaves the room of what was read once that is half of all. */
  #take(): Message {
    const message = this.#messages[this.#first] as Message;
    this.#first += 1;
    if (this.#first * 2 >= this.#messages.length) {
      this.#messages = this.#messages.slice(this.#first);
      this.#first = 0;
    }
    return message;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
