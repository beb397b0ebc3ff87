// Bundles a TypeScript file that the app runs as a worker thread or a child process.
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { separateMap, withSourceMap } from './source-map.js';

/**
 * Returns a function that bundles a source file into the folder of the app's bundle, and returns the path.
 * @param use what the file is run as, for the error if the app has no esbuild: `worker thread`
 */
export function createSourceCompiler(entry: string, bundle: string, use: string): (source: string) => string {
  let count = 0;
  return function compile(source) {
    const kind = use.replace(/^.* /, '');
    const outfile = join(dirname(bundle), `${kind}-${process.pid}-${++count}-${basename(source)}.mjs`);
    const require = `const require = __fwCreateRequire(${JSON.stringify(pathToFileURL(source).href)});`;
    const { outputFiles } = loadEsbuild(entry, source, use).buildSync({
      entryPoints: [source],
      outfile,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      ...separateMap,
      keepNames: true,
      logLevel: 'silent',
      define: {
        'import.meta.url': JSON.stringify(pathToFileURL(source).href),
        'import.meta.dirname': JSON.stringify(dirname(source)),
        'import.meta.filename': JSON.stringify(source),
      },
      banner: { js: `import { createRequire as __fwCreateRequire } from 'node:module'; ${require}` },
    });
    writeFileSync(outfile, withSourceMap(outputFiles, dirname(entry), outfile));
    return outfile;
  };
}

function loadEsbuild(entry: string, source: string, use: string): typeof Esbuild {
  try {
    return createRequire(entry)('esbuild');
  } catch (cause) {
    const help = 'install it: npm install --save-dev esbuild';
    throw new Error(`running ${basename(source)} as a ${use} needs esbuild in the app; ${help}`, { cause });
  }
}

/**
 * The TypeScript file that `file` names, also by the `.js` name that it will have after a build; undefined
 * otherwise.
 */
export function sourceOf(file: string | URL): string | undefined {
  const url = file instanceof URL ? file : undefined;
  if (url && url.protocol !== 'file:') return undefined;
  const path = url ? fileURLToPath(url) : String(file);
  if (/\.[cm]?tsx?$/.test(path)) return path;
  const source = path.replace(/\.([cm]?)js$/, '.$1ts');
  return source !== path && !existsSync(path) && existsSync(source) ? source : undefined;
}
