// Several processes behind one port: each does the work, and the one that started them watches, replaces those that die and
// drains them at the end.
import cluster, { type Worker } from 'node:cluster';
import { checkOptions, checkValue } from '../options/check.js';
import { callback, milliseconds, objectWith, type Rules, whole } from '../options/rules.js';
import { shutdownSignal } from '../runtime/node/shutdown-signal.js';
import { log } from '../tracing/log.js';

export interface RunWorkersOptions {
  /** Runs in the process that watches the workers, such as a `MetricsServer`; never with one process. */
  primary?: { start(): Promise<void>; close(): Promise<void> };
  /** How long a worker may take to drain before it is killed, in milliseconds; 60,000 by default. */
  drainTimeoutMs?: number;
}

const OPTIONS: Rules<RunWorkersOptions> = {
  primary: objectWith(['start', 'close'], 'an object with the methods start and close'),
  drainTimeoutMs: milliseconds(0),
};

/** What a worker gets from the process that started it. */
const DRAIN = 'fw:drain';

/** A worker that dies is replaced after this time, and after twice as long each time that it dies soon again. */
const RESTART_MS = 1000;
const LONGEST_RESTART_MS = 30_000;

/**
 * Runs a program in several processes, which share its port; with one process, or in development, in this one.
 *
 * ```ts
 * await runWorkers(4, async (shutdown) => {
 *   const app = await createApp();
 *   await app.listenWithShutdown('0.0.0.0:3000', shutdown);
 * });
 * ```
 *
 * A worker that dies is replaced. On Ctrl+C, SIGTERM or SIGHUP all of them drain, and the result resolves when they have ended. If
 * the program fails, its error is logged, and the process exits with 1; so it does if a worker ends before one of them
 * listens, since what keeps it from starting does not go away by itself.
 *
 * Each worker accepts connections itself. Linux spreads them evenly; macOS and Windows give most of them to few workers.
 *
 * @param count how many processes, from 1 on; one for each processor is usual. `NODE_ENV=development` makes it 1, because
 *   `fw dev` runs and replaces a process of its own
 * @param program serves until `shutdown` resolves, and resolves when it has ended
 * @throws ConfigError if an argument is something else
 */
export async function runWorkers(
  count: number,
  program: (shutdown: Promise<void>) => Promise<unknown>,
  options: RunWorkersOptions = {},
): Promise<void> {
  checkValue('runWorkers', 'the number of processes', count, whole(1, 1024));
  checkValue('runWorkers', 'the program', program, callback('a function, such as (shutdown) => …'));
  checkOptions('runWorkers', options, OPTIONS);
  // From here on: the first process of a container ignores signals that nobody handles.
  const signal = shutdownSignal().then(() => {});
  if (cluster.isWorker) {
    await runOrExit(() => program(Promise.race([signal, drainRequested()])));
    // Its connection to the process that started it would keep this one alive.
    cluster.worker?.disconnect();
  } else if (count === 1 || process.env.NODE_ENV === 'development') {
    await runOrExit(() => program(signal));
  } else {
    const { primary, drainTimeoutMs = 60_000 } = options;
    log.info('starting workers', { workers: count });
    await runOrExit(async () => {
      await primary?.start();
      try {
        await new Workers(drainTimeoutMs).run(count, signal);
      } finally {
        await primary?.close();
      }
    });
  }
}

async function runOrExit(program: () => Promise<unknown>): Promise<void> {
  try {
    await program();
  } catch (error) {
    log.fatal(
      { err: error },
      `the app has failed: ${error instanceof Error ? error.message : String(error)}`,
    );
    // Connections that were opened before would keep it alive.
    process.exit(1);
  }
}

/** Resolves when the process that started this one wants it to drain. */
function drainRequested(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => {
      if (message === DRAIN) resolve();
    });
  });
}

class Workers {
  readonly #drainTimeoutMs: number;
  #isDraining = false;
  #restartMs = RESTART_MS;
  readonly #restarts = new Set<NodeJS.Timeout>();

  constructor(drainTimeoutMs: number) {
    this.#drainTimeoutMs = drainTimeoutMs;
  }

  /** @throws Error if a worker ends before one of them listens */
  async run(count: number, until: Promise<unknown>): Promise<void> {
    // By default Node accepts connections here and hands them over: those on their way to a worker that dies would never
    // be answered nor closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    let failed: (error: Error) => void = () => {};
    const failure = new Promise<never>((_resolve, reject) => {
      failed = reject;
    });
    let hasStarted = false;
    const listening = (): void => {
      hasStarted = true;
    };
    const exited = (worker: Worker, code: number | null, signal: string | null): void => {
      if (this.#isDraining) return;
      if (hasStarted) this.#replace(worker, code, signal);
      else
        failed(new Error(`a worker has ended with ${signal ?? code} before it listened; its log says why`));
    };
    cluster.on('listening', listening).on('exit', exited);
    for (let number = 0; number < count; number++) start();
    try {
      await Promise.race([until, failure]);
    } finally {
      this.#isDraining = true;
      for (const restart of this.#restarts) clearTimeout(restart);
      await Promise.all(livingWorkers().map((worker) => this.#end(worker)));
      cluster.off('listening', listening).off('exit', exited);
    }
  }

  /** Not at once: a worker that dies while it starts must not keep the machine busy. */
  #replace(worker: Worker, code: number | null, signal: string | null): void {
    const restartInMs = this.#restartMs;
    log.error('a worker has ended; another one replaces it', {
      worker: worker.process.pid,
      code,
      signal,
      restartInMs,
    });
    this.#restartMs = Math.min(restartInMs * 2, LONGEST_RESTART_MS);
    const restart = setTimeout(() => {
      this.#restarts.delete(restart);
      const replacement = start();
      // One that lives for a while has started.
      const calm = setTimeout(() => {
        this.#restartMs = RESTART_MS;
      }, LONGEST_RESTART_MS).unref();
      replacement.once('exit', () => clearTimeout(calm));
    }, restartInMs);
    this.#restarts.add(restart);
  }

  /** By a message: Ctrl+C sends its signal to all processes of a terminal, and a second one would end them at once. */
  async #end(worker: Worker): Promise<void> {
    const exit = new Promise<void>((resolve) => {
      worker.once('exit', () => resolve());
    });
    if (worker.isConnected()) worker.send(DRAIN);
    const late = setTimeout(() => {
      log.error('a worker did not drain in time, and is killed', { worker: worker.process.pid });
      worker.process.kill('SIGKILL');
    }, this.#drainTimeoutMs);
    await exit;
    clearTimeout(late);
  }
}

function start(): Worker {
  // One that has just died cannot get a message: its exit comes next.
  return cluster.fork().on('error', (err) => log.error({ err }, 'a message to a worker was lost'));
}

function livingWorkers(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((worker) =>
    worker === undefined || worker.isDead() ? [] : [worker],
  );
}
