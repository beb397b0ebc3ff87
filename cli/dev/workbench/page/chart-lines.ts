// The page about the app: charts as shapes, from the points that `fw dev` has told.
import type { ChartPoint } from '../app-info.js';
import type { CycleEntry } from '../protocol.js';

/** What a chart shows, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** One line: undefined where there is no value. */
export type Read = (point: ChartPoint) => number | undefined;

/** The size of all charts, in units of their own. */
export const WIDTH = 600;
export const HEIGHT = 100;

/** Points that are further apart than this many of their width are not connected. */
const LONGEST_GAP = 3;

export interface Scale {
  readonly span: Span;
  /** The value at the upper edge. */
  readonly most: number;
  /** How far two points are apart that follow each other, in milliseconds. */
  readonly stepMs: number;
  /** Whether the value is 0 where there is no point: nothing was answered then. */
  readonly isZeroBetween: boolean;
}

/** The path of a line; a point with no neighbour is a dot. */
export function lineOf(points: readonly ChartPoint[], read: Read, scale: Scale): string {
  const { span, most, stepMs, isZeroBetween } = scale;
  const x = (at: number): number => round(((at - span.from) / Math.max(1, span.until - span.from)) * WIDTH);
  const y = (value: number): number => round(HEIGHT - (most === 0 ? 0 : value / most) * HEIGHT);
  const parts: string[] = isZeroBetween ? [`M0 ${HEIGHT}`] : [];
  let last = isZeroBetween ? span.from : undefined;
  for (const point of points) {
    const value = read(point);
    if (value === undefined || point.at < span.from || point.at > span.until) continue;
    const isNear = last !== undefined && point.at - last <= LONGEST_GAP * stepMs;
    if (last !== undefined && isZeroBetween && !isNear) {
      parts.push(`L${x(last + stepMs)} ${HEIGHT}L${x(point.at - stepMs)} ${HEIGHT}`);
    }
    parts.push(isNear || isZeroBetween ? `L${x(point.at)} ${y(value)}` : `M${x(point.at)} ${y(value)}h0.01`);
    last = point.at;
  }
  if (last !== undefined && isZeroBetween && span.until - last > LONGEST_GAP * stepMs) {
    parts.push(`L${x(last + stepMs)} ${HEIGHT}L${WIDTH} ${HEIGHT}`);
  }
  return parts.join('');
}

/** The points of such a path that have no neighbour, which are hard to see as a part of a line. */
export function dotsOf(path: string): string {
  return (path.match(/M[^ML]*h0\.01(?=M|$)/g) ?? []).join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The points that change, in the place of the old ones; all of them if their width has changed. */
export function mergedPoints(known: readonly ChartPoint[], news: readonly ChartPoint[]): ChartPoint[] {
  const byTime = new Map(known.map((one) => [one.at, one]));
  for (const one of news) byTime.set(one.at, one);
  return [...byTime.values()].sort((a, b) => a.at - b.at);
}

/** The reloads in a span. */
export function savesIn(entries: readonly CycleEntry[], { from, until }: Span): CycleEntry[] {
  return entries.filter(({ kind, time }) => kind === 'ready' && time >= from && time <= until);
}

export function most(points: readonly ChartPoint[], reads: readonly Read[], { from, until }: Span): number {
  const shown = points.filter(({ at }) => at >= from && at <= until);
  return shown.reduce((max, point) => reads.reduce((one, read) => Math.max(one, read(point) ?? 0), max), 0);
}

/** About so many steps has the axis of the values. */
const STEPS = 3;
/** So much room is above the highest value: a line along the edge is hard to see. */
const ROOM = 1.05;

/**
 * The values that an axis names, from 0 up: round ones, the last of which is above the highest value.
 * @param isWhole whether only whole numbers are meant
 */
export function axisOf(highest: number, isWhole = false): number[] {
  const wanted = (highest * ROOM || 1) / STEPS;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const nice = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= wanted) ?? power;
  const step = isWhole ? Math.max(1, nice) : nice;
  const count = Math.max(1, Math.ceil((highest * ROOM) / step));
  // Without the errors of sums such as 0.1 + 0.2.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}
