// WebSocket: several messages whose frames are joined once and can be written to many connections.
import type { Frame } from './frame.js';

/** The messages of one write, in order. */
export class FrameBatch {
  readonly frames: readonly Frame[];
  /** The size of the largest frame. */
  readonly largest: number;
  #bytes: Buffer | undefined;

  constructor(frames: readonly Frame[]) {
    this.frames = frames;
    this.largest = frames.reduce((most, { bytes }) => Math.max(most, bytes.byteLength), 0);
  }

  /** All frames, one after the other. They are joined when this is read for the first time. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.concat(this.frames.map(({ bytes }) => bytes));
    return this.#bytes;
  }
}
