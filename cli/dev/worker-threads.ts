// Lets `new Worker(new URL('./job.ts', import.meta.url))` of the app run: bundles that file when it is asked for.
import { existsSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import threads, { type WorkerOptions } from 'node:worker_threads';
import type * as Esbuild from 'esbuild';

/** Patches `Worker` of `node:worker_threads`; JavaScript files and `eval` pass through untouched. */
export function runWorkerThreadsFromSource(entry: string, bundle: string): void {
  let count = 0;
  class SourceWorker extends threads.Worker {
    constructor(file: string | URL, options?: WorkerOptions) {
      const source = options?.eval ? undefined : sourceOf(file);
      super(source ? compile(source) : file, options);
    }
  }
  threads.Worker = SourceWorker;
  syncBuiltinESMExports();

  function compile(source: string): string {
    const outfile = join(dirname(bundle), `thread-${process.pid}-${++count}-${basename(source)}.mjs`);
    loadEsbuild(entry, source).buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      sourcemap: true,
      sourcesContent: false,
      keepNames: true,
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href) },
    });
    return outfile;
  }
}

function loadEsbuild(entry: string, source: string): typeof Esbuild {
  try {
    return createRequire(entry)('esbuild');
  } catch (cause) {
    const help = 'install it: npm install --save-dev esbuild';
    throw new Error(`running ${basename(source)} as a worker thread needs esbuild in the app; ${help}`, {
      cause,
    });
  }
}

/** The TypeScript file that a worker's file names, also by the `.js` name it will have after a build. */
function sourceOf(file: string | URL): string | undefined {
  const url = file instanceof URL ? file : undefined;
  if (url && url.protocol !== 'file:') return undefined;
  const path = url ? fileURLToPath(url) : String(file);
  if (/\.[cm]?tsx?$/.test(path)) return path;
  const source = path.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== path && !existsSync(path) && existsSync(source) ? source : undefined;
}
