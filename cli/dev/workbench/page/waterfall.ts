// The page about the app: places the steps and the log lines of a request on one line of time.
import type { LogLine, RequestDetail, TraceStep } from '../protocol.js';

/** One row. `from` and `width` are shares of the whole time, from 0 to 1. */
export interface WaterfallRow {
  readonly step?: TraceStep;
  readonly log?: LogLine;
  readonly depth: number;
  readonly at: number;
  /** Without the steps inside; undefined for log lines. */
  readonly durationMs?: number;
  readonly from: number;
  readonly width: number;
}

/** Steps and log lines in the order of their times. */
export function waterfall({ steps, log, durationMs }: Pick<RequestDetail, 'steps' | 'log' | 'durationMs'>): {
  readonly totalMs: number;
  readonly rows: readonly WaterfallRow[];
} {
  const ends = [...steps.map(({ start, end }) => end ?? start), ...log.map(({ at }) => at)];
  const totalMs = Math.max(durationMs ?? 0, ...ends, 0.001);
  const rows: WaterfallRow[] = steps.map((step) => {
    const end = step.end ?? totalMs;
    return {
      step,
      depth: step.depth,
      at: step.start,
      durationMs: end - step.start,
      from: step.start / totalMs,
      width: (end - step.start) / totalMs,
    };
  });
  for (const line of log) {
    rows.push({ log: line, depth: depthAt(steps, line.at), at: line.at, from: line.at / totalMs, width: 0 });
  }
  // Stable: of two steps that began at once, the outer one was recorded first.
  return { totalMs, rows: rows.sort((a, b) => a.at - b.at) };
}

/** One more than that of the innermost step that ran then. */
function depthAt(steps: readonly TraceStep[], at: number): number {
  const around = steps.filter(({ start, end }) => start <= at && (end ?? Number.POSITIVE_INFINITY) >= at);
  return around.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0);
}
