// Measures the steps of one cycle, without the time spent on waiting for generated files.

/** Whole milliseconds. */
export interface TimesTaken {
  readonly build: number;
  readonly boot: number;
  /** Waiting for generated files. */
  readonly wait: number;
  /** Since the change. */
  readonly total: number;
}

export class CycleTimes {
  readonly #changed: number;
  readonly #began = performance.now();
  #build = 0;
  #boot = 0;
  #waitedForBuild = 0;

  /** @param changed the time of the change, by `performance.now()` */
  constructor(changed: number) {
    this.#changed = changed;
  }

  /** Milliseconds since the cycle began. */
  get taken(): number {
    return performance.now() - this.#began;
  }

  buildBegins(): void {
    this.#build = performance.now();
  }

  /** @param waited milliseconds spent on waiting so far */
  bootBegins(waited: number): void {
    this.#boot = performance.now();
    this.#waitedForBuild = waited;
  }

  ended(waited: number): TimesTaken {
    const end = performance.now();
    return {
      build: Math.round(this.#boot - this.#build - this.#waitedForBuild),
      boot: Math.round(end - this.#boot - (waited - this.#waitedForBuild)),
      wait: Math.round(waited),
      total: Math.round(end - this.#changed),
    };
  }
}
