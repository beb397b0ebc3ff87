// The budget of .ci/budget.json beside what was counted: rows that spend more, and rows whose budget is too generous.

/** Counts by row, such as `{ "request json": { "instructions ÷ node:http": 0.96 } }`. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * By what part of the budget a count may lie over it before the check fails. Numbers of modules are exact. A count that
 * lies under its budget by more than twice as much fails as well: otherwise a later change spends unseen what an
 * earlier one saved.
 */
export type Tolerances = Readonly<Record<string, number>>;

/** What is wrong, one sentence for each row; nothing if all is within the budget. */
export function compareWithBudget(budget: Counts, counted: Counts, tolerances: Tolerances): string[] {
  const rows = new Set([...Object.keys(budget), ...Object.keys(counted)]);
  return [...rows].flatMap((row) => {
    const kinds = new Set([...Object.keys(budget[row] ?? {}), ...Object.keys(counted[row] ?? {})]);
    return [...kinds].flatMap((kind) => {
      const allowed = budget[row]?.[kind];
      const count = counted[row]?.[kind];
      const tolerance = tolerances[kind];
      const name = `${row}: ${kind}`;
      if (tolerance === undefined) return [`${name} has no tolerance`];
      if (allowed === undefined) return [`${name} is ${count} and has no budget`];
      if (count === undefined || Number.isNaN(count))
        return [`${name} has a budget of ${allowed} and was not counted`];
      return compare(name, allowed, count, tolerance);
    });
  });
}

/** The rows of the first counts, with the lower number where the second ones have the row too. */
export function lowestCounts(first: Counts, second: Counts): Counts {
  return Object.fromEntries(
    Object.entries(first).map(([row, counts]) => [
      row,
      Object.fromEntries(
        Object.entries(counts).map(([kind, count]) => [kind, Math.min(count, second[row]?.[kind] ?? count)]),
      ),
    ]),
  );
}

function compare(name: string, allowed: number, count: number, tolerance: number): string[] {
  const change = count / allowed - 1;
  const part = `${(Math.abs(change) * 100).toFixed(1)} %`;
  const of = `${name} is ${count}, the budget ${allowed}`;
  if (count > allowed * (1 + tolerance)) return [`${of}: ${part} over it. Make it cheaper.`];
  if (count < allowed * (1 - 2 * tolerance)) return [`${of}: ${part} under it. Lower the budget.`];
  return [];
}
