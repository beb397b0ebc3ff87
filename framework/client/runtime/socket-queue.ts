// The client: the values of a socket that wait for a loop.

/** So many events wait for a loop. */
const MOST_WAITING = 1_000;

/** Values that wait for a loop. */
export class FwSocketQueue<Value> {
  readonly #values: Value[] = [];
  #ended: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  push(value: Value): void {
    if (this.#ended !== undefined) return;
    if (this.#values.length < MOST_WAITING) this.#values.push(value);
    else this.end(new Error(`more than ${String(MOST_WAITING)} events wait for this loop; take them faster`));
    this.#wake();
  }

  /** The loop gets the values that wait, and ends then; with the error, if there is one. */
  end(error?: unknown): void {
    this.#ended ??= { error };
    this.#wake();
  }

  /** Likewise, without the values. */
  abort(error: unknown): void {
    this.#values.length = 0;
    this.end(error);
  }

  /** @param leave is called once the loop is left; also if it never began */
  loop(leave: () => void): AsyncGenerator<Value, void, undefined> {
    const values = this.#take(leave);
    const finish = values.return.bind(values);
    // The generator alone would end only after the value that it waits for.
    values.return = async (value) => {
      this.end();
      leave();
      return await finish(value);
    };
    return values;
  }

  async *#take(leave: () => void): AsyncGenerator<Value, void, undefined> {
    try {
      for (;;) {
        while (this.#values.length > 0) yield this.#values.shift() as Value;
        if (this.#ended !== undefined) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#ended.error !== undefined) throw this.#ended.error as Error;
    } finally {
      leave();
    }
  }
}
