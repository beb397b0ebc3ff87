// Lets `new Worker(new URL('./job.ts', import.meta.url))` of the app run: bundles that file when it is asked for.
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { createSourceCompiler, sourceOf } from './source-program.js';

/** Patches `Worker` of `node:worker_threads`; JavaScript files and `eval` pass through untouched. */
export function runWorkerThreadsFromSource(entry: string, bundle: string): void {
  const compile = createSourceCompiler(entry, bundle, 'worker thread');
  class SourceWorker extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const source = options?.eval ? undefined : sourceOf(file);
      super(source ? compile(source) : file, options);
    }
  }
  threads.Worker = SourceWorker;
  syncBuiltinESMExports();
}
