// Makes `new Worker(new URL('./job.ts', import.meta.url))` work in the app: bundles that file when it is started.
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { createSourceCompiler, sourceOf } from '../../bundle/source-program.js';

/** Patches `Worker` of `node:worker_threads`; JavaScript files and `eval` are not affected. */
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
