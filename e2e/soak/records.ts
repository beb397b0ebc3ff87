// What was answered how often, how fast, and against what was expected.

/** Milliseconds from 0.1 on, in steps of a tenth each. */
const STEP = 1.1;
const FIRST_MS = 0.1;
/** Faults beyond are counted, and not shown. */
const SHOWN = 40;

export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

interface Kind {
  readonly statuses: Map<number, number>;
  /** How many took as long as each step. */
  readonly steps: number[];
}

export class Records {
  readonly #kinds = new Map<string, Kind>();
  readonly #faults: string[] = [];
  #moreFaults = 0;

  /** @param status 0 if the connection has broken before the answer */
  answered(kind: string, status: number, ms: number): void {
    const known = this.#kinds.get(kind) ?? { statuses: new Map(), steps: [] };
    this.#kinds.set(kind, known);
    known.statuses.set(status, (known.statuses.get(status) ?? 0) + 1);
    const step = Math.max(0, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(STEP)));
    known.steps[step] = (known.steps[step] ?? 0) + 1;
  }

  fault(text: string): void {
    if (this.#faults.length < SHOWN) this.#faults.push(text);
    else this.#moreFaults += 1;
  }

  get faults(): string[] {
    return this.#moreFaults > 0 ? [...this.#faults, `and ${this.#moreFaults} more`] : [...this.#faults];
  }

  /** All that were sent. */
  get total(): number {
    const counts = [...this.#kinds.values()].flatMap(({ statuses }) => [...statuses.values()]);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  kinds(): [kind: string, statuses: ReadonlyMap<number, number>, latency: Latency][] {
    const sorted = [...this.#kinds].sort(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([kind, { statuses, steps }]) => [
      kind,
      new Map([...statuses].sort(([one], [other]) => one - other)),
      { p50: quantile(steps, 0.5), p99: quantile(steps, 0.99) },
    ]);
  }
}

function quantile(steps: readonly number[], part: number): number {
  const total = steps.reduce((sum, count = 0) => sum + count, 0);
  let seen = 0;
  const at = [...steps].findIndex((count = 0) => {
    seen += count;
    return seen >= total * part;
  });
  return FIRST_MS * STEP ** at;
}
