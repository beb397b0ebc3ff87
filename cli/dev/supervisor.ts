// The reload cycle: a change → build → boot in a warm worker → swap. After a failure, the last good worker answers.
import { setTimeout as delay } from 'node:timers/promises';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import type { BuildResult, Bundle } from '../bundle/bundler.js';
import { fingerprint } from '../files/file-stamps.js';
import type { WarmPool } from '../process/warm-pool.js';
import type { BootResult, FailedBoot, WorkerProcess } from '../process/worker-process.js';
import { Cancellation, CancelTiming } from '../watch/cancellation.js';
import { type Change, isBurst, merge } from '../watch/change.js';
import { follow, type Generated } from './client/generating.js';
import { watchLong } from './cycle/boot-watch.js';
import { BuiltTexts } from './cycle/built-texts.js';
import { EXCLUSIVE_NOTICE, Exclusive } from './cycle/exclusive.js';
import { Failures } from './cycle/failures.js';
import { Fallback } from './cycle/fallback.js';
import { OldWorkers } from './cycle/old-workers.js';
import { restartFromSources, restartOfCrashed, restartOfGood } from './cycle/own-changes.js';
import { CycleTimes } from './report/dev-report.js';
import { bootOrder, type SupervisorOptions, warmPoolOf } from './supervisor-options.js';

/** How long a failed build waits for the second half of a write before it is reported, in milliseconds. */
const FAILURE_GRACE = 30;
/** The same after a burst of changes, for a failed boot too. */
const BURST_GRACE = 300;
/** The default of `SupervisorOptions.soundAfter`. */
const SOUND_AFTER = 1000;
/** Time for the first answers of new code before the next process is started, in milliseconds. */
const SETTLE_TIME = 15;

