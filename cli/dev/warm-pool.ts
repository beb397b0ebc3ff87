// Keeps processes ready that have already loaded the runtime and the app's packages.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bundle } from './bundler.js';
import { type WorkerOptions, WorkerProcess } from './worker-process.js';

export interface WarmPool {
  /** The warm process where it fits the bundle, else a new one. */
  take(bundle: Bundle): Promise<WorkerProcess>;
  /** Makes what is missing for the bundles after this one, one after the other. */
  prepare(last: Bundle | undefined): void;
  /** The environment changed: what is warm was warmed in the old one. */
  drop(): void;
  close(): void;
  /** How many would be given without a wait. */
  readonly ready: number;
}

/** A package whose import takes longer than this is not waited for. */
const patience = 5000;

/** @param size how many are kept ready; the first one starts at once in any case. */
export function createWarmPool(outDir: string, options: () => WorkerOptions, size: number): WarmPool {
  const loader = join(outDir, 'load.mjs');
  const unsafe = new Set<string>();
  // Resolves names from the bundle's own place.
  writeFileSync(loader, 'export const load = (specifier) => import(specifier);\n');
  let closed = false;
  /** No process starts as things are; the next one is for a change. */
  let isBroken = false;
  // It has nothing to load yet, but starts while the first build runs.
  const first = new WorkerProcess(options());
  let spares: WorkerProcess[] = [first];

  function prepare(last: Bundle | undefined): void {
    if (closed || isBroken || spares.length >= size || spares.some((spare) => spare.alive && !spare.isWarm))
      return;
    const packages = last?.packages ?? [];
    const firstUnsafe = packages.findIndex((name) => unsafe.has(name));
    const names = firstUnsafe === -1 ? packages : packages.slice(0, firstUnsafe);
    const worker = new WorkerProcess(options());
    spares.push(worker);
    worker.warm(loader, names);
    void worker.warming.then(() => {
      if (worker.warmth.unsafe !== undefined) {
        unsafe.add(worker.warmth.unsafe);
        if (!spares.includes(worker)) return;
        drop();
      }
      // A package that ends its process would be tried for ever.
      if (worker.warmth.unsafe !== undefined || worker.alive) prepare(last);
    });
  }

  function drop(): void {
    for (const spare of spares) spare.kill();
    spares = [];
  }

  async function take(bundle: Bundle): Promise<WorkerProcess> {
    // One that ended of its own accord before it was told anything has said why: a next one would repeat it.
    if (spares.includes(first) && first.exit?.startsWith('exited')) {
      drop();
      isBroken = true;
      return first;
    }
    isBroken = false;
    spares = spares.filter((spare) => spare.alive);
    const worker = spares.find((spare) => spare.isWarm) ?? spares[0];
    if (!worker) return new WorkerProcess(options());
    spares.splice(spares.indexOf(worker), 1);
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
    get ready() {
      return spares.filter((spare) => spare.alive && spare.isWarm && spare.warmth.unsafe === undefined)
        .length;
    },
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
