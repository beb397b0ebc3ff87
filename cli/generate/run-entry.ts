// Runs the app's src/generate-client.ts in a separate process, with the output path as its first argument.
import { setTimeout as delay } from 'node:timers/promises';
import type { Bundle } from '../bundle/bundler.js';
import { readEnvironment } from '../process/environment.js';
import type { AppError } from '../process/messages.js';
import { packagedFile } from '../process/package-root.js';
import { WarmPool } from '../process/warm-pool.js';
import type { WorkerProcess } from '../process/worker-process.js';
import type { Cancellation } from '../watch/cancellation.js';
import { pendingClient } from './client-files.js';
import type { ClientSettings, GenerateSettings } from './generate-settings.js';

/** How long the program may run, in milliseconds; one that starts a server by mistake would never end. */
const LONGEST = 60_000;
/**
 * How long the next process waits before it is started, so that it does not slow down what uses the new client, in
 * milliseconds.
 */
const SETTLE_TIME = 40;
/** How long a program that is done may take to exit, in milliseconds. */
const GRACE = 1000;

export class EntryRunner {
  readonly #entry: string;
  readonly #pool: WarmPool;

  /** @param again whether a process is kept ready for the next run */
  constructor(
    { root, baseUrl, form }: GenerateSettings,
    { entry, files }: ClientSettings,
    outDir: string,
    again: boolean,
  ) {
    this.#entry = entry;
    const options = () => ({
      file: packagedFile('generate/entry-process'),
      cwd: root,
      env: {
        ...readEnvironment(root),
        ...(baseUrl !== undefined && { FW_BASE_URL: baseUrl }),
        ...(form !== undefined && { FW_CLIENT: form }),
        ...(files.declared !== undefined && { FW_DECLARATIONS: pendingClient(outDir) }),
      },
      inspect: false,
      preload: [],
    });
    this.#pool = new WarmPool(outDir, options, again ? 1 : 0);
  }

  /** Loads the packages of a bundle into the process for the first run, which is already started. */
  expect(bundle: Bundle): void {
    this.#pool.warmFirst(bundle);
  }

  /** The failure, if it failed; `cancelled` if it was cancelled for a newer change or the end of the command. */
  async run(bundle: Bundle, output: string, cancellation: Cancellation): Promise<AppError | undefined> {
    const taking = this.#pool.take(bundle);
    const worker = await cancellation.unlessCancelled(taking);
    if (!worker) {
      void taking.then((late) => late.kill());
      return cancelled;
    }
    const order = {
      fw: 'run',
      bundle: bundle.file,
      packages: bundle.packages,
      entry: this.#entry,
      output,
    } as const;
    const ended = cancellation.unlessCancelled(worker.boot(order));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      worker.kill();
    }, LONGEST);
    const result = await ended;
    clearTimeout(timer);
    if (!result) {
      worker.kill();
      this.#pool.prepare(bundle);
      return cancelled;
    }
    void this.#finish(worker, bundle);
    if (result.ready) return undefined;
    return result.error ?? { title: isLate ? late : endOf(result.exit), frames: [], details: '' };
  }

  async #finish(worker: WorkerProcess, bundle: Bundle): Promise<void> {
    await worker.stop(GRACE);
    await delay(SETTLE_TIME, undefined, { ref: false });
    this.#pool.prepare(bundle);
  }

  close(): void {
    this.#pool.close();
  }
}

/** The result of a program that was cancelled. */
export const cancelled: AppError = { title: 'it was cancelled for a newer change', frames: [], details: '' };

const late = `did not end within ${LONGEST / 1000} s; does it start the server? import only the registry`;

function endOf(exit: string): string {
  return /^exited/.test(exit) ? `it ${exit} before it was done` : `it ${exit}`;
}
