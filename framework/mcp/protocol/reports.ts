// MCP: how far a call is, until it is told.
import type { McpProgress } from './messages.js';

/** Reports that wait to be read; the latest takes the place of one that was not read yet. */
export class Reports implements AsyncIterable<McpProgress> {
  /** Resolves when there is one, or at the end. */
  readonly first: Promise<void>;
  #waiting: McpProgress | undefined;
  #last = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor() {
    this.first = this.#change();
  }

  /** Whether one waits to be read. */
  get isPending(): boolean {
    return this.#waiting !== undefined;
  }

  /** One that is not further than the last is dropped (basic/utilities/progress). */
  add(progress: McpProgress): void {
    if (this.#isOver || !(progress.progress > this.#last)) return;
    this.#last = progress.progress;
    this.#waiting = progress;
    this.#wake?.();
  }

  end(): void {
    this.#isOver = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<McpProgress, void> {
    for (;;) {
      const next = this.#waiting;
      this.#waiting = undefined;
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
