// What was disturbed when, and so which answers may fail.

/** What clients may notice of a disturbance: failures of the server, broken connections, tokens that expire. */
export type Effect = 'failures' | 'breaks' | 'expiry';

interface Disturbance {
  readonly name: string;
  readonly effects: readonly Effect[];
  readonly from: number;
  to: number;
  /** From the end of the disturbance to the first good answer, in milliseconds. */
  recoveredMs: number | undefined;
}

/** Pools and connections to databases notice that they are back by themselves, after a wait of some seconds. */
const GRACE_MS = 5_000;

export class DisturbanceLog {
  readonly #all: Disturbance[] = [];

  begin(name: string, effects: readonly Effect[]): Disturbance {
    const from = performance.now();
    const begun = { name, effects, from, to: Number.POSITIVE_INFINITY, recoveredMs: undefined };
    this.#all.push(begun);
    return begun;
  }

  /** Whether a disturbance with this effect was under way at some time between. */
  isWithin(effect: Effect, from: number, to: number): boolean {
    // The last ones are those that matter, and a long run has many.
    const recent = this.#all.slice(-5);
    return recent.some((one) => one.effects.includes(effect) && from < one.to + GRACE_MS && to > one.from);
  }

  /** Of each name: how many, and how long the first good answer took at most. */
  summary(): [name: string, count: number, slowestMs: number][] {
    const names = [...new Set(this.#all.map(({ name }) => name))];
    return names.map((name) => {
      const same = this.#all.filter((one) => one.name === name);
      return [name, same.length, Math.max(...same.map(({ recoveredMs = 0 }) => recoveredMs))];
    });
  }
}
