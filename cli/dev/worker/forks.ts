// Makes `fork(new URL('./job.ts', import.meta.url))` work in the app: bundles that file when it is forked.
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { createSourceCompiler, sourceOf } from '../../bundle/source-program.js';

/** Patches `fork` of `node:child_process`; JavaScript files and other runtimes are not affected. */
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

/** True if the app passes a loader or another `execPath`, and so decides itself how its file is run. */
function runsElsewhere(options: childProcess.ForkOptions | undefined): boolean {
  if (options?.execPath !== undefined && options.execPath !== process.execPath) return true;
  const args = options?.execArgv ?? [];
  return args.some((arg) => /^(--import|--loader|--experimental-loader|--require|-r)\b/.test(arg));
}

/** Resolves the path as `fork` does: from the directory that the child starts in. */
function from(file: string | URL, options: childProcess.ForkOptions | undefined): string | URL {
  if (file instanceof URL) return file;
  const base = options?.cwd === undefined ? process.cwd() : String(options.cwd);
  return resolve(base, file);
}
