// The client: the text of what the class of sockets uses: the queue of a loop, and functions.

/** After the class of sockets. */
export const socketParts: string = `
/** Values that wait for a loop. */
class FwSocketQueue<Value> {
  readonly #values: Value[] = [];
  #ended: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  push(value: Value): void {
    if (this.#ended !== undefined) return;
    if (this.#values.length < MOST_WAITING) this.#values.push(value);
    else this.end(new Error(\`more than \${String(MOST_WAITING)} events wait for this loop; take them faster\`));
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

/** A callback that throws does not disturb the socket: its error is reported like that of any listener. */
function guarded(callback: () => void): void {
  try {
    callback();
  } catch (error) {
    runtime.queueMicrotask(() => {
      throw error as Error;
    });
  }
}

/** For the errors of a transport that was given up; that of ws would end the process. */
function ignore(): void {
  // The connection is over already.
}

/** Base64url of UTF-8 (RFC 4648, section 5), the characters of which a sub-protocol may consist. */
function bearer(token: string): string {
  const bytes = encodeURIComponent(token).replace(/%([\\dA-F]{2})/g, (_found, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return \`fw.bearer.\${runtime.btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}\`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for a message that is not a frame. */
function frameOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const frame = JSON.parse(text) as unknown;
    return isRecord(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the server does not want the client back. */
function isFinal(code: number): boolean {
  return code === NORMAL || code === POLICY || (code >= 4000 && code <= 4999);
}
`;
