// WebSocket: pings, time-outs and deadlines of all connections of a route, on one timer.

/** A connection, as the heartbeat sees it. */
export interface Beating {
  /** Bytes that were received; whatever arrives shows that the client is there. */
  readonly bytesRead: number;
  /** Whether nothing is read at the moment, so that nothing can arrive. */
  readonly isPaused: boolean;
  /** Called before each ping, or as often without pings. */
  beat(): void;
  ping(): void;
  cut(): void;
}

/** A ping that is not answered. */
interface Ping {
  readonly due: number;
  readonly bytesRead: number;
}

/** The longest time between two ticks, in milliseconds. */
const LONGEST_TICK_MS = 1_000;
/** The most parts that an interval is divided into. */
const MOST_PARTS = 256;
/** The interval of beats without pings. */
const BEAT_MS = 30_000;

/**
 * Connections are spread over the parts of an interval, so that thousands of them are not pinged at once. The timer
 * runs only while there are connections.
 */
export class Heartbeat {
  readonly #tickMs: number;
  /** Ticks between two parts; not always a whole number. */
  readonly #ticksPerPart: number;
  /** Ticks until a ping must be answered. */
  readonly #patience: number;
  readonly #hasPings: boolean;
  readonly #parts: Set<Beating>[];
  /** The first of them is due first, because all have the same time. */
  readonly #pinged = new Map<Beating, Ping>();
  readonly #deadlines = new Map<object, { readonly due: number; readonly run: () => void }>();
  #timer: NodeJS.Timeout | undefined;
  #now = 0;
  /** How many parts have had their beat. */
  #beats = 0;
  #next = 0;
  #size = 0;

  /** @param pingIntervalMs 0 for no pings */
  constructor(pingIntervalMs: number, timeoutMs: number) {
    const intervalMs = pingIntervalMs === 0 ? BEAT_MS : pingIntervalMs;
    this.#hasPings = pingIntervalMs > 0;
    this.#tickMs = Math.min(LONGEST_TICK_MS, intervalMs, timeoutMs);
    this.#patience = Math.ceil(timeoutMs / this.#tickMs);
    const ticks = Math.max(1, Math.round(intervalMs / this.#tickMs));
    const count = Math.min(ticks, MOST_PARTS);
    this.#ticksPerPart = ticks / count;
    this.#parts = Array.from({ length: count }, () => new Set());
  }

  /** Pings a connection from now on. Returns the function that ends this. */
  add(connection: Beating): () => void {
    const part = this.#parts[this.#next++ % this.#parts.length] as Set<Beating>;
    part.add(connection);
    this.#start();
    return () => {
      this.#pinged.delete(connection);
      if (part.delete(connection)) this.#end();
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
    for (const [key, { due, run }] of this.#deadlines) {
      if (due > this.#now) break;
      this.#deadlines.delete(key);
      this.#end();
      run();
    }
    while ((this.#beats + 1) * this.#ticksPerPart <= this.#now) {
      this.#beats += 1;
      for (const connection of this.#parts[this.#beats % this.#parts.length] as Set<Beating>)
        this.#beat(connection);
    }
    for (const [connection, ping] of this.#pinged) {
      if (ping.due > this.#now) break;
      this.#pinged.delete(connection);
      if (!isAnswered(connection, ping)) connection.cut();
    }
  }

  #beat(connection: Beating): void {
    const ping = this.#pinged.get(connection);
    if (ping !== undefined && !isAnswered(connection, ping)) return;
    connection.beat();
    if (!this.#hasPings) return;
    // Behind all others.
    this.#pinged.delete(connection);
    this.#pinged.set(connection, { due: this.#now + this.#patience, bytesRead: connection.bytesRead });
    connection.ping();
  }
}

function isAnswered(connection: Beating, { bytesRead }: Ping): boolean {
  return connection.isPaused || connection.bytesRead !== bytesRead;
}
