// The statements of a request to the database, equal ones together.
import type { TraceStep } from './protocol.js';

export interface EqualStatements {
  readonly sql: string;
  /** At least one. */
  readonly steps: readonly TraceStep[];
  readonly totalMs: number;
  readonly slowestMs: number;
  readonly place: TraceStep['place'];
}

/** The statements of the steps, each once, in the order of their first runs. */
export function equalStatements(steps: readonly TraceStep[]): EqualStatements[] {
  const bySql = new Map<string, TraceStep[]>();
  for (const step of steps) {
    if (step.kind !== 'database') continue;
    const runs = bySql.get(step.name);
    if (runs === undefined) bySql.set(step.name, [step]);
    else runs.push(step);
  }
  return [...bySql].map(([sql, runs]) => {
    const times = runs.map(({ start, end }) => (end ?? start) - start);
    return {
      sql,
      steps: runs,
      totalMs: times.reduce((sum, one) => sum + one, 0),
      slowestMs: Math.max(...times),
      place: runs.find(({ place }) => place !== undefined)?.place,
    };
  });
}

/** So many equal reads in one request are most likely those of a loop over rows. */
const LIKELY_LOOP = 5;

export function isLikelyLoop({ sql, steps }: EqualStatements): boolean {
  return steps.length >= LIKELY_LOOP && isRead(sql);
}

/** How often the statement ran that has read most often; undefined if it ran too seldom for a loop. */
export function likelyLoop(steps: readonly Pick<TraceStep, 'kind' | 'name'>[]): number | undefined {
  const counts = new Map<string, number>();
  for (const { kind, name } of steps) {
    if (kind === 'database') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const reads = [...counts].flatMap(([sql, count]) => (count >= LIKELY_LOOP && isRead(sql) ? [count] : []));
  return reads.length === 0 ? undefined : Math.max(...reads);
}

function isRead(sql: string): boolean {
  return /^[ \t\r\n(]*(?:select|with)\b/i.test(sql);
}
