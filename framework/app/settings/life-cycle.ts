// What an App runs when it begins to listen, when it listens, and when its servers have closed.
import { shown } from '../../options/shown.js';
import { reportError } from '../../tracing/error-channel.js';
import { isTraced, publishEvent } from '../../tracing/event.js';
import { isError } from '../../tracing/inspected.js';

/** Where a server of the App listens, for `onReady`. */
export interface ListeningServer {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
}

/** A callback of the application, with the place of its registration. */
interface Step<Argument> {
  readonly run: (argument: Argument) => unknown;
  readonly place: () => string;
}

/** Lets the servers listen, though the callback that calls it goes on, and those behind it have not run. */
type Hold = () => void;

/** A start that takes longer than this is reported, in milliseconds: it may wait for ever. */
const LONG_MS = 10_000;

export class LifeCycle {
  readonly #starting: Step<Hold>[] = [];
  readonly #ready: Step<ListeningServer>[] = [];
  readonly #closing: (() => unknown)[] = [];
  #started: Promise<void> | undefined;
  #isHeld = false;
  #servers = 0;
  #isDraining = false;

  /** True from the start of a drain, when no new requests should come. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  addStart(run: (hold: Hold) => unknown, place: () => string): void {
    this.#starting.push({ run, place });
  }

  addReady(run: (server: ListeningServer) => unknown, place: () => string): void {
    this.#ready.push({ run, place });
  }

  addClose(run: () => unknown): void {
    this.#closing.push(run);
  }

  /** Takes over the callbacks of a mounted App, which has no servers of its own. */
  adopt(mounted: LifeCycle): void {
    this.#starting.push(...mounted.#starting.splice(0));
    this.#ready.push(...mounted.#ready.splice(0));
    this.#closing.push(...mounted.#closing.splice(0));
  }

  /**
   * Runs the callbacks of the start, the first registered first, and each once, however many servers are started. If one
   * fails, those of the end run, no server starts, and the promise rejects with its error.
   */
  start(): Promise<void> {
    this.#started ??= new Promise((resolve, reject) => {
      const hold = (): void => {
        this.#isHeld = true;
        resolve();
      };
      this.#start(hold).then(resolve, reject);
    });
    return this.#started;
  }

  async #start(hold: Hold): Promise<void> {
    try {
      for (const step of this.#starting) await runInTime(step, hold);
    } catch (error) {
      if (this.#servers === 0) await this.#close();
      // Nobody waits for the start any more, and the app must not go on without it.
      if (this.#isHeld) setImmediate(() => raise(error));
      throw error;
    }
  }

  /** A server of the App accepts connections. */
  serverStarted(url: string): void {
    this.#isDraining = false;
    this.#servers++;
    void this.#isReady({ url });
  }

  async #isReady(server: ListeningServer): Promise<void> {
    for (const { run } of this.#ready.splice(0)) {
      try {
        await run(server);
      } catch (error) {
        reportError({ error, status: 500, method: 'onReady', path: '' });
      }
    }
  }

  /**
   * Begins the drain of a server, which goes on to accept connections for as long as its balancer may need to learn that
   * it should not get more. Resolves when it may stop; undefined if that is at once.
   */
  drainBegins(delayMs: number): Promise<void> | undefined {
    this.#isDraining = true;
    return delayMs > 0 ? new Promise((resolve) => setTimeout(resolve, delayMs)) : undefined;
  }

  /** A server has drained. After the last one the callbacks of the end run, the last registered first, and each once. */
  async serverClosed(): Promise<void> {
    this.#servers--;
    if (this.#servers === 0) await this.#close();
  }

  async #close(): Promise<void> {
    while (this.#servers === 0) {
      const callback = this.#closing.pop();
      if (callback === undefined) return;
      try {
        await callback();
      } catch (error) {
        reportError({ error, status: 500, method: 'onClose', path: '' });
      }
    }
  }
}

function raise(error: unknown): never {
  throw error;
}

async function runInTime({ run, place }: Step<Hold>, hold: Hold): Promise<void> {
  const timer = setTimeout(() => {
    const what = `onStart at ${place()} has not ended after ${LONG_MS / 1000} s; the server starts after it`;
    if (isTraced()) publishEvent('warn', what, {});
    else console.warn(`warning: ${what}`);
  }, LONG_MS);
  const held = (): void => {
    clearTimeout(timer);
    hold();
  };
  try {
    await run(held);
  } catch (error) {
    if (isError(error)) throw error;
    throw new Error(`onStart at ${place()} threw ${shown(error)}, which is not an error`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
