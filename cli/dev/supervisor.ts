// The cycle: a change → build → boot in a warm worker → swap; whatever fails, the last good worker answers.
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slow, watchBoot } from './boot-watch.js';
import { buildErrorFiles } from './build-error-files.js';
import type { BuildResult, Bundle, Bundler } from './bundler.js';
import { type Change, isBurst, merge } from './change.js';
import { bootFailure, buildFailure, crashFailure } from './failure-text.js';
import { createFallback } from './fallback.js';
import { fingerprint } from './file-stamps.js';
import { follow, type Generated, type Generating } from './generating.js';
import { createInterruption, createPatience, type Interruption } from './interruption.js';
import type { Listener } from './listener.js';
import type { Reporter } from './report.js';
import { createWarmPool, type WarmPool } from './warm-pool.js';
import type { BootResult, FailedBoot, WorkerOptions, WorkerProcess } from './worker-process.js';

export interface SupervisorOptions {
  root: string;
  /** The source file that the app starts with; asked anew for every cycle, as are the host names. */
  entry(): string;
  /** Where bundles are written. */
  outDir: string;
  listener: Listener;
  bundler: Bundler;
  allowedHosts(): string[];
  /** Read anew for every process, so that a changed .env counts. */
  workerOptions(): WorkerOptions;
  reporter: Reporter;
  /** Keeps a warm process ready for the next change. */
  warm: boolean;
  onBundle?(bundle: Bundle): void;
  /** A build failed: a change of these files may mend it. */
  onFailedBuild?(files: string[]): void;
  /** Begins to generate what belongs to the change; new code takes traffic only after that. */
  generate?(change: Change): Generating | undefined;
  /** A worker that crashed after this long was sound and is started again at once: 1,000 milliseconds. */
  soundAfter?: number;
  /** A new worker answers. */
  onReady?(): void;
}

export interface Supervisor {
  /** At the first sign of a change: hold new connections until `change` or `expectNothing`. */
  expectChange(): void;
  expectNothing(): void;
  change(change: Change): void;
  /** Settles when no cycle is under way. */
  idle(): Promise<void>;
  readonly live: WorkerProcess | undefined;
  close(grace: number): Promise<void>;
}

