// Testing: reads the server-sent events of a response.
import { EventParser, type TestEvent } from './event-parser.js';
import type { TestStream } from './test-stream.js';

/** A stream of server-sent events. Close it at the end of the test, or declare it with `await using`. */
export class TestEvents implements AsyncIterable<TestEvent>, AsyncDisposable {
  readonly #stream: TestStream;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser = new EventParser();
  readonly #waiting: TestEvent[] = [];

  /** @internal */
  constructor(stream: TestStream) {
    this.#stream = stream;
  }

  get status(): number {
    return this.#stream.status;
  }

  get headers(): Headers {
    return this.#stream.headers;
  }

  /** The next block of the stream; undefined when it has ended or was closed. */
  async next(): Promise<TestEvent | undefined> {
    while (this.#waiting.length === 0) {
      const chunk = await this.#stream.next();
      if (chunk === undefined) return undefined;
      this.#waiting.push(...this.#parser.push(this.#decoder.decode(chunk, { stream: true })));
    }
    return this.#waiting.shift();
  }

  /** The next `count` blocks. @throws Error if the stream ends earlier. */
  async take(count: number): Promise<TestEvent[]> {
    const events: TestEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) {
        throw new Error(`the event stream ended after ${events.length} of ${count} events`);
      }
      events.push(event);
    }
    return events;
  }

  /** Iterates over the blocks. Leaving the loop does not close the stream. */
  [Symbol.asyncIterator](): AsyncIterator<TestEvent> {
    return {
      next: async () => {
        const value = await this.next();
        return value === undefined ? { done: true, value } : { done: false, value };
      },
    };
  }

  /** Closes the stream, as a client that disconnects. May be called several times. */
  close(): Promise<void> {
    return this.#stream.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
