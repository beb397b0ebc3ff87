// The page about the app: the points of the charts, kept up to date by the events.
import { type Signal, signal } from '@preact/signals';
import type { ChartInfo } from '../app-info.js';
import type { WorkbenchEvents } from '../protocol.js';
import { fetchCharts } from './calls.js';
import { mergedPoints } from './chart-lines.js';

/** Undefined before somebody looks at them. */
export const charts: Signal<ChartInfo | undefined> = signal(undefined);

export async function loadCharts(): Promise<void> {
  charts.value = await fetchCharts();
}

export function takePoints({ width, points }: WorkbenchEvents['points']): void {
  const known = charts.value;
  if (known === undefined) return;
  const merged = known.width === width ? mergedPoints(known.points, points) : points;
  charts.value = { ...known, width, points: merged };
}
