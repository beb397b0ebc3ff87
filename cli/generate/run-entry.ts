// Runs the app's generate-client in a process of its own, with the output path as its first argument.
import { setTimeout as delay } from 'node:timers/promises';
import type { Bundle } from '../dev/bundler.js';
import { readEnvironment } from '../dev/environment.js';
import type { Interruption } from '../dev/interruption.js';
import type { AppError } from '../dev/messages.js';
import { createWarmPool, type WarmPool } from '../dev/warm-pool.js';
import type { WorkerProcess } from '../dev/worker-process.js';
import { packagedFile } from '../ui/packaged-file.js';
import { pendingClient } from './client-files.js';
import type { GenerateSettings } from './settings.js';

/** Time for a registry to be built; a program that serves by mistake would never end. */
const longest = 60_000;
/** What has just changed is used first, before the next process is started, in milliseconds. */
const settleTime = 40;
/** How long a program that is done may take to end. */
const grace = 1000;

export class EntryRunner {
  readonly #entry: string;
  readonly #pool: WarmPool;

  /** @param again keeps a process ready for the next run. */
  constructor({ root, entry, baseUrl, files }: GenerateSettings, outDir: string, again: boolean) {
    this.#entry = entry;
    const options = () => ({
      file: packagedFile('generate/entry-process'),
      cwd: root,
      env: {
        ...readEnvironment(root),
        ...(baseUrl !== undefined && { FW_BASE_URL: baseUrl }),
        ...(files.declared !== undefined && { FW_DECLARATIONS: pendingClient(outDir) }),
      },
      inspect: false,
      preload: [],
    });
    this.#pool = createWarmPool(outDir, options, again ? 1 : 0);
  }

  /** The failure, if it failed; `left` where a newer change, or the end, makes it pointless. */
  async run(bundle: Bundle, output: string, step: Interruption): Promise<AppError | undefined> {
    const taking = this.#pool.take(bundle);
    const worker = await step.unlessLeft(taking);
    if (!worker) {
      void taking.then((late) => late.kill());
      return left;
    }
    const order = { fw: 'run', bundle: bundle.file, entry: this.#entry, output } as const;
    const ended = step.unlessLeft(worker.boot(order));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      worker.kill();
    }, longest);
    const result = await ended;
    clearTimeout(timer);
    if (!result) {
      worker.kill();
      this.#pool.prepare(bundle);
      return left;
    }
    void this.#finish(worker, bundle);
    if (result.ready) return undefined;
    return result.error ?? { title: isLate ? late : endOf(result.exit), frames: [], details: '' };
  }

  async #finish(worker: WorkerProcess, bundle: Bundle): Promise<void> {
    await worker.stop(grace);
    await delay(settleTime, undefined, { ref: false });
    this.#pool.prepare(bundle);
  }

  close(): void {
    this.#pool.close();
  }
}

/** What a program that was not waited for came to. */
export const left: AppError = { title: 'it was left for a newer change', frames: [], details: '' };

const late = `did not end within ${longest / 1000} s; does it start the server? import the registry alone`;

function endOf(exit: string): string {
  return /^exited/.test(exit) ? `it ${exit} before it was done` : `it ${exit}`;
}
