// Shared by the benches: interleaved rounds, medians and a table with ratios.

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Runs every contender once per round, in turn, so that a drift of the machine's speed meets all of them
 * alike.
 *
 * @param warm rounds before those, which do not count.
 */
export async function interleave<Result>(
  contenders: readonly string[],
  rounds: number,
  run: (contender: string) => Promise<Result>,
  warm = 1,
): Promise<Map<string, Result[]>> {
  const results = new Map<string, Result[]>(contenders.map((name) => [name, []]));
  for (let round = 1 - warm; round <= rounds; round++) {
    for (const contender of contenders) {
      const result = await run(contender);
      if (round > 0) results.get(contender)?.push(result);
    }
  }
  return results;
}

/** Prints rows under their heads, numbers to the right. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join('  ');
  console.log(line(heads));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
}

/** Of the line through the points with the least squares: what `y` grows by for one of `x`. */
export function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const shared = xs.reduce((sum, value, i) => sum + (value - x) * ((ys[i] ?? y) - y), 0);
  return shared / xs.reduce((sum, value) => sum + (value - x) ** 2, 0);
}
