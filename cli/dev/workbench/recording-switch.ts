// Switches the recording of requests: on while somebody looks at the page about the app, and for a while after.

/** How long recording goes on after the last page left, in milliseconds: a reload must not lose requests. */
const grace = 30_000;

export class RecordingSwitch {
  readonly #onChange: (isOn: boolean) => void;
  readonly #grace: number;
  #timer: NodeJS.Timeout | undefined;
  #pages = 0;
  /** Milliseconds since 1970; undefined while nothing is recorded. */
  #since: number | undefined;

  constructor(onChange: (isOn: boolean) => void, graceMs: number = grace) {
    this.#onChange = onChange;
    this.#grace = graceMs;
  }

  get isOn(): boolean {
    return this.#since !== undefined;
  }

  /** Since when requests are recorded. */
  get since(): number {
    return this.#since ?? Date.now();
  }

  /** The number of pages that are open. */
  pages(count: number): void {
    this.#pages = count;
    if (count > 0) this.#begin();
    else this.#endLater();
  }

  /** For a request that is sent while no page is open. */
  touch(): void {
    this.#begin();
    if (this.#pages === 0) this.#endLater();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #begin(): void {
    clearTimeout(this.#timer);
    if (this.#since !== undefined) return;
    this.#since = Date.now();
    this.#onChange(true);
  }

  #endLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#since = undefined;
      this.#onChange(false);
    }, this.#grace);
    this.#timer.unref();
  }
}
