// Whether what a process holds stays at its level: memory, descriptors, timers and other handles, listeners.

/** What a process holds while nobody asks it anything, after a garbage collection. */
export interface Reading {
  readonly heap: number;
  readonly rss: number;
  readonly descriptors: number;
  /** Listeners of `process`. */
  readonly listeners: number;
  /** Warnings of Node.js that something has more listeners than it should. */
  readonly warnings: number;
  /** Active timers and handles, by kind. */
  readonly resources: Readonly<Record<string, number>>;
}

type Level = 'heap' | 'rss' | 'descriptors' | 'listeners' | 'warnings' | 'timers' | 'others';

const MIB = 1_048_576;

/**
 * How far a level may rise over that after warming up.
 *
 * - The heap: code that is compiled later, and labels of metrics that come with the first failure of each kind. A short
 *   run answers ten thousand requests, so that it finds what leaves 800 bytes for each; two hours answer a million,
 *   and find 8 bytes.
 * - The resident memory: what the heap has taken for young objects under load, which V8 gives back late or not at all.
 * - Descriptors and handles: two pools of ten connections to PostgreSQL, which open and close by themselves, and ten
 *   listeners, which are at one process or the other.
 * - Timers: those of the same pools, and of requests that have just ended.
 * - Listeners: those of `process` are added at the start alone.
 */
const TOLERANCE: Readonly<Record<Level, number>> = {
  heap: 8 * MIB,
  rss: 96 * MIB,
  descriptors: 30,
  others: 30,
  timers: 30,
  listeners: 0,
  warnings: 0,
};

/**
 * Names each level that has risen. A leak is in every reading after it, so that the lowest of the last ones is compared:
 * a peak, such as a pool that is about to shrink, is not a leak.
 * @param readings from the one after warming up on, in the order of time
 */
export function risen(name: string, readings: readonly Reading[]): string[] {
  const [first, ...others] = readings;
  if (first === undefined || others.length === 0) return [];
  const last = others.slice(-3).map(levelsOf);
  const before = levelsOf(first);
  return (Object.keys(TOLERANCE) as Level[]).flatMap((level) => {
    const now = Math.min(...last.map((one) => one[level]));
    if (now - before[level] <= TOLERANCE[level]) return [];
    return [`${name}: ${level} rose from ${shown(level, before[level])} to ${shown(level, now)}`];
  });
}

function levelsOf({ resources, ...reading }: Reading): Record<Level, number> {
  const { Timeout: timers = 0, ...handles } = resources;
  const others = Object.values(handles).reduce((sum, count) => sum + count, 0);
  return { ...reading, timers, others };
}

function shown(level: Level, value: number): string {
  return level === 'heap' || level === 'rss' ? mebibytes(value) : String(value);
}

export function mebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
