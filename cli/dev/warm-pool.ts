// Keeps one process ready that has already loaded the runtime and the app's packages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bundle } from './bundler.js';
import { type WorkerOptions, WorkerProcess } from './worker-process.js';

export interface WarmPool {
  /** The warm process where it fits the bundle, else a new one. */
  take(bundle: Bundle): Promise<WorkerProcess>;
  /** Makes one for the bundle after this one, unless there is one. */
  prepare(last: Bundle | undefined): void;
  /** The environment changed: what is warm was warmed in the old one. */
  drop(): void;
  close(): void;
}

/** A package whose import takes longer than this is not waited for. */
const patience = 5000;

export function createWarmPool(outDir: string, options: () => WorkerOptions, enabled: boolean): WarmPool {
  const loader = join(outDir, 'load.mjs');
  const unsafe = new Set<string>();
  // Resolves names from the bundle's own place.
  writeFileSync(loader, 'export const load = (specifier) => import(specifier);\n');
  let closed = false;
  // The first one has nothing to load yet, but starts while the first build runs.
  let spare: WorkerProcess | undefined = new WorkerProcess(options());

  function prepare(last: Bundle | undefined): void {
    if (spare || closed || !enabled) return;
    const packages = last?.packages ?? [];
    const firstUnsafe = packages.findIndex((name) => unsafe.has(name));
    const names = firstUnsafe === -1 ? packages : packages.slice(0, firstUnsafe);
    const worker = new WorkerProcess(options());
    spare = worker;
    worker.warm(loader, names);
    void worker.warming.then(() => {
      if (worker.warmth.unsafe === undefined) return;
      unsafe.add(worker.warmth.unsafe);
      if (spare !== worker) return;
      drop();
      prepare(last);
    });
  }

  function drop(): void {
    spare?.kill();
    spare = undefined;
  }

  async function take(bundle: Bundle): Promise<WorkerProcess> {
    const worker = spare;
    spare = undefined;
    if (!worker?.alive) return new WorkerProcess(options());
    await Promise.race([worker.warming, delay(patience, undefined, { ref: false })]);
    const { loaded, unsafe: tainted } = worker.warmth;
    const fits =
      worker.alive && tainted === undefined && loaded.every((name) => bundle.packages.includes(name));
    if (fits && worker.isWarm) return worker;
    worker.kill();
    return new WorkerProcess(options());
  }

  return {
    take,
    prepare,
    drop: () => {
      unsafe.clear();
      drop();
    },
    close() {
      closed = true;
      drop();
    },
  };
}
