// What the app has answered in one second, and the classes of durations, from which percentiles can be made of any
// number of seconds.

export interface RawSecond {
  /** Seconds since 1970. */
  readonly time: number;
  readonly requests: number;
  /** Answered with 500 or more. */
  readonly failed: number;
  /** Calls of RPC that were answered with an error; 0 while nobody looks. */
  readonly failedCalls: number;
  /** Classes of durations, each with how many requests took so long. */
  readonly durations: readonly (readonly [durationClass: number, count: number])[];
  /** Bytes that are used, when the second was over. */
  readonly heap: number;
  /** The longest that the event loop did not run, in milliseconds; absent while nobody looks. */
  readonly delayMs?: number;
}

/** Eight for each doubling: a percentile is off by 4.5 % at most. */
const CLASSES = 8;
/** In milliseconds. */
const SHORTEST = 0.01;

export function durationClass(ms: number): number {
  return Math.ceil(Math.log2(Math.max(ms, SHORTEST) / SHORTEST) * CLASSES);
}

/** A duration in the middle of a class, in milliseconds. */
export function durationOf(one: number): number {
  return SHORTEST * 2 ** ((one - 0.5) / CLASSES);
}
