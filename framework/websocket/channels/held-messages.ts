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
  /** Ends the wait for a message, or for the broker. */
  #wake: (() => void) | undefined;
  #hasLeft = false;
  #awaited: string | undefined;

  push(frames: readonly Frame[]): void {
    if (this.#isOverfull) return;
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#bytes += frame.bytes.byteLength;
      if (this.#awaited !== undefined && idOf(frame) === this.#awaited) this.#end();
    }
    if (this.#frames.length <= MOST_MESSAGES && this.#bytes <= MOST_BYTES) return;
    this.overfill();
  }

  /** Whether nobody waits for them any more: the subscriber has left, or there were too many. */
  get isOver(): boolean {
    return this.#isOverfull || this.#hasLeft;
  }

  /** Gives up to hold all. */
  overfill(): void {
    this.#isOverfull = true;
    this.#frames = [];
    this.#end();
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

  /** Calls the function when they are over, instead of one that was given before. */
  whenOver(callback: () => void): void {
    this.#wake = callback;
  }

  /** The subscriber has left. */
  leave(): void {
    this.#hasLeft = true;
    this.#end();
  }

  /** Ends the wait. */
  #end(): void {
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