/** A test or a type test, by its name. */
const TEST = /\.(?:test|spec)(?:-d)?\.[cm]?[jt]sx?$/;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #pool: WarmPool;
  readonly #fallback: Fallback;
  readonly #cancelTiming = new CancelTiming();
  readonly #texts = new BuiltTexts();
  readonly #exclusive: Exclusive;
  readonly #old = new OldWorkers(() => this.#live);
  readonly #failures: Failures;
  #live: WorkerProcess | undefined;
  #liveSince = 0;
  /** The old process ended before the start of the new one, and no other has started since. */
  #hasEndedOld = false;
  /** The port that the app named when it last started. */
  #appPort: number | undefined;
  /** The last bundle that booted. */
  #good: Bundle | undefined;
  #pending: Change | undefined;
  #cancellation: Cancellation | undefined;
  #cycling: Promise<void> | undefined;
  /** A source has changed since the last cycle began. */
  #isEdited = false;
  /** A build takes long, and the version before answers. */
  #isSlow = false;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#exclusive = new Exclusive(() => options.exclusive?.() ?? false);
    this.#failures = new Failures(options, [this.#texts, this.#exclusive]);
    this.#pool = warmPoolOf(options);
    this.#fallback = new Fallback(
      options.listener.address,
      options.allowedHosts,
      () => this.#failures.text,
      options.workbench,
    );
  }

  get live(): WorkerProcess | undefined {
    return this.#live;
  }

  /** At the first sign of a change: holds new connections until `change` or `expectNothing`, and begins the build. */
  expectChange(file: AbsolutePath): void {
    if (this.#isClosed) return;
    this.#hold();
    void this.#options.bundler.begin(file);
  }

  expectNothing(): void {
    if (!this.#isClosed && !this.#cycling) this.#release();
  }

  /** Whether a change of these files would start the app with the same code. */
  isUpToDate(files: readonly AbsolutePath[]): boolean {
    if (this.#texts.areSame(files)) return true;
    // The app does not import its tests.
    return files.every((file) => TEST.test(file) && !this.#options.bundler.hasInput(file));
  }

  change(next: Change): void {
    if (this.#isClosed) return;
    this.#pending = merge(this.#pending, next);
    this.#isEdited ||= next.files.length > 0;
    this.#cancellation?.cancel(next.atOnce ? 0 : this.#cancelTiming.delay);
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
    this.#cancellation?.cancel();
    this.#options.listener.close();
    this.#fallback.close();
    this.#pool.close();
    this.#old.killAll();
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
      this.#cancellation = new Cancellation();
      if (this.#isEdited && this.#options.mode.tryBundle()) this.#pool.drop();
      this.#isEdited = false;
      await this.#cycle(next, this.#cancellation);
      this.#cancellation.done();
    }
    this.#cancellation = undefined;
    this.#options.workbench?.working(false);
    this.#release();
    // Not at once: that would delay the first answers of the new code, or a change right after this one.
    this.#pool.prepareLater(this.#good, SETTLE_TIME);
  }

  #hold(): void {
    if (!this.#isSlow) this.#options.listener.pointTo(undefined);
  }

  #release(): void {
    this.#options.listener.pointTo(this.#live ?? this.#fallback);
  }

  async #cycle(change: Change, cancellation: Cancellation): Promise<void> {
    const times = new CycleTimes(change.began);
    this.#texts.begins();
    if (change.environment) {
      this.#pool.drop();
      await this.#options.bundler.reset();
    }
    const generated = follow(this.#options.generate?.(change));
    times.buildBegins();
    const bundle =
      change.rebuild || !this.#good
        ? await this.#inTime(this.#build(change, generated, cancellation))
        : this.#good;
    if (!bundle || this.#isClosed) return;
    times.bootBegins(generated.waited);
    const worker = await this.#take(bundle, cancellation);
    if (worker) await this.#endOld();
    const result = worker && (await cancellation.unlessCancelled(this.#boot(worker, bundle)));
    const isBehind = result && (await cancellation.unlessCancelled(generated.isAhead()));
    if (!worker || !result || isBehind === undefined || this.#isClosed)
      return this.#cutShort(worker, bundle, change);
    if (isBehind)
      return this.#abandon(worker, bundle, { ...change, files: generated.sources, rebuild: true });
    if (!result.ready && (worker.needsSources || this.#isBlocked(worker)))
      return this.#abandon(worker, bundle, { ...change, rebuild: bundle !== this.#good });
    if (!result.ready && isBurst(change)) await cancellation.unlessCancelled(delay(BURST_GRACE));
    if (!result.ready && this.#pending) return this.#cutShort(worker, bundle, change);
    this.#cancelTiming.finished(times.taken);
    if (!result.ready) return this.#bootFailed(result, bundle);
    this.#options.mode.appStarted();
    await this.#swap(worker, bundle);
    this.#options.report.cycle(change.what, times.ended(generated.waited));
    this.#options.onReady?.();
  }

  /** Undefined if the cycle is cancelled meanwhile, for example because a package hangs while it is loaded. */
  async #take(bundle: Bundle, cancellation: Cancellation): Promise<WorkerProcess | undefined> {
    if (cancellation.isCancelled) return undefined;
    const taking = this.#pool.take(bundle);
    const worker = await cancellation.unlessCancelled(taking);
    if (!worker) void taking.then((late) => this.#old.kill(late));
    return worker;
  }

  /** Undefined if the build failed, or if newer changes made it pointless. */
  async #build(
    change: Change,
    generated: Generated,
    cancellation: Cancellation,
  ): Promise<Bundle | undefined> {
    const { bundler, report } = this.#options;
    let result: BuildResult;
    let before: string;
    // If a file was written while it was read, the build contains neither version.
    do {
      before = fingerprint(change.files);
      generated.mark();
      result = await bundler.build(change.files);
    } while (!this.#isClosed && !this.#pending && before !== fingerprint(change.files));
    this.#texts.built(change.files, before);
    if (await generated.isAheadSoon()) {
      if (result.ok) bundler.discard(result.bundle);
      generated.mark();
      result = await bundler.build(generated.sources);
    }
    if (result.ok) {
      report.buildWarnings(result.warnings);
      this.#options.onBundle?.(result.bundle);
      return result.bundle;
    }
    await cancellation.unlessCancelled(delay(isBurst(change) ? BURST_GRACE : FAILURE_GRACE));
    const isOutdated = this.#pending !== undefined || before !== fingerprint(change.files);
    if (isOutdated) this.#pending = merge(change, this.#pending ?? change);
    else this.#failures.ofBuild(change.what, result.errors, this.#live !== undefined);
    return undefined;
  }

  #boot(worker: WorkerProcess, bundle: Bundle): Promise<BootResult> {
    const { listener, workbench, frontend } = this.#options;
    worker.onReturned = (socket) => listener.takeBack(socket);
    worker.onRunTimeFile = (file) => this.#runFromSources(worker, file, bundle);
    worker.onLoaded = (files) => this.#options.onLoaded?.(files);
    worker.onMigrations = (news) => this.#options.onMigrations?.(worker, news);
    workbench?.follow(worker);
    frontend?.follow(worker);
    this.#old.boots(worker);
    this.#appPort = this.#live?.appPort ?? this.#appPort;
    const facts = { replacing: this.#live !== undefined || this.#old.any, usualPort: this.#appPort };
    const booting = worker.boot(bootOrder(this.#options, bundle, facts));
    const steps = {
      onLong: () => this.#pool.prepare(this.#good ?? bundle),
      onSlow: () => {
        this.#failures.ofSlowBoot(this.#live !== undefined);
        this.#release();
      },
    };
    return watchLong(booting, steps, this.#options.slowAfter);
  }

  /** Requests do not wait for a build without end: the version before answers, if there is one, until it is over. */
  async #inTime(building: Promise<Bundle | undefined>): Promise<Bundle | undefined> {
    const onSlow = (): void => {
      if (!this.#live) return;
      this.#release();
      this.#isSlow = true;
      this.#failures.ofSlowBuild();
    };
    try {
      return await watchLong(building, { onSlow }, this.#options.slowAfter);
    } finally {
      this.#isSlow = false;
      this.#hold();
    }
  }

  /** The next start is without a bundle; the app that answers is replaced at once. */
  #runFromSources(worker: WorkerProcess, file: string, bundle: Bundle): void {
    const news = this.#options.mode.switchToSources(file, bundle.inputs, worker !== this.#live);
    if (news === undefined) return;
    this.#pool.drop();
    this.#options.report.note(news);
    if (worker === this.#live) this.change(restartFromSources());
  }

  /** For a boot that a newer change, or the end of `fw dev`, made pointless. */
  #cutShort(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    this.#cancelTiming.cancelled();
    // The time that a boot hung must not count as time of the newer change.
    this.#abandon(worker, bundle, this.#pending ? { ...change, began: this.#pending.began } : change);
  }

  /** Ends the worker, and merges its change with the newer ones. */
  #abandon(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    if (worker) this.#old.kill(worker);
    if (bundle !== this.#good) this.#options.bundler.discard(bundle);
    this.#pending = this.#pending ? merge(change, this.#pending) : change;
  }

  /** If the app cannot start beside its old process, that one ends; new connections wait in the listener. */
  async #endOld(): Promise<void> {
    const previous = this.#live;
    if (!this.#exclusive.isOn || (!previous && !this.#old.any)) return;
    this.#live = undefined;
    this.#hasEndedOld ||= previous !== undefined;
    this.#appPort = previous?.appPort ?? this.#appPort;
    this.#options.workbench?.answersFrom(undefined);
    await this.#old.end(previous);
  }

  /** True if the start may succeed once the old process has ended. */
  #isBlocked({ lastError, isHeld }: WorkerProcess): boolean {
    return this.#old.wereBeside && this.#exclusive.tryAfter(lastError, isHeld);
  }

  #bootFailed(result: FailedBoot, bundle: Bundle): void {
    const again = this.#hasEndedOld && this.#good !== undefined && this.#good !== bundle;
    this.#hasEndedOld = false;
    this.#failures.ofBoot(result, again ? 'before, again' : this.#live ? 'before' : 'none');
    if (again) this.#pending ??= restartOfGood();
    if (bundle !== this.#good) this.#options.bundler.discard(bundle);
  }

  async #swap(worker: WorkerProcess, bundle: Bundle): Promise<void> {
    const previous = this.#live;
    this.#live = worker;
    this.#hasEndedOld = false;
    this.#pool.drivers = worker.drivers;
    this.#options.workbench?.answersFrom(worker);
    this.#liveSince = performance.now();
    void worker.exited.then((exit) => {
      if (this.#live === worker) this.#crashed(worker, exit);
    });
    // Before the old process is told to retire: it wakes up at once, and the connections would be sent later.
    this.#options.listener.pointTo(worker);
    worker.send({ fw: 'current' });
    // The new code answers from now on: the old code must not get any further request.
    const retired = previous?.retire();
    if (previous) this.#old.add(previous);
    if (retired) worker.readAfter(retired);
    await retired;
    if (this.#good && this.#good !== bundle) this.#options.bundler.discard(this.#good);
    this.#good = bundle;
    if (this.#exclusive.started()) this.#options.report.note(EXCLUSIVE_NOTICE);
  }

  #crashed(worker: WorkerProcess, exit: string): void {
    this.#live = undefined;
    this.#options.workbench?.answersFrom(undefined);
    if (this.#isClosed) return;
    const isBlocked = worker.needsSources || this.#isBlocked(worker);
    const again = performance.now() - this.#liveSince >= (this.#options.soundAfter ?? SOUND_AFTER);
    if (!isBlocked) this.#failures.ofCrash(worker, exit, again);
    if (again || isBlocked) this.change(restartOfCrashed());
    else if (!this.#cycling) this.#release();
  }
}
