// The reload cycle: a change → build → boot in a warm worker → swap. After a failure, the last good worker answers.
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from 'esbuild';
import { buildErrorFiles } from '../bundle/build-error-files.js';
import type { BuildResult, Bundle } from '../bundle/bundler.js';
import { fingerprint } from '../files/file-stamps.js';
import type { WarmPool } from '../process/warm-pool.js';
import type { BootResult, FailedBoot, WorkerProcess } from '../process/worker-process.js';
import { type Change, isBurst, merge } from '../watch/change.js';
import { Interruption, Patience } from '../watch/interruption.js';
import { slow, watchBoot } from './boot-watch.js';
import { follow, type Generated } from './client/generating.js';
import { CycleTimes } from './cycle-times.js';
import { bootFailure, buildFailure, crashFailure } from './failure-text.js';
import { Fallback } from './fallback.js';
import { restartOfCrashed } from './own-changes.js';
import { bootOrder, type SupervisorOptions, warmPoolOf } from './supervisor-options.js';

/** How long a failed build waits for the second half of a write before it is reported, in milliseconds. */
const failureGrace = 30;
/** The same after a burst of changes, for a failed boot too. */
const burstGrace = 300;
/** The default of `SupervisorOptions.soundAfter`. */
const soundAfter = 1000;
/** Time for the first answers of new code before the next process is started, in milliseconds. */
const settleTime = 15;
/** The default of `SupervisorOptions.restTime`. */
const restTime = 300;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #pool: WarmPool;
  readonly #fallback: Fallback;
  readonly #patience = new Patience();
  /** Workers that were retired or killed and have not exited yet. */
  readonly #ending = new Set<WorkerProcess>();
  /** The body of a 503: why there is no version that could answer. */
  #failure = 'fw dev is starting.\n';
  #live: WorkerProcess | undefined;
  #liveSince = 0;
  /** The last bundle that booted. */
  #good: Bundle | undefined;
  #pending: Change | undefined;
  #current: Interruption | undefined;
  #cycling: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#pool = warmPoolOf(options);
    this.#fallback = new Fallback(
      options.listener.address,
      options.allowedHosts,
      () => this.#failure,
      options.workbench,
    );
  }

  get live(): WorkerProcess | undefined {
    return this.#live;
  }

  /** At the first sign of a change: holds new connections until `change` or `expectNothing`, and begins the build. */
  expectChange(file: string): void {
    if (this.#isClosed) return;
    this.#hold();
    void this.#options.bundler.begin(file).then((begun) => {
      if (begun?.ok && !this.#cycling) this.#pool.expect(begun.bundle, this.#options.entry());
    });
  }

  expectNothing(): void {
    if (!this.#isClosed && !this.#cycling) this.#release();
  }

  change(next: Change): void {
    if (this.#isClosed) return;
    this.#pending = merge(this.#pending, next);
    this.#current?.leave(next.atOnce ? 0 : this.#patience.due);
    this.#cycling ??= this.#cycles().finally(() => {
      this.#cycling = undefined;
    });
  }

  /** Settles when no cycle is running. */
  async idle(): Promise<void> {
    await this.#cycling;
  }

  async close(grace: number): Promise<void> {
    this.#isClosed = true;
    this.#current?.leave();
    this.#options.listener.close();
    this.#fallback.close();
    this.#pool.close();
    for (const worker of this.#ending) worker.kill();
    await this.#live?.stop(grace);
    await this.#cycling;
  }

  async #cycles(): Promise<void> {
    this.#options.workbench?.working(true);
    this.#pool.prepareNothing();
    while (this.#pending && !this.#isClosed) {
      const next = this.#pending;
      this.#pending = undefined;
      this.#hold();
      this.#current = new Interruption();
      await this.#cycle(next, this.#current);
      this.#current.done();
    }
    this.#current = undefined;
    this.#options.workbench?.working(false);
    this.#release();
    // Not at once: that would delay the first answers of the new code, or a change right after this one.
    this.#pool.prepareLater(this.#good, { settle: settleTime, rest: this.#options.restTime ?? restTime });
  }

  #hold(): void {
    this.#options.listener.pointTo(undefined);
  }

  #release(): void {
    this.#options.listener.pointTo(this.#live ?? this.#fallback);
  }

  async #cycle(change: Change, step: Interruption): Promise<void> {
    const times = new CycleTimes(change.began);
    if (change.environment) {
      this.#pool.drop();
      await this.#options.bundler.reset();
    }
    const generated = follow(this.#options.generate?.(change));
    times.buildBegins();
    const bundle = change.rebuild || !this.#good ? await this.#build(change, generated, step) : this.#good;
    if (!bundle || this.#isClosed) return;
    times.bootBegins(generated.waited);
    const worker = await this.#take(bundle, step);
    const result = worker && (await step.unlessLeft(this.#boot(worker, bundle)));
    const isBehind = result && (await step.unlessLeft(generated.isAhead()));
    if (!worker || !result || isBehind === undefined || this.#isClosed)
      return this.#cutShort(worker, bundle, change);
    if (isBehind)
      return this.#abandon(worker, bundle, { ...change, files: generated.sources, rebuild: true });
    if (!result.ready && result.isUnlinked) {
      this.#options.bundler.distrustModules();
      return this.#abandon(worker, bundle, { ...change, rebuild: true });
    }
    if (!result.ready && isBurst(change)) await step.unlessLeft(delay(burstGrace));
    if (!result.ready && this.#pending) return this.#cutShort(worker, bundle, change);
    this.#patience.finished(times.taken);
    if (!result.ready) return this.#bootFailed(result, bundle);
    await this.#swap(worker, bundle);
    this.#options.report.cycle(change.what, times.ended(generated.waited));
    this.#options.onReady?.();
  }

  /** Undefined if the cycle is abandoned meanwhile, for example because a package hangs while it is loaded. */
  async #take(bundle: Bundle, step: Interruption): Promise<WorkerProcess | undefined> {
    if (step.isLeft) return undefined;
    const taking = this.#pool.take(bundle);
    const worker = await step.unlessLeft(taking);
    if (!worker) void taking.then((late) => this.#endNow(late));
    return worker;
  }

  /** Undefined if the build failed, or if newer changes made it pointless. */
  async #build(change: Change, generated: Generated, step: Interruption): Promise<Bundle | undefined> {
    const { bundler, report } = this.#options;
    let result: BuildResult;
    let before: string;
    // If a file was written while it was read, the build contains neither version.
    do {
      before = fingerprint(change.files);
      generated.mark();
      result = await bundler.build(change.files, generated.sources);
    } while (!this.#isClosed && !this.#pending && before !== fingerprint(change.files));
    if (await generated.isAheadSoon()) {
      if (result.ok) bundler.discard(result.bundle);
      generated.mark();
      result = await bundler.build(generated.sources);
    }
    if (result.ok) {
      for (const warning of result.warnings) report.warn(warning.text);
      this.#options.onBundle?.(result.bundle);
      return result.bundle;
    }
    await step.unlessLeft(delay(isBurst(change) ? burstGrace : failureGrace));
    const isOutdated = this.#pending !== undefined || before !== fingerprint(change.files);
    if (isOutdated) this.#pending = merge(change, this.#pending ?? change);
    else this.#buildFailed(change, result.errors);
    return undefined;
  }

  #buildFailed(change: Change, errors: Message[]): void {
    this.#options.onFailedBuild?.(buildErrorFiles(errors, this.#options.root));
    this.#failure = buildFailure(errors);
    this.#options.report.buildFailed(change.what, errors, this.#live !== undefined);
  }

  #boot(worker: WorkerProcess, bundle: Bundle): Promise<BootResult> {
    const { listener, report, workbench, frontend } = this.#options;
    worker.onReturned = (socket) => listener.takeBack(socket);
    workbench?.follow(worker);
    frontend?.follow(worker);
    const replacing = this.#live !== undefined || this.#ending.size > 0;
    return watchBoot(worker.boot(bootOrder(this.#options, bundle, replacing)), {
      onLong: () => this.#pool.prepare(this.#good ?? bundle),
      onSlow: () => {
        if (!this.#live) this.#failure = `${this.#entryName} has not called listen yet.\n`;
        report.note(`${this.#entryName} has not called listen for ${slow / 1000} s, still waiting`);
        this.#release();
      },
    });
  }

  get #entryName(): string {
    return relative(this.#options.root, this.#options.entry());
  }

  /** For a boot that a newer change, or the end of `fw dev`, made pointless. */
  #cutShort(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    this.#patience.cutShort();
    // The time that a boot hung must not count as time of the newer change.
    this.#abandon(worker, bundle, this.#pending ? { ...change, began: this.#pending.began } : change);
  }

  /** Ends the worker, and merges its change with the newer ones. */
  #abandon(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    if (worker) this.#endNow(worker);
    if (bundle !== this.#good) this.#options.bundler.discard(bundle);
    this.#pending = this.#pending ? merge(change, this.#pending) : change;
  }

  #endNow(worker: WorkerProcess): void {
    this.#awaitEnd(worker);
    worker.kill();
  }

  /** Until it has exited, it may hold ports that its successor needs. */
  #awaitEnd(worker: WorkerProcess): void {
    this.#ending.add(worker);
    void worker.exited.then(() => this.#ending.delete(worker));
  }

  #bootFailed(result: FailedBoot, bundle: Bundle): void {
    const { root, report, bundler } = this.#options;
    const reason = bootFailure(result, this.#entryName, root);
    this.#failure = `The app failed to start.\n\n${reason}\n`;
    const headline = result.error ? `${this.#entryName} failed to start` : reason;
    const consequence = this.#live ? 'the last good version keeps answering' : 'waiting for a change';
    report.appFailed(headline, result.error, consequence, this.#live !== undefined);
    if (bundle !== this.#good) bundler.discard(bundle);
  }

  async #swap(worker: WorkerProcess, bundle: Bundle): Promise<void> {
    const previous = this.#live;
    this.#live = worker;
    this.#options.bundler.started(bundle);
    this.#pool.drivers = worker.drivers;
    this.#options.workbench?.answersFrom(worker);
    this.#liveSince = performance.now();
    void worker.exited.then((exit) => {
      if (this.#live === worker) this.#crashed(worker, exit);
    });
    // Before the old process is told to retire: it wakes up at once, and the connections would be sent later.
    this.#options.listener.pointTo(worker);
    // The new code answers from now on: the old code must not get any further request.
    const retired = previous?.retire();
    if (previous) this.#awaitEnd(previous);
    if (retired) worker.readAfter(retired);
    await retired;
    if (this.#good && this.#good !== bundle) this.#options.bundler.discard(this.#good);
    this.#good = bundle;
  }

  #crashed(worker: WorkerProcess, exit: string): void {
    this.#live = undefined;
    this.#options.workbench?.answersFrom(undefined);
    if (this.#isClosed) return;
    if (!this.#cycling) this.#hold();
    const again = performance.now() - this.#liveSince >= (this.#options.soundAfter ?? soundAfter);
    const error = worker.lastError;
    this.#failure = crashFailure(exit, error, this.#options.root);
    this.#options.report.appFailed(
      error ? 'the app crashed' : `the app ${exit}`,
      error,
      again ? 'starting it again' : 'it crashed right after its start: waiting for a change',
      false,
    );
    if (again) this.change(restartOfCrashed());
    else if (!this.#cycling) this.#release();
  }
}
