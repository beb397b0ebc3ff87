// What the app has answered since `fw dev` was started, of all its processes, in steps of a second, which become longer
// when there are many.
import { durationOf, type RawSecond } from '../../process/traffic.js';
import type { ChartPoint } from './app-info.js';

/** When there are more, the steps are doubled. */
const MOST_STEPS = 1200;

interface Step {
  requests: number;
  failed: number;
  failedCalls: number;
  heap: number;
  delayMs: number | undefined;
  readonly durations: Map<number, number>;
}

export class TrafficLog {
  /** Of one step, in seconds. */
  #width = 1;
  /** By the number of the step since 1970. */
  #steps = new Map<number, Step>();
  readonly #most: number;

  constructor(most: number = MOST_STEPS) {
    this.#most = most;
  }

  get width(): number {
    return this.#width;
  }

  /** In the order of time. */
  get points(): ChartPoint[] {
    return [...this.#steps]
      .sort(([a], [b]) => a - b)
      .map(([number, step]) => pointOf(number * this.#width, step));
  }

  /** @returns the points that have changed */
  add(seconds: readonly RawSecond[]): ChartPoint[] {
    const changed = new Map<number, Step>();
    for (const second of seconds) {
      const number = Math.floor(second.time / this.#width);
      const step = this.#steps.get(number);
      const merged = step === undefined ? stepOf(second) : mergedInto(step, stepOf(second));
      this.#steps.set(number, merged);
      changed.set(number, merged);
    }
    if (this.#steps.size > this.#most) {
      this.#widen();
      return this.points;
    }
    return [...changed].map(([number, step]) => pointOf(number * this.#width, step));
  }

  #widen(): void {
    const narrow = this.#steps;
    this.#steps = new Map();
    this.#width *= 2;
    for (const [number, step] of narrow) {
      const wide = Math.floor(number / 2);
      const known = this.#steps.get(wide);
      this.#steps.set(wide, known === undefined ? step : mergedInto(known, step));
    }
  }
}

function stepOf({ requests, failed, failedCalls, heap, delayMs, durations }: RawSecond): Step {
  return { requests, failed, failedCalls, heap, delayMs, durations: new Map(durations) };
}

function mergedInto(step: Step, other: Step): Step {
  step.requests += other.requests;
  step.failed += other.failed;
  step.failedCalls += other.failedCalls;
  step.heap = Math.max(step.heap, other.heap);
  if (other.delayMs !== undefined) step.delayMs = Math.max(step.delayMs ?? 0, other.delayMs);
  for (const [one, count] of other.durations) {
    step.durations.set(one, (step.durations.get(one) ?? 0) + count);
  }
  return step;
}

function pointOf(seconds: number, { durations, delayMs, ...counts }: Step): ChartPoint {
  const sorted = [...durations].sort(([a], [b]) => a - b);
  return {
    at: seconds * 1000,
    ...counts,
    ...(sorted.length > 0 && { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) }),
    ...(delayMs !== undefined && { delayMs }),
  };
}

/** @param sorted classes of durations, the shortest first, with their counts */
function percentile(sorted: readonly (readonly [one: number, count: number])[], share: number): number {
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  const found = sorted.find(([, count]) => {
    left -= count;
    return left <= 0;
  });
  return durationOf(found?.[0] ?? 0);
}
