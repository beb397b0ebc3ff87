// Makes `new Worker(new URL('./job.ts', import.meta.url))` work in the app: each thread gets the hooks for sources.
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { decidesItself, sourceOf, withFlags } from './source-program.js';

/**
 * Patches `Worker` of `node:worker_threads`. Threads that these threads start inherit the flags.
 * @param flags of Node, with the hooks
 */
export function runWorkerThreadsFromSource(flags: readonly string[]): void {
  class SourceWorker extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      if (decidesItself(options?.execArgv)) super(file, options);
      else {
        const source = options?.eval ? file : (sourceOf(file) ?? file);
        super(source, { ...options, execArgv: withFlags(options?.execArgv, flags) });
      }
    }
  }
  threads.Worker = SourceWorker;
  syncBuiltinESMExports();
}
