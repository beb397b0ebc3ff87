// Interop: what a Connect middleware writes, as the stream of a response.

/** How many bytes are buffered before `write` returns false. */
const HIGH_WATER = 64 * 1024;

/** A queue of chunks between a writer and a server. */
export class WrittenBody implements AsyncIterable<Uint8Array> {
  readonly #chunks: Uint8Array[] = [];
  readonly #onDrain: () => void;
  readonly #onLeave: () => void;
  #size = 0;
  #isEnded = false;
  #isBlocked = false;
  #wake: (() => void) | undefined;

  /** @param onLeave called if the reader leaves before the end. */
  constructor(onDrain: () => void, onLeave: () => void) {
    this.#onDrain = onDrain;
    this.#onLeave = onLeave;
  }

  /** False if the writer should wait for `drain`. */
  push(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#isBlocked = this.#size > HIGH_WATER;
    this.#wake?.();
    return !this.#isBlocked;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return {
      next: () => this.#next(),
      return: async () => {
        if (!this.#isEnded) this.#onLeave();
        this.end();
        this.#chunks.length = 0;
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#chunks.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const value = this.#chunks.shift();
    if (value === undefined) return { done: true, value };
    this.#size -= value.length;
    if (this.#isBlocked && this.#size === 0) {
      this.#isBlocked = false;
      this.#onDrain();
    }
    return { done: false, value };
  }
}
