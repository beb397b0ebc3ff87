// Which live events the listeners of a user must have got, and which they got.

/** An event in one text, by which it is compared. */
export function eventKey(kind: string, id: string, version?: number): string {
  return [kind, id, version].filter((part) => part !== undefined).join(' ');
}

/** What one listener got. */
export class Heard {
  readonly name: string;
  readonly times: Map<string, number> = new Map();
  /** When it was last told that events were missed, and so has to load everything. */
  missedAt: number = Number.NEGATIVE_INFINITY;
  missedReports = 0;

  constructor(name: string) {
    this.name = name;
  }

  event(key: string): void {
    this.times.set(key, (this.times.get(key) ?? 0) + 1);
  }

  missed(): void {
    this.missedAt = performance.now();
    this.missedReports += 1;
  }
}

/** Sums of all listeners. */
export interface EventCounts {
  expected: number;
  received: number;
  reportedMissed: number;
  twice: number;
}

export class LiveAccount {
  readonly heard: Heard[] = [];
  /** Events of acknowledged writes, with the times when their requests began. */
  readonly #sure = new Map<string, number>();
  /** Events of writes without an answer, which may come. */
  readonly #maybe = new Set<string>();

  told(key: string, began: number): void {
    this.#sure.set(key, began);
  }

  mayTell(key: string): void {
    this.#maybe.add(key);
  }

  /** Whether nothing is outstanding. */
  isSettled(): boolean {
    return this.heard.every((heard) => this.#missing(heard).length === 0);
  }

  /**
   * Compares, adds to the sums, and begins anew: what comes late is then an event that nobody has asked for.
   * @param unanswered the ids of tasks that were stored without an answer
   */
  check(counts: EventCounts, unanswered: readonly string[] = []): string[] {
    for (const id of unanswered) this.#maybe.add(eventKey('added', id, 1));
    const faults = this.heard.flatMap((heard) => this.#checkOne(heard, counts));
    this.#sure.clear();
    for (const { times } of this.heard) times.clear();
    return faults;
  }

  #checkOne(heard: Heard, counts: EventCounts): string[] {
    const { name, times } = heard;
    const missing = this.#missing(heard);
    const twice = [...times].filter(([, count]) => count > 1);
    const unasked = [...times.keys()].filter((key) => !this.#sure.has(key) && !this.#maybe.has(key));
    const received = [...this.#sure.keys()].filter((key) => times.has(key)).length;
    counts.expected += this.#sure.size;
    counts.received += received;
    counts.reportedMissed += this.#sure.size - received - missing.length;
    counts.twice += twice.length;
    return [
      ...missing.map((key) => `${name} never got '${key}', and was not told that it missed something`),
      ...twice.map(([key, count]) => `${name} got '${key}' ${count} times`),
      ...unasked.map((key) => `${name} got '${key}', which nobody has done`),
    ];
  }

  /**
   * Who is told that events are missed loads everything, and so knows of writes before. A write is stored between the
   * beginning of its request and the answer: one that had begun counts as loaded.
   */
  #missing({ times, missedAt }: Heard): string[] {
    const sure = [...this.#sure];
    return sure.filter(([key, began]) => !times.has(key) && began > missedAt).map(([key]) => key);
  }
}
