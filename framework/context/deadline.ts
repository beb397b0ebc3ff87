// Limits: the deadline of a request, and how an overdue chain of middleware is ended from the inside out.
import { FwError } from '../http/errors.js';
import type { RequestSource } from '../http/request-source.js';
import { shared } from '../http/shared-signal.js';

/**
 * How long each step has to pass on the 408, in milliseconds, before the error goes to the step around it instead:
 * a middleware that hangs after `next()` must not delay the answer.
 */
const STEP_MS = 100;

type Reject = (error: FwError) => void;

/** Callbacks for the creator of the deadline. */
export interface DeadlineEvents {
  /** Called to answer instead of the whole chain when none of its steps settles. */
  leaveBehind(error: FwError): void;
  /** Called with the error of a step that failed after it was left behind. */
  failedLate(error: unknown): void;
}

/**
 * The deadline of one request. When it expires, the deepest pending `next()` rejects, so that the error propagates
 * like any error; a step that does not pass it on within `STEP_MS` is left behind, and the next outer one rejects.
 */
export class Deadline {
  /** Set once the deadline has expired. */
  error: FwError | undefined;
  readonly #source: RequestSource;
  readonly #waiting: (Reject | undefined)[] = [];
  readonly #events: DeadlineEvents;
  readonly #ms: number;
  #timer: NodeJS.Timeout;
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #isMet = false;

  constructor(source: RequestSource, ms: number, events: DeadlineEvents) {
    this.#source = source;
    this.#ms = ms;
    this.#events = events;
    this.#timer = setTimeout(() => this.#runOut(), ms);
  }

  /** Aborts when the client disconnects or the deadline expires. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      if (this.error !== undefined) this.#controller.abort(this.error);
      this.#signal = shared(AbortSignal.any([this.#source.signal, this.#controller.signal]));
    }
    return this.#signal;
  }

  /** The result of the step at `depth` of the chain, unless the deadline expires first. */
  guard<T>(result: Promise<T>, depth: number): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting[depth] = reject;
      result.then(
        (value) => {
          this.#waiting[depth] = undefined;
          resolve(value);
        },
        (error: unknown) => {
          if (this.#waiting[depth] === undefined && !this.#isOurs(error)) this.#events.failedLate(error);
          this.#waiting[depth] = undefined;
          reject(error as Error);
        },
      );
    });
  }

  /** Stops the time while a response waits for its first chunk: it limits the handler alone. */
  pause(): void {
    if (this.error === undefined) clearTimeout(this.#timer);
  }

  /** The middleware around the handler has as much time again. */
  resume(): void {
    if (this.error === undefined && !this.#isMet) this.#timer = setTimeout(() => this.#runOut(), this.#ms);
  }

  /** Marks the request as answered. False if it was already answered by the deadline. */
  meet(): boolean {
    if (this.#isMet) return false;
    this.#isMet = true;
    clearTimeout(this.#timer);
    return true;
  }

  /** True for errors that are thrown because `signal` aborted. */
  #isOurs(error: unknown): boolean {
    try {
      return error === this.error || (error instanceof Error && error.name === 'AbortError');
    } catch {
      // A Proxy, or a getter that throws.
      return false;
    }
  }

  #runOut(): void {
    if (this.error === undefined) {
      this.error = FwError.requestTimeout(`no response within ${this.#ms} ms`);
      // RFC 9110, section 15.5.9: the rest of the request is no longer needed.
      this.#source.abandonBody();
      this.#controller?.abort(this.error);
    }
    const depth = this.#waiting.findLastIndex((reject) => reject !== undefined);
    const reject = this.#waiting[depth];
    if (reject === undefined) {
      this.#events.leaveBehind(this.error);
      return;
    }
    this.#waiting[depth] = undefined;
    this.#timer = setTimeout(() => this.#runOut(), STEP_MS);
    reject(this.error);
  }
}
