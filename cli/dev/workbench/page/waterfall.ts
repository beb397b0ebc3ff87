// The page about the app: the arithmetic of the waterfall: where each row stands, and how much of a step is its own.
import type { LogLine, RequestDetail, TraceStep } from '../protocol.js';

/** From and to, in any unit. */
type Span = readonly [from: number, to: number];

/** One row. `from`, `width` and `own` are shares of the whole time, from 0 to 1. */
export interface WaterfallRow {
  readonly step?: TraceStep;
  readonly log?: LogLine;
  readonly depth: number;
  readonly at: number;
  /** With the steps inside; undefined for log lines. */
  readonly durationMs?: number;
  /** While none of the steps inside ran; undefined for log lines. */
  readonly selfMs?: number;
  readonly from: number;
  readonly width: number;
  /** When none of the steps inside ran. */
  readonly own: readonly Span[];
  /** Of equal statements that follow each other: each of them; the row is about all. */
  readonly runs?: readonly WaterfallRow[];
}

/** Steps and log lines in the order of their times. */
export function waterfall({ steps, log, durationMs }: Pick<RequestDetail, 'steps' | 'log' | 'durationMs'>): {
  readonly totalMs: number;
  readonly rows: readonly WaterfallRow[];
} {
  const ends = [...steps.map(({ start, end }) => end ?? start), ...log.map(({ at }) => at)];
  const totalMs = ends.reduce((latest, end) => Math.max(latest, end), Math.max(durationMs ?? 0, 0.001));
  const spans = steps.map(({ start, end }): Span => [start, end ?? totalMs]);
  const inside = spans.map((): Span[] => []);
  for (const [index, { parent }] of steps.entries()) {
    if (parent !== undefined) inside[parent]?.push(spans[index] as Span);
  }
  const rows: WaterfallRow[] = steps.map((step, index) => {
    const [from, to] = spans[index] as Span;
    const own = uncovered([from, to], inside[index] ?? []);
    return {
      step,
      depth: step.depth,
      at: from,
      durationMs: to - from,
      selfMs: own.reduce((sum, [begin, end]) => sum + end - begin, 0),
      from: from / totalMs,
      width: (to - from) / totalMs,
      own: own.map(([begin, end]): Span => [begin / totalMs, end / totalMs]),
    };
  });
  for (const line of log) {
    const from = line.at / totalMs;
    rows.push({ log: line, depth: depthAt(steps, line.at), at: line.at, from, width: 0, own: [] });
  }
  // Stable: of two steps that began at once, the outer one was recorded first.
  return { totalMs, rows: withRuns(rows.sort((a, b) => a.at - b.at)) };
}

/** Equal statements that follow each other are one row. */
function withRuns(rows: readonly WaterfallRow[]): WaterfallRow[] {
  const runs: WaterfallRow[][] = [];
  for (const row of rows) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && isSameStatement(last[0], row)) last.push(row);
    else runs.push([row]);
  }
  return runs.map((run) => (run.length === 1 ? (run[0] as WaterfallRow) : runOf(run)));
}

/** One that failed, or runs yet, has a row of its own. The lines of the app are not known of all. */
function isSameStatement({ step: one }: WaterfallRow, { step: other }: WaterfallRow): boolean {
  if (one?.kind !== 'database' || other?.kind !== 'database') return false;
  if (one.name !== other.name || one.parent !== other.parent) return false;
  if ([one, other].some(({ error, end }) => error !== undefined || end === undefined)) return false;
  const [place, same] = [one.place, other.place ?? one.place];
  return place?.file === same?.file && place?.line === same?.line;
}

/** The time of those that ran at once counts once. */
function runOf(runs: readonly WaterfallRow[]): WaterfallRow {
  const first = runs[0] as WaterfallRow;
  const from = first.at;
  const to = Math.max(...runs.map(({ at, durationMs = 0 }) => at + durationMs));
  const gaps = uncovered(
    [from, to],
    runs.map(({ at, durationMs = 0 }): Span => [at, at + durationMs]),
  );
  const covered = gaps.reduce((rest, [begin, end]) => rest - (end - begin), to - from);
  const end = Math.max(...runs.map((one) => one.from + one.width));
  return {
    ...first,
    durationMs: covered,
    selfMs: covered,
    width: end - first.from,
    own: runs.flatMap(({ own }) => own),
    runs,
  };
}

/** What none of the others covers; they may overlap each other, and begin or end outside. */
export function uncovered([from, to]: Span, others: readonly Span[]): Span[] {
  const free: Span[] = [];
  let at = from;
  for (const [begin, end] of [...others].sort((a, b) => a[0] - b[0])) {
    if (begin >= to) break;
    if (begin > at) free.push([at, begin]);
    at = Math.max(at, end);
  }
  if (at < to) free.push([at, to]);
  return free;
}

/** One more than that of the innermost step that ran then. */
function depthAt(steps: readonly TraceStep[], at: number): number {
  const around = steps.filter(({ start, end }) => start <= at && (end ?? Number.POSITIVE_INFINITY) >= at);
  return around.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0);
}
