// Results of a bench as data: what every round gave, for tables, files and plots.
import { writeFileSync } from 'node:fs';
import { median } from './measure.js';

/** One row of a bench: the same thing measured of several contenders. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  /** The contender to which ratios are taken. */
  readonly base: string;
  /** By contender: one number for each round. */
  readonly rounds: Readonly<Record<string, readonly number[]>>;
  /** By contender: rounds that other load disturbed and that no repetition made better. */
  readonly disturbed?: Readonly<Record<string, number>>;
  /** By contender that could not be measured, and has no rounds: why. */
  readonly failed?: Readonly<Record<string, string>>;
}

export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** How many times as good as the base, round by round: above 1 is better, whatever the unit. */
export function ratios({ rounds, base, better }: Series, contender: string): number[] {
  const of = rounds[contender] ?? [];
  const by = rounds[base] ?? [];
  return of.map((value, round) => {
    const other = by[round] ?? Number.NaN;
    return better === 'more' ? value / other : other / value;
  });
}

/** Where a bench is asked for its results by `--json file`. */
export function writeSeries(file: string | undefined, series: readonly Series[]): void {
  if (file !== undefined) writeFileSync(file, JSON.stringify(series));
}
