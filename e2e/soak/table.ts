// The table at the end of a run.
import type { DisturbanceLog } from './disturbance-log.js';
import { mebibytes, type Reading } from './flatness.js';
import type { Ledger } from './ledger.js';
import type { EventCounts } from './live-account.js';
import type { Records } from './records.js';

export interface Sums {
  readonly records: Records;
  readonly log: DisturbanceLog;
  readonly ledger: Ledger;
  readonly events: EventCounts;
  readonly reconnects: number;
  readonly missedReports: number;
  /** Milliseconds from each save to its first answer. */
  readonly saves: readonly number[];
  /** By process. */
  readonly readings: ReadonlyMap<number, readonly Reading[]>;
}

type Cells = readonly string[];

export function table({ records, log, ledger, events, saves, readings, ...live }: Sums): string {
  const requests = records.kinds().map(([kind, statuses, { p50, p99 }]) => {
    const all = [...statuses].map(([status, count]) => `${status === 0 ? 'broken' : status}: ${count}`);
    return [kind, milliseconds(p50), milliseconds(p99), all.join(', ')];
  });
  const disturbances = log.summary().map(([name, count, ms]) => [name, String(count), milliseconds(ms)]);
  const levels = [...readings].flatMap(([pid, all]) => rowsOf(pid, all));
  return [
    ...block(['requests', 'p50', 'p99', 'statuses'], requests),
    ...block(['disturbances', 'count', 'first good answer, at most'], disturbances),
    ...block(['saves in fw dev', 'p50', 'slowest'], [savesRow(saves)]),
    ...block(['writes acknowledged', 'found'], [[String(ledger.acknowledged), String(ledger.found)]]),
    ...block(
      ['live events expected', 'received', 'reported missed', 'twice', 'reports', 'reconnects'],
      [
        [
          events.expected,
          events.received,
          events.reportedMissed,
          events.twice,
          live.missedReports,
          live.reconnects,
        ].map(String),
      ],
    ),
    ...block(
      ['process', 'readings', 'heap', 'resident', 'descriptors', 'timers', 'handles', 'listeners'],
      levels,
    ),
  ].join('\n');
}

function rowsOf(pid: number, all: readonly Reading[]): Cells[] {
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return [];
  const change = (of: (reading: Reading) => string): string => `${of(first)} → ${of(last)}`;
  const handles = ({ resources: { Timeout: _, ...others } }: Reading): string =>
    String(Object.values(others).reduce((sum, count) => sum + count, 0));
  return [
    [
      String(pid),
      String(all.length),
      change(({ heap }) => mebibytes(heap)),
      change(({ rss }) => mebibytes(rss)),
      change(({ descriptors }) => String(descriptors)),
      change(({ resources }) => String(resources.Timeout ?? 0)),
      change(handles),
      change(({ listeners }) => String(listeners)),
    ],
  ];
}

function savesRow(saves: readonly number[]): Cells {
  const sorted = [...saves].sort((one, other) => one - other);
  const half = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return [String(saves.length), milliseconds(half), milliseconds(sorted.at(-1) ?? 0)];
}

function milliseconds(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** A line of headings and lines of cells, in columns, and an empty line. */
function block(headings: Cells, rows: readonly Cells[]): string[] {
  const all = [headings, ...rows];
  const widths = headings.map((_, i) => Math.max(...all.map((cells) => cells[i]?.length ?? 0)));
  const lines = all.map((cells) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ''];
}
