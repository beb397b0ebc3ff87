// Testing: the messages that a WebSocket has received and that the test has not taken yet.
import { AssertionError } from 'node:assert';
import { shownText } from '../test-answer.js';

/** A message: a text or bytes. */
export type Arrived = string | Uint8Array;

/** Takes what it looks for out of the messages; undefined if it is not there yet. */
type Take<T> = (messages: Arrived[]) => { readonly value: T } | undefined;

interface Waiting {
  /** Whether the wait is over. */
  attempt(): boolean;
  fail(): void;
}

/** How many messages an error shows. */
const MOST_SHOWN = 10;

type Caller = (...args: never[]) => unknown;

export class Arrivals {
  readonly #name: string;
  readonly #timeoutMs: number;
  readonly #messages: Arrived[] = [];
  #waiting: Waiting[] = [];
  /** Says how the connection was closed; undefined while it is open. */
  #closed: string | undefined;

  constructor(name: string, timeoutMs: number) {
    this.#name = name;
    this.#timeoutMs = timeoutMs;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  add(message: Arrived): void {
    this.#messages.push(message);
    this.#waiting = this.#waiting.filter((one) => !one.attempt());
  }

  /** Nothing more will arrive. */
  end(how: string): void {
    this.#closed = how;
    for (const one of this.#waiting.splice(0)) one.fail();
  }

  /**
   * Waits until `take` finds what it looks for.
   *
   * @throws AssertionError if it has not come within the time-out or cannot come any more.
   */
  next<T>(wanted: string, take: Take<T>, caller: Caller): Promise<T> {
    // Made here, because a timer does not know the line of the test.
    const failure = this.failure(wanted, caller);
    return new Promise((resolve, reject) => {
      const attempt = () => {
        try {
          const found = take(this.#messages);
          if (found === undefined) return false;
          resolve(found.value);
        } catch {
          // What has come cannot be it.
          reject(failure());
        }
        clearTimeout(timer);
        return true;
      };
      const fail = () => {
        clearTimeout(timer);
        reject(failure());
      };
      let timer: NodeJS.Timeout | undefined;
      if (attempt()) return;
      if (this.#closed !== undefined) {
        fail();
        return;
      }
      const waiting = { attempt, fail };
      this.#waiting.push(waiting);
      timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        fail();
      }, this.#timeoutMs);
    });
  }

  /** Makes an error that shows what has come instead. */
  failure(
    wanted: string,
    caller: Caller,
    got?: { actual: unknown; expected: unknown },
  ): () => AssertionError {
    const place: { stack?: string } = {};
    Error.captureStackTrace(place, caller);
    return () => {
      const message = `WebSocket ${this.#name}: expected ${wanted}\n${this.#shown()}`;
      const error = new AssertionError({ message, operator: caller.name, ...got });
      error.stack = `${error.name}: ${message}\n${(place.stack as string).replace(/^.*\n/, '')}`;
      return error;
    };
  }

  #shown(): string {
    const shown = this.#messages.slice(0, MOST_SHOWN).map((message) => `  received ${show(message)}`);
    const more = this.#messages.length - shown.length;
    if (shown.length === 0) shown.push('  received no other message');
    if (more > 0) shown.push(`  and ${more} more`);
    return [...shown, `  ${this.#closed ?? 'the connection is open'}`].join('\n');
  }
}

function show(message: Arrived): string {
  if (typeof message !== 'string') return `${message.byteLength} bytes`;
  return message === '' ? '(an empty text)' : shownText(Buffer.from(message));
}