/** How long a failed build waits for the second half of a write before it is reported. */
const failureGrace = 30;
/** The same, and for a failed boot too, after files that seldom change alone. */
const burstGrace = 300;
/** One for the next change, one for the change that comes before another is ready: a formatter's after a save. */
const spares = 2;
/** Time for the first answers of new code before the next process is started, in milliseconds. */
const settleTime = 15;

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { root, listener, bundler, reporter, soundAfter = 1000 } = options;
  const address = listener.address;
  const entryName = (): string => relative(root, options.entry());
  const pool: WarmPool = createWarmPool(options.outDir, options.workerOptions, options.warm ? spares : 0);
  const fallback = createFallback(address, options.allowedHosts, () => failure);
  const ending = new Set<WorkerProcess>();
  let failure = 'fw dev is starting.\n';
  let live: WorkerProcess | undefined;
  let liveSince = 0;
  let good: Bundle | undefined;
  let pending: Change | undefined;
  let current: Interruption | undefined;
  const patience = createPatience();
  let cycling: Promise<void> | undefined;
  let closed = false;

  function change(next: Change): void {
    if (closed) return;
    pending = merge(pending, next);
    current?.leave(next.atOnce ? 0 : patience.due);
    cycling ??= cycles().finally(() => {
      cycling = undefined;
    });
  }

  async function cycles(): Promise<void> {
    while (pending && !closed) {
      const next = pending;
      pending = undefined;
      hold();
      current = createInterruption();
      await cycle(next, current);
      current.done();
    }
    current = undefined;
    release();
    // Not at once: the first answers of the new code come first.
    setTimeout(() => pool.prepare(good), settleTime);
  }

  const hold = (): void => listener.pointTo(undefined);
  const release = (): void => listener.pointTo(live ?? fallback);

  async function cycle(change: Change, step: Interruption): Promise<void> {
    const cycleStart = performance.now();
    if (change.environment) {
      pool.drop();
      await bundler.reset();
    }
    const generated = follow(options.generate?.(change));
    const buildStart = performance.now();
    const bundle = change.rebuild || !good ? await build(change, generated, step) : good;
    if (!bundle || closed) return;
    const bootStart = performance.now();
    const waitedForBuild = generated.waited;
    const worker = await take(bundle, step);
    const result = worker && (await step.unlessLeft(boot(worker, bundle)));
    const isBehind = result && (await step.unlessLeft(generated.isAhead()));
    if (!worker || !result || isBehind === undefined || closed) return cutShort(worker, bundle, change);
    if (isBehind) return abandon(worker, bundle, { ...change, files: generated.sources, rebuild: true });
    if (!result.ready && isBurst(change)) await step.unlessLeft(delay(burstGrace));
    if (!result.ready && pending) return cutShort(worker, bundle, change);
    patience.finished(performance.now() - cycleStart);
    if (!result.ready) return bootFailed(result, bundle);
    await swap(worker, bundle);
    const end = performance.now();
    reporter.cycle(change.what, {
      build: Math.round(bootStart - buildStart - waitedForBuild),
      boot: Math.round(end - bootStart - (generated.waited - waitedForBuild)),
      wait: Math.round(generated.waited),
      total: Math.round(end - change.began),
    });
    options.onReady?.();
  }

  /** Undefined when the cycle is left meanwhile: packages that hang are waited for here. */
  async function take(bundle: Bundle, step: Interruption): Promise<WorkerProcess | undefined> {
    if (step.isLeft) return undefined;
    const taking = pool.take(bundle);
    const worker = await step.unlessLeft(taking);
    if (!worker) void taking.then(endNow);
    return worker;
  }

  /** Undefined when it failed, or when newer changes made it pointless. */
  async function build(
    change: Change,
    generated: Generated,
    step: Interruption,
  ): Promise<Bundle | undefined> {
    let result: BuildResult;
    let before: string;
    // A file that was written while it was read gives a build of neither version.
    do {
      before = fingerprint(change.files);
      generated.mark();
      result = await bundler.build(change.files);
    } while (!closed && !pending && before !== fingerprint(change.files));
    if (await generated.isAheadSoon()) {
      if (result.ok) bundler.discard(result.bundle);
      generated.mark();
      result = await bundler.build(generated.sources);
    }
    if (!result.ok) {
      await step.unlessLeft(delay(isBurst(change) ? burstGrace : failureGrace));
      if (pending || before !== fingerprint(change.files)) {
        pending = merge(change, pending ?? change);
        return undefined;
      }
      options.onFailedBuild?.(buildErrorFiles(result.errors, root));
      failure = buildFailure(result.errors);
      reporter.buildFailed(change.what, result.errors, live !== undefined);
      return undefined;
    }
    for (const warning of result.warnings) reporter.warn(warning.text);
    options.onBundle?.(result.bundle);
    return result.bundle;
  }

  function boot(worker: WorkerProcess, bundle: Bundle): Promise<BootResult> {
    worker.onReturned = listener.takeBack;
    const booted = worker.boot({
      fw: 'boot',
      bundle: bundle.file,
      entry: options.entry(),
      address,
      allowedHosts: options.allowedHosts(),
      replacing: live !== undefined || ending.size > 0,
    });
    return watchBoot(booted, {
      onLong: () => pool.prepare(good ?? bundle),
      onSlow() {
        if (!live) failure = `${entryName()} has not called listen yet.\n`;
        reporter.note(`${entryName()} has not called listen for ${slow / 1000} s, still waiting`);
        release();
      },
    });
  }

  /** A newer change, or the end, made it pointless. */
  function cutShort(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    patience.cutShort();
    // How long a boot hung is not what the newer change took.
    abandon(worker, bundle, pending ? { ...change, began: pending.began } : change);
  }

  /** Ends what was booted, and takes its change up again together with the newer ones. */
  function abandon(worker: WorkerProcess | undefined, bundle: Bundle, change: Change): void {
    if (worker) endNow(worker);
    if (bundle !== good) bundler.discard(bundle);
    pending = pending ? merge(change, pending) : change;
  }

  /** Until it is gone it may hold ports that its successor asks for. */
  function endNow(worker: WorkerProcess): void {
    ending.add(worker);
    void worker.exited.then(() => ending.delete(worker));
    worker.kill();
  }

  function bootFailed(result: FailedBoot, bundle: Bundle): void {
    const reason = bootFailure(result, entryName(), root);
    failure = `The app failed to start.\n\n${reason}\n`;
    const headline = result.error ? `${entryName()} failed to start` : reason;
    const consequence = live ? 'the last good version keeps answering' : 'waiting for a change';
    reporter.appFailed(headline, result.error, consequence);
    if (bundle !== good) bundler.discard(bundle);
  }

  async function swap(worker: WorkerProcess, bundle: Bundle): Promise<void> {
    const previous = live;
    live = worker;
    liveSince = performance.now();
    void worker.exited.then((exit) => {
      if (live === worker) crashed(worker, exit);
    });
    // Only now the new code may answer: what reaches the old one from here on would be stale.
    if (previous) {
      ending.add(previous);
      void previous.exited.then(() => ending.delete(previous));
      await previous.retire();
    }
    if (live === worker) listener.pointTo(worker);
    if (good && good !== bundle) bundler.discard(good);
    good = bundle;
  }

  function crashed(worker: WorkerProcess, exit: string): void {
    live = undefined;
    if (closed) return;
    if (!cycling) hold();
    const again = performance.now() - liveSince >= soundAfter;
    const error = worker.lastError;
    failure = crashFailure(exit, error, root);
    reporter.appFailed(
      error ? 'the app crashed' : `the app ${exit}`,
      error,
      again ? 'starting it again' : 'it crashed right after its start: waiting for a change',
    );
    if (again)
      change({ what: 'restarted', files: [], rebuild: false, environment: false, began: performance.now() });
    else if (!cycling) release();
  }

  async function close(grace: number): Promise<void> {
    closed = true;
    current?.leave();
    listener.close();
    fallback.close();
    pool.close();
    for (const worker of ending) worker.kill();
    await live?.stop(grace);
    await cycling;
  }

  return {
    expectChange: () => {
      if (!closed) hold();
    },
    expectNothing: () => {
      if (!closed && !cycling) release();
    },
    change,
    idle: async () => {
      await cycling;
    },
    get live() {
      return live;
    },
    close,
  };
}
