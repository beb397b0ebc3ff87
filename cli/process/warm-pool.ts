// A pool of processes that have already loaded the runtime and the app's packages.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bundle } from '../bundle/bundler.js';
import type { WorkerConfig } from './messages.js';
import { type WorkerOptions, WorkerProcess } from './worker-process.js';

/** How long the import of the packages is waited for, in milliseconds. */
const WARM_TIMEOUT = 5000;
/** Of all pools, which may share a folder. */
let started = 0;

export class WarmPool {
  readonly #options: () => WorkerOptions;
  readonly #config: (() => WorkerConfig) | undefined;
  readonly #size: number;
  /** Its real path, as Node knows modules by theirs. */
  readonly #outDir: string;
  readonly #first: WorkerProcess;
  /** Packages with side effects on import: they and all packages after them are not loaded ahead of time. */
  readonly #unsafe = new Set<string>();
  /** URLs of modules that the app imports late, and that are loaded after its packages. */
  #drivers: readonly string[] = [];
  #spares: WorkerProcess[];
  #isClosed = false;
  /** Processes fail to start; none is started ahead of time until the next change. */
  #isBroken = false;
  #preparing: NodeJS.Timeout | undefined;

  /**
   * @param size how many processes are kept ready; the first one starts at once in any case
   * @param config for processes that prepare themselves; if it changes, call `drop`
   */
  constructor(outDir: string, options: () => WorkerOptions, size: number, config?: () => WorkerConfig) {
    this.#options = options;
    this.#config = config;
    this.#size = size;
    this.#outDir = realpathSync(outDir);
    // It has nothing to load yet, but starts while the first build runs.
    this.#first = this.#start();
    this.#spares = [this.#first];
  }

  /** How many processes can be taken without waiting. */
  get ready(): number {
    const isReady = (spare: WorkerProcess) =>
      spare.alive && spare.isWarm && spare.warmth.unsafe === undefined;
    return this.#spares.filter(isReady).length;
  }

  /** A warm process if one fits the bundle, else a new one. */
  async take(bundle: Bundle): Promise<WorkerProcess> {
    // If the first process exited by itself before it had an order, the next one would fail in the same way.
    if (this.#spares.includes(this.#first) && this.#first.exit?.startsWith('exited')) {
      this.#kill();
      this.#isBroken = true;
      return this.#first;
    }
    this.#isBroken = false;
    this.#spares = this.#spares.filter((spare) => spare.alive);
    const worker = this.#next;
    if (!worker) return this.#start();
    this.#spares.splice(this.#spares.indexOf(worker), 1);
    if (!worker.isWarm) worker.send({ fw: 'hurry' });
    await Promise.race([worker.warming, delay(WARM_TIMEOUT, undefined, { ref: false })]);
    if (worker.isWarm && this.#fits(worker, bundle)) return worker;
    worker.kill();
    return this.#start();
  }

  get #next(): WorkerProcess | undefined {
    return this.#spares.find((spare) => spare.isWarm) ?? this.#spares[0];
  }

  #fits({ alive, warmth }: WorkerProcess, bundle: Bundle): boolean {
    const known = [...bundle.packages, ...this.#drivers];
    return alive && warmth.unsafe === undefined && warmth.loaded.every((name) => known.includes(name));
  }

  /** Loads the packages of a bundle, which is needed soon, into the process that was started at once. */
  warmFirst(bundle: Bundle): void {
    const first = this.#first;
    if (!this.#spares.includes(first)) return;
    first.warm(bundle.packages, true);
    void first.warming.then(() => {
      if (!this.#spares.includes(first) || (first.alive && first.warmth.unsafe === undefined)) return;
      // The bundle needs another process, which starts now.
      first.kill();
      this.#spares = [this.#start()];
    });
  }

  /** URLs of modules to load after the packages, for the app will import them. */
  set drivers(urls: readonly string[]) {
    this.#drivers = urls;
  }

  /**
   * Calls `prepare`, unless `prepareNothing` is called before.
   * @param pause before that, in milliseconds
   */
  prepareLater(last: Bundle | undefined, pause: number): void {
    this.prepareNothing();
    this.#preparing = setTimeout(() => this.prepare(last), pause).unref();
  }

  prepareNothing(): void {
    clearTimeout(this.#preparing);
  }

  /** Starts the processes that are missing for the next bundles, one after the other. */
  prepare(last: Bundle | undefined): void {
    if (this.#isClosed || this.#isBroken || this.#spares.length >= this.#size) return;
    if (this.#spares.some((spare) => spare.alive && !spare.isWarm)) return;
    const packages = last ? [...last.packages, ...this.#drivers] : [];
    const firstUnsafe = packages.findIndex((name) => this.#unsafe.has(name));
    const worker = this.#start();
    this.#spares.push(worker);
    worker.warm(firstUnsafe === -1 ? packages : packages.slice(0, firstUnsafe));
    void worker.warming.then(() => this.#warmed(worker, last));
  }

  /** Ends all warm processes, because the environment that they were started in has changed. */
  drop(): void {
    this.#unsafe.clear();
    this.#drivers = [];
    this.#kill();
  }

  close(): void {
    this.#isClosed = true;
    this.#kill();
  }

  #warmed(worker: WorkerProcess, last: Bundle | undefined): void {
    const { unsafe } = worker.warmth;
    if (unsafe !== undefined) {
      this.#unsafe.add(unsafe);
      if (!this.#spares.includes(worker)) return;
      this.#kill();
    }
    if (unsafe === undefined && worker.alive && this.#config) worker.prepare(this.#config());
    // Otherwise a package that ends its process would be tried again forever.
    if (unsafe !== undefined || worker.alive) this.prepare(last);
  }

  #start(): WorkerProcess {
    started += 1;
    return new WorkerProcess(this.#options(), join(this.#outDir, `run.${started}.mjs`));
  }

  #kill(): void {
    for (const spare of this.#spares) spare.kill();
    this.#spares = [];
  }
}
