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

  push(frames: readonly Frame[]): void {
    if (this.#isOverfull) return;
    for (const frame of frames) {
      this.#frames.push(frame);
      this.#bytes += frame.bytes.byteLength;
    }
    if (this.#frames.length <= MOST_MESSAGES && this.#bytes <= MOST_BYTES) return;
    this.overfill();
  }

  /** Gives up to hold all. */
  overfill(): void {
    this.#isOverfull = true;
    this.#frames = [];
  }

  /** Those that are not among the messages that were fetched; undefined if there were too many. */
  after(fetched: readonly KeptFrame[]): readonly Frame[] | undefined {
    if (this.#isOverfull) return undefined;
    const ids = new Set(fetched.map(({ id }) => id));
    return this.#frames.filter((frame) => !(frame instanceof KeptFrame && ids.has(frame.id)));
  }
}
