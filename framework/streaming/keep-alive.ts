// Streaming: sends comments while an event stream is idle, so that proxies do not close it.
import type { Chunks } from '../http/chunks.js';

const PING = ': ping\n\n';
/** The longest time of a timer; with a longer one, it fires at once. */
const MAX_MS = 2_147_483_647;

type Result = IteratorResult<string, undefined>;

/** @throws Error if the interval is not a whole number from 1 to 2^31 - 1. */
export function checkInterval(intervalMs: number): void {
  if (Number.isInteger(intervalMs) && intervalMs >= 1 && intervalMs <= MAX_MS) return;
  throw new Error(`${intervalMs} is not a keep-alive interval: give whole milliseconds, 1 to ${MAX_MS}`);
}

/** Yields the texts as they arrive, and a ping if none arrived for the interval. */
export class KeepAlive implements AsyncIterator<string> {
  readonly #texts: Chunks<string>;
  readonly #intervalMs: number;
  /** The pending text; it stays pending during pings, because requesting another one would lose it. */
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

  /** Resolves after the interval, or earlier if a text arrives or the stream ends. */
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
