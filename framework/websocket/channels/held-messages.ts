// Channels: the messages of a topic that a subscriber gets after those that it missed.
import type { Frame } from '../frame.js';
import { KeptFrame } from './message.js';

const MOST_MESSAGES = 1_024;
const MOST_BYTES = 1_048_576;

/** What is published while the history is fetched, up to a size. */
export class HeldMessages {
  #frames: Frame[] = [];
  #bytes = 0;
  #isOverfull = false;
  /** Ends the wait for a message. */
  #wake: (() => void) | undefined;
  #awaited: string | undefined;

  push(frames: readonly Frame[]): void {
    if (this.#isOverfull) return;
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#bytes += frame.bytes.byteLength;
      if (this.#awaited !== undefined && idOf(frame) === this.#awaited) this.release();
    }
    if (this.#frames.length <= MOST_MESSAGES && this.#bytes <= MOST_BYTES) return;
    this.overfill();
  }

  /** Gives up to hold all. */
  overfill(): void {
    this.#isOverfull = true;
    this.#frames = [];
    this.release();
  }

  /**
   * Resolves when the message has come, or the subscriber has left: what was fetched may be ahead of what this
   * process has been pushed.
   */
  reached(id: string): Promise<void> {
    if (this.#isOverfull || this.#frames.some((frame) => idOf(frame) === id)) return Promise.resolve();
    this.#awaited = id;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Ends the wait. */
  release(): void {
    this.#awaited = undefined;
    this.#wake?.();
  }

  /** Those after the message with the id, or all if it is not among them; undefined if there were too many. */
  after(id: string | undefined): readonly Frame[] | undefined {
    if (this.#isOverfull) return undefined;
    return this.#frames.slice(this.#frames.findLastIndex((frame) => idOf(frame) === id) + 1);
  }
}

function idOf(frame: Frame): string | undefined {
  return frame instanceof KeptFrame ? frame.id : undefined;
}
