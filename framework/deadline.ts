// Limits: the time that a request may take, and how a late chain of middleware is ended from the inside out.
import { FwError } from './errors.js';
import type { RequestSource } from './request-source.js';

/**
 * How long each step gets to pass on the 408, in milliseconds, before the step around it is told instead: a
 * middleware that hangs on its way back must not hold the answer.
 */
const STEP_MS = 100;

type Reject = (error: FwError) => void;

/** What is left to whoever set the deadline. */
export interface DeadlineEvents {
  /** Answers in place of the whole chain, which hangs. */
  leaveBehind(error: FwError): void;
  /** Something failed after it was left behind. */
  failedLate(error: unknown): void;
}

/**
 * Runs out after a time. Then the deepest `next()` that is still waiting rejects, so that the error takes the
 * way that any error takes; steps that do not pass it on are left behind one by one.
 */
export class Deadline {
  /** Set once the time is out. */
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

  /** Aborts when the client is gone or the time is out. */
  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      if (this.error !== undefined) this.#controller.abort(this.error);
      this.#signal = AbortSignal.any([this.#source.signal, this.#controller.signal]);
    }
    return this.#signal;
  }

  /** What the step at `depth` of the chain gives, unless the time is out before. */
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

  /** False where an answer was given already in place of this one. */
  meet(): boolean {
    if (this.#isMet) return false;
    this.#isMet = true;
    clearTimeout(this.#timer);
    return true;
  }

  /** True for what work throws because `signal` ended it. */
  #isOurs(error: unknown): boolean {
    return error === this.error || (error instanceof Error && error.name === 'AbortError');
  }

  #runOut(): void {
    if (this.error === undefined) {
      this.error = FwError.requestTimeout(`no response within ${this.#ms} ms`);
      // RFC 9110, section 15.5.9: what is still to come of the request is not wanted any more.
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
