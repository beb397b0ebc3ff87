// What clients were told of their writes, and what the database must therefore hold.

/** Refused is an answer of 4xx. Unknown is a broken connection or 5xx: such a write may be stored, or not. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly version: number;
}

/** A row, or undefined for a task that was removed. */
type State = Row | undefined;

interface Known {
  /** As it was last acknowledged or read. */
  readonly state: State;
  /** What unknown writes since then may have made of it. */
  readonly maybe: readonly State[];
}

export class Ledger {
  /** Of the whole run. */
  acknowledged = 0;
  /** Of these, those whose effect the database has shown. */
  found = 0;
  readonly #tasks = new Map<string, Known>();
  readonly #maybeAdded = new Set<string>();
  /** Writes since the last check by task. */
  readonly #unchecked = new Map<string, number>();

  /** @param title is told once in a run, and names the write where its id is not known */
  added(title: string, outcome: Outcome, row?: Row): void {
    if (outcome === 'unknown') this.#maybeAdded.add(title);
    if (outcome === 'acknowledged' && row !== undefined) this.#acknowledge(row.id, row);
  }

  changed(id: string, next: State, outcome: Outcome): void {
    if (outcome === 'acknowledged') this.#acknowledge(id, next);
    const known = this.#tasks.get(id);
    if (outcome === 'unknown' && known !== undefined) {
      this.#tasks.set(id, { ...known, maybe: [...known.maybe, next] });
    }
  }

  /** What a client has read after an unknown write. Whether that write is still on its way is not known. */
  saw(id: string, state: State): void {
    this.#tasks.set(id, { state, maybe: this.#tasks.get(id)?.maybe ?? [] });
  }

  /** The ids of tasks that were stored without an answer. */
  unanswered(rows: readonly Row[]): string[] {
    return rows
      .filter(({ id, title }) => !this.#tasks.has(id) && this.#maybeAdded.has(title))
      .map(({ id }) => id);
  }

  /** Compares with all rows, and forgets what need not be compared again. */
  check(rows: readonly Row[]): string[] {
    const stored = new Map(rows.map((row) => [row.id, row]));
    const faults = this.#unasked(rows);
    for (const [id, { state, maybe }] of this.#tasks) {
      const row = stored.get(id);
      if ([state, ...maybe].some((one) => isSame(one, row))) {
        this.found += this.#unchecked.get(id) ?? 0;
        if (state === undefined && maybe.length === 0) this.#tasks.delete(id);
      } else faults.push(`task ${id} is ${shown(row)}, and was acknowledged as ${shown(state)}`);
    }
    this.#unchecked.clear();
    return faults;
  }

  /** Nobody was told of them: refused writes that are stored, and removed tasks that are back. */
  #unasked(rows: readonly Row[]): string[] {
    const titles = new Set<string>();
    const faults: string[] = [];
    for (const { id, title } of rows) {
      if (this.#tasks.has(id)) continue;
      if (!this.#maybeAdded.has(title))
        faults.push(`task ${id} (${title}) is stored, and nobody was told so`);
      else if (titles.has(title)) faults.push(`task ${title} is stored twice`);
      titles.add(title);
    }
    return faults;
  }

  #acknowledge(id: string, state: State): void {
    this.acknowledged += 1;
    this.#unchecked.set(id, (this.#unchecked.get(id) ?? 0) + 1);
    this.#tasks.set(id, { state, maybe: [] });
  }
}

function isSame(one: State, other: State): boolean {
  return one?.title === other?.title && one?.version === other?.version;
}

function shown(state: State): string {
  return state === undefined ? 'not there' : `version ${state.version} (${state.title})`;
}
