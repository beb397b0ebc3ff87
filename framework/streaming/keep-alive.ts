// Streaming: fills the silence of an event stream with comments, so that proxies do not close it.
import type { Chunks } from './chunks.js';

const PING = ': ping\n\n';
/** The longest time that timers keep; a longer one would fire at once. */
const MAX_MS = 2_147_483_647;

type Result = IteratorResult<string, undefined>;

/** @throws Error when it is no time that a timer can keep. */
export function checkInterval(intervalMs: number): void {
  if (Number.isInteger(intervalMs) && intervalMs >= 1 && intervalMs <= MAX_MS) return;
  throw new Error(`${intervalMs} is no keep-alive interval: give whole milliseconds, 1 to ${MAX_MS}`);
}

/** Gives the texts as they come, and a ping where none came for the interval. */
export class KeepAlive implements AsyncIterator<string> {
  readonly #texts: Chunks<string>;
  readonly #intervalMs: number;
  /** The text that is asked for, over any number of pings: asking again would lose it. */
  #asked: Promise<Result> | undefined = undefined;
  #hasArrived = false;
  #wake: (() => void) | undefined = undefined;
  #isEnded = false;

  constructor(texts: Chunks<string>, intervalMs: number) {
    this.#texts = texts;
    this.#intervalMs = intervalMs;
  }

  async next(): Promise<Result> {
    this.#asked ??= this.#ask();
    if (!this.#hasArrived && !this.#isEnded) await this.#idle();
    if (this.#isEnded) return { done: true, value: undefined };
    if (!this.#hasArrived) return { done: false, value: PING };
    const text = this.#asked;
    this.#asked = undefined;
    return text;
  }

  return(): Promise<Result> {
    this.#isEnded = true;
    this.#texts.end();
    this.#wake?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  #ask(): Promise<Result> {
    this.#hasArrived = false;
    const text = this.#texts.next() as Promise<Result>;
    const arrived = () => {
      this.#hasArrived = true;
      this.#wake?.();
    };
    text.then(arrived, arrived);
    return text;
  }

  /** Resolves after the interval, or before when there is something to do. */
  #idle(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#intervalMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
