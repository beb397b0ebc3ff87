// A row of the bench: the rounds of all contenders under load, in turn. A round that other load disturbed is repeated,
// and so is one that failed; a contender that fails again is named in the results, and the others go on.
import type { Figures } from './loaded-server.js';
import { interleave } from './measure.js';
import type { Series } from './series.js';

/** Processors' worth of other load from which on a round is repeated, and how often. */
const DISTURBED = 0.1;
const REPETITIONS = 4;

export interface Rounds {
  readonly contenders: readonly string[];
  readonly rounds: number;
  /** Whether a round that other load disturbed is repeated. */
  readonly isRepeated: boolean;
  measure(contender: string): Promise<Figures>;
}

/** @param name of the workload. */
export async function measureRow(name: string, row: Rounds): Promise<Series[]> {
  const disturbed: Record<string, number> = {};
  const failed: Record<string, string> = {};
  const measured = await interleave(
    row.contenders,
    row.rounds,
    async (contender) => {
      if (failed[contender] !== undefined) return undefined;
      try {
        const figures = await undisturbed(row, contender);
        if (figures.others > DISTURBED) disturbed[contender] = (disturbed[contender] ?? 0) + 1;
        return figures;
      } catch (error) {
        failed[contender] = error instanceof Error ? error.message : String(error);
        return undefined;
      }
    },
    // Every server is a new process that is warmed by itself.
    0,
  );
  // Without the rounds before the failure: their ratios would be to other rounds than those of the rest.
  const complete = [...measured].filter(([contender]) => failed[contender] === undefined);
  const pick = (title: string, unit: string, better: 'more' | 'less', what: keyof Figures): Series => ({
    name: title,
    unit,
    better,
    base: 'node-http',
    rounds: Object.fromEntries(
      complete.map(([contender, of]) => [contender, of.flatMap((figures) => figures?.[what] ?? [])]),
    ),
    disturbed,
    failed,
  });
  return [
    pick(name, 'requests/s', 'more', 'perSecond'),
    pick(`${name}, p99`, 'ms', 'less', 'p99Ms'),
    pick(`${name}, resident memory`, 'MB', 'less', 'residentMb'),
  ];
}

/** The repetition with the least other load, if all of them were disturbed. */
async function undisturbed(row: Rounds, contender: string): Promise<Figures> {
  let best = await measureOnceMore(row, contender);
  for (let i = 0; i < REPETITIONS && best.others > DISTURBED && row.isRepeated; i++) {
    const again = await measureOnceMore(row, contender);
    if (again.others < best.others) best = again;
  }
  return best;
}

/** A failure may be that of one process: a port that another had, a connection that broke. */
function measureOnceMore(row: Rounds, contender: string): Promise<Figures> {
  return row.measure(contender).catch((error: unknown) => {
    console.error(`${contender} is measured again: ${error instanceof Error ? error.message : error}`);
    return row.measure(contender);
  });
}
