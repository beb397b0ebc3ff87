// WebSocket: pings, time-outs and deadlines of all connections of a route, on one timer.

/** A connection, as the heartbeat sees it. */
export interface Beating {
  /** Bytes that were received; whatever arrives shows that the client is there. */
  readonly bytesRead: number;
  /** Whether nothing is read at the moment, so that nothing can arrive. */
  readonly isPaused: boolean;
  ping(): void;
  cut(): void;
}

interface Pulse {
  /** The tick of the ping that is not answered; undefined if there is none. */
  pingedAt: number | undefined;
  bytesRead: number;
}

/** The longest time between two ticks, in milliseconds. */
const LONGEST_TICK_MS = 1_000;

/**
 * Connections are spread over the ticks of an interval, so that thousands of them are not pinged at once. The timer
 * runs only while there are connections.
 */
export class Heartbeat {
  readonly #tickMs: number;
  /** Ticks until a ping must be answered. */
  readonly #patience: number;
  readonly #buckets: Map<Beating, Pulse>[];
  readonly #deadlines = new Map<object, { readonly due: number; readonly run: () => void }>();
  #timer: NodeJS.Timeout | undefined;
  #now = 0;
  #next = 0;
  #size = 0;

  constructor(pingIntervalMs: number, timeoutMs: number) {
    this.#tickMs = Math.min(LONGEST_TICK_MS, pingIntervalMs, timeoutMs);
    this.#patience = Math.ceil(timeoutMs / this.#tickMs);
    const count = Math.max(1, Math.round(pingIntervalMs / this.#tickMs));
    this.#buckets = Array.from({ length: count }, () => new Map());
  }

  /** Pings a connection from now on. Returns the function that ends this. */
  add(connection: Beating): () => void {
    const bucket = this.#buckets[this.#next++ % this.#buckets.length] as Map<Beating, Pulse>;
    bucket.set(connection, { pingedAt: undefined, bytesRead: 0 });
    this.#start();
    return () => {
      if (bucket.delete(connection)) this.#end();
    };
  }

  /** Runs the callback after the time-out, unless the function that it returns is called before. */
  afterTimeout(run: () => void): () => void {
    const key = {};
    this.#deadlines.set(key, { due: this.#now + this.#patience, run });
    this.#start();
    return () => {
      if (this.#deadlines.delete(key)) this.#end();
    };
  }

  #start(): void {
    this.#size += 1;
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs);
  }

  #end(): void {
    this.#size -= 1;
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#now += 1;
    // All have the same time, so the first ones are due first.
    for (const [key, { due, run }] of this.#deadlines) {
      if (due > this.#now) break;
      this.#deadlines.delete(key);
      this.#end();
      run();
    }
    const { length } = this.#buckets;
    for (const [connection, pulse] of this.#at(this.#now - this.#patience)) this.#check(connection, pulse);
    for (const [connection, pulse] of this.#at(this.#now)) {
      if (length <= this.#patience) this.#check(connection, pulse);
      if (pulse.pingedAt !== undefined) continue;
      pulse.pingedAt = this.#now;
      pulse.bytesRead = connection.bytesRead;
      connection.ping();
    }
  }

  #at(tick: number): Map<Beating, Pulse> {
    const { length } = this.#buckets;
    return this.#buckets[((tick % length) + length) % length] as Map<Beating, Pulse>;
  }

  #check(connection: Beating, pulse: Pulse): void {
    if (pulse.pingedAt === undefined) return;
    if (connection.isPaused || connection.bytesRead !== pulse.bytesRead) pulse.pingedAt = undefined;
    else if (this.#now - pulse.pingedAt >= this.#patience) connection.cut();
  }
}
