// Channels: joins what is published within one turn of the event loop, so that each connection is written to once.
import { type Frame, FrameBatch } from './frame.js';

/** Those who get what is published. */
export interface Audience {
  /** A frame if it is one message. */
  write(messages: Frame | FrameBatch): void;
}

/** Consecutive messages to the same audience. */
interface Run {
  readonly audience: Audience;
  readonly frames: Frame[];
}

/**
 * Beyond this size nothing is gained by joining, and a program that publishes without a pause must meet the limits of
 * the connections' buffers.
 */
const MOST_BYTES = 65_536;

let runs: Run[] = [];
let bytes = 0;
let isFlushing = false;
let isScheduled = false;

/** Writes a frame at the end of this turn of the event loop, after those that were published before it. */
export function publishInTurn(audience: Audience, frame: Frame): void {
  const last = runs.at(-1);
  if (last?.audience === audience) last.frames.push(frame);
  else runs.push({ audience, frames: [frame] });
  bytes += frame.bytes.byteLength;
  if (bytes > MOST_BYTES) flushPublished();
  else if (!isScheduled) {
    isScheduled = true;
    setImmediate(endTurn);
  }
}

/**
 * Writes now what was published in this turn. To be called before anything else is written to a connection, and
 * before an audience changes, so that the order stays as it was in the program.
 */
export function flushPublished(): void {
  if (runs.length === 0 || isFlushing) return;
  isFlushing = true;
  try {
    // A connection that is closed by a write may cause further messages.
    while (runs.length > 0) {
      const now = runs;
      runs = [];
      bytes = 0;
      for (const { audience, frames } of now) audience.write(joined(frames));
    }
  } finally {
    isFlushing = false;
  }
}

function endTurn(): void {
  isScheduled = false;
  flushPublished();
}

function joined(frames: readonly Frame[]): Frame | FrameBatch {
  const [first] = frames;
  return frames.length === 1 && first !== undefined ? first : new FrameBatch(frames);
}
