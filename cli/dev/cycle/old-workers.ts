// Workers that were retired or given up, until they have exited: they may hold what their successor needs.
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerProcess } from '../../process/worker-process.js';

/** How long requests to an old worker may take that has to end before its successor starts, in milliseconds. */
const EXCLUSIVE_LIMIT = 5000;

/** How long after the end of an old worker a failure may still be for it, in milliseconds. */
const RECENT = 1000;

export class OldWorkers {
  readonly #ending = new Set<WorkerProcess>();
  readonly #live: () => WorkerProcess | undefined;
  /** The worker that was booted last. */
  #newest: WorkerProcess | undefined;
  #began = 0;
  #lastExit = Number.NEGATIVE_INFINITY;

  /** @param live gives the worker that answers now */
  constructor(live: () => WorkerProcess | undefined) {
    this.#live = live;
  }

  get any(): boolean {
    return this.#ending.size > 0;
  }

  /** A worker boots, beside those that there are. */
  boots(worker: WorkerProcess): void {
    this.#newest = worker;
    this.#began = performance.now();
  }

  /** True if the worker that was booted last is beside another one, or was until just now. */
  get wereBeside(): boolean {
    const live = this.#live();
    if (this.any || (live !== undefined && live !== this.#newest)) return true;
    return this.#lastExit > this.#began && performance.now() - this.#lastExit < RECENT;
  }

  add(worker: WorkerProcess): void {
    this.#ending.add(worker);
    void worker.exited.then(() => {
      this.#ending.delete(worker);
      this.#lastExit = performance.now();
      const live = this.#live();
      if (!this.any && (!live || live === this.#newest)) this.#newest?.send({ fw: 'alone' });
    });
  }

  kill(worker: WorkerProcess): void {
    this.add(worker);
    worker.kill();
  }

  killAll(): void {
    for (const worker of this.#ending) worker.kill();
  }

  /** Makes the worker, if there is one, finish its requests and exit; settles when no old worker is left. */
  async end(worker: WorkerProcess | undefined): Promise<void> {
    if (worker) {
      this.add(worker);
      void worker.retire();
    }
    const gone = Promise.all([...this.#ending].map((one) => one.exited));
    const limit = new AbortController();
    const late = delay(EXCLUSIVE_LIMIT, undefined, { signal: limit.signal }).catch(() => {});
    await Promise.race([gone, late]);
    limit.abort();
    this.killAll();
    await gone;
  }
}
