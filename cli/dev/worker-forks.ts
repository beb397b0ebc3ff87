// Lets `fork(new URL('./job.ts', import.meta.url))` of the app run: bundles that file when it is asked for.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { createSourceCompiler, sourceOf } from './source-program.js';

/** Patches `fork` of `node:child_process`; JavaScript files, and programs of another runtime, pass through. */
export function forkFromSource(entry: string, bundle: string): void {
  const compile = createSourceCompiler(entry, bundle, 'child process');
  const fork = childProcess.fork as (...args: unknown[]) => childProcess.ChildProcess;

  function forkSource(file: string | URL, ...rest: unknown[]): childProcess.ChildProcess {
    const options = rest.find(isOptions);
    const source = runsElsewhere(options) ? undefined : sourceOf(from(file, options));
    return fork(source === undefined ? file : compile(source), ...rest);
  }

  childProcess.fork = forkSource as typeof childProcess.fork;
  syncBuiltinESMExports();
}

function isOptions(value: unknown): value is childProcess.ForkOptions {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** With a loader or another program that the app names, the app knows itself how its file is run. */
function runsElsewhere(options: childProcess.ForkOptions | undefined): boolean {
  if (options?.execPath !== undefined && options.execPath !== process.execPath) return true;
  const args = options?.execArgv ?? [];
  return args.some((arg) => /^(--import|--loader|--experimental-loader|--require|-r)\b/.test(arg));
}

/** As `fork` itself reads it: a path from the directory that the child starts in. */
function from(file: string | URL, options: childProcess.ForkOptions | undefined): string | URL {
  if (file instanceof URL) return file;
  const base = options?.cwd === undefined ? process.cwd() : String(options.cwd);
  return resolve(base, file);
}
