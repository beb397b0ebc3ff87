// Makes programs that the app starts from its TypeScript files run, by `fork(new URL('./job.ts', import.meta.url))` and
// `new Worker(…)` of the same: each child process and each thread gets the hooks for sources.
import childProcess from 'node:child_process';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';

/**
 * Patches `fork` of `node:child_process`; other runtimes are not affected. Child processes of these inherit the flags.
 * @param flags of Node, with the hooks
 * @param preload a module that every child process loads first
 */
export function forkFromSource(flags: readonly string[], preload: string): void {
  const fork = childProcess.fork as (...args: unknown[]) => childProcess.ChildProcess;

  function forkSource(file: string | URL, ...rest: unknown[]): childProcess.ChildProcess {
    const options = rest.find(isOptions);
    if (runsElsewhere(options)) return fork(file, ...rest);
    const source = sourceOf(from(file, options));
    const args = rest.filter((value) => Array.isArray(value));
    const execArgv = [...withFlags(options?.execArgv, flags), `--import=${preload}`];
    return fork(source ?? file, ...args, { ...options, execArgv });
  }

  childProcess.fork = forkSource as typeof childProcess.fork;
  syncBuiltinESMExports();
}

function isOptions(value: unknown): value is childProcess.ForkOptions {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if the app passes a loader or another `execPath`, and so decides itself how its file is run. */
function runsElsewhere(options: childProcess.ForkOptions | undefined): boolean {
  if (options?.execPath !== undefined && options.execPath !== process.execPath) return true;
  return decidesItself(options?.execArgv);
}

/** Resolves the path as `fork` does: from the directory that the child starts in. */
function from(file: string | URL, options: childProcess.ForkOptions | undefined): string | URL {
  if (file instanceof URL) return file;
  const base = options?.cwd === undefined ? process.cwd() : String(options.cwd);
  return resolve(base, file);
}

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

/** True if the app passes a loader, and so decides itself how its file is run. */
function decidesItself(execArgv: readonly string[] | undefined): boolean {
  return (
    execArgv?.some((arg) => /^(--import|--loader|--experimental-loader|--require|-r)\b/.test(arg)) ?? false
  );
}

/** The flags for a program that starts with `execArgv`, or with those of this process; none twice. */
function withFlags(execArgv: readonly string[] | undefined, flags: readonly string[]): string[] {
  const own = execArgv ?? process.execArgv;
  return [...own, ...flags.filter((flag) => !own.includes(flag))];
}

/**
 * The TypeScript file that `file` names, also by the `.js` name that it will have after a build; undefined
 * otherwise.
 */
function sourceOf(file: string | URL): string | undefined {
  const url = file instanceof URL ? file : undefined;
  if (url && url.protocol !== 'file:') return undefined;
  const path = url ? fileURLToPath(url) : String(file);
  if (/\.[cm]?tsx?$/.test(path)) return path;
  const source = path.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== path && !existsSync(path) && existsSync(source) ? source : undefined;
}
