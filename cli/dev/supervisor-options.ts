// What the cycle of `fw dev` works with.
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import type { Bundle, Bundler } from '../bundle/bundler.js';
import type { BootOrder, FromWorker, WorkerConfig } from '../process/messages.js';
import { WarmPool } from '../process/warm-pool.js';
import type { WorkerOptions, WorkerProcess } from '../process/worker-process.js';
import type { Change } from '../watch/change.js';
import type { Generating } from './client/generating.js';
import type { RunMode } from './cycle/run-mode.js';
import type { Frontend } from './frontend/frontend.js';
import type { Listener } from './listener.js';
import type { DevReport } from './report/dev-report.js';
import type { Workbench } from './workbench/workbench.js';

export interface SupervisorOptions {
  root: AbsolutePath;
  /** The source file that the app starts with; called for every cycle, as `allowedHosts` is. */
  entry(): AbsolutePath;
  mode: RunMode;
  /** The arguments of the app. */
  args?: readonly string[];
  /** Where bundles are written. */
  outDir: string;
  listener: Listener;
  bundler: Bundler;
  allowedHosts(): string[];
  /** Called for every process, so that changes of .env take effect. */
  workerOptions(): WorkerOptions;
  report: DevReport;
  /** The page about the app; there may be none. */
  workbench?: Workbench;
  /** The dev server of the frontend; there may be none. */
  frontend?: Frontend | undefined;
  /** Whether the old process ends before the new one starts; called for every cycle. */
  exclusive?(): boolean;
  /** Keeps a warm process ready for the next change. */
  warm: boolean;
  onBundle?(bundle: Bundle): void;
  /** Sources that the app has loaded by itself. */
  onLoaded?(files: string[]): void;
  /** A build failed: a change of these files may fix it. */
  onFailedBuild?(files: AbsolutePath[]): void;
  /** What is the case with the migrations of the app. */
  onMigrations?(worker: WorkerProcess, news: FromWorker & { fw: 'migrations' }): void;
  /** Starts the generation for a change; new code answers only after that. */
  generate?(change: Change): Generating | undefined;
  /** A worker that crashes after at least this many milliseconds is started again at once; 1000 by default. */
  soundAfter?: number;
  /** When a build or a start counts as slow, in milliseconds; 10,000 by default. */
  slowAfter?: number;
  /** Called when a new worker answers. */
  onReady?(): void;
}

/** What workers know of `fw dev`. It changes only with the environment, after which new processes are started. */
function workerConfigOf(options: SupervisorOptions): WorkerConfig {
  const { listener, workbench, frontend } = options;
  return {
    entry: options.entry(),
    args: options.args ?? [],
    sourceFlags: options.mode.flags,
    address: listener.address,
    allowedHosts: options.allowedHosts(),
    ...(workbench && { workbench: workbench.order }),
    ...(frontend && { frontend: frontend.order }),
  };
}

export function bootOrder(
  options: SupervisorOptions,
  bundle: Bundle,
  { replacing, usualPort }: Pick<BootOrder, 'replacing' | 'usualPort'>,
): BootOrder {
  const { file, packages } = bundle;
  const order = { bundle: file, packages, replacing, usualPort, unbundled: !options.mode.isBundled };
  return { ...workerConfigOf(options), fw: 'boot', ...order };
}

export function warmPoolOf(options: SupervisorOptions): WarmPool {
  return new WarmPool(
    options.outDir,
    () => ({ ...options.workerOptions(), ...(!options.mode.isBundled && { flags: options.mode.flags }) }),
    options.warm ? 1 : 0,
    () => workerConfigOf(options),
  );
}
