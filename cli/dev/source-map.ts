// Where a bundle and its sources seem to lie for a debugger: it sets no breakpoint through a map in node_modules.
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OutputFile } from 'esbuild';

/** Of the app, and only a name: the bundle itself lies in node_modules, out of everybody's way. */
export const bundleFolder = '.fw';

/** Options of esbuild for what `withSourceMap` joins. */
export const separateMap = { write: false, sourcemap: 'external', sourcesContent: false } as const;

/**
 * The code of a build with its map in it, for `file` in the app at `root`. A map of its own would be looked for,
 * and refused, where it lies; and V8 reports the name that the last comment gives as the script's URL.
 */
export function withSourceMap(outputs: readonly OutputFile[] = [], root: string, file: string): string {
  const code = outputs.find(({ path }) => !path.endsWith('.map'))?.text ?? '';
  const map = outputs.find(({ path }) => path.endsWith('.map'));
  const url = pathToFileURL(join(root, bundleFolder, basename(file))).href;
  const data = map ? Buffer.from(absoluteSources(map)).toString('base64') : '';
  return `${code}//# sourceMappingURL=data:application/json;base64,${data}\n//# sourceURL=${url}\n`;
}

/** esbuild writes one line for all sources; the mappings, which are long, need not be parsed for them. */
function absoluteSources({ path, text }: OutputFile): string {
  return text.replace(/^ {2}"sources": (\[.*\]),$/m, (_, list: string) => {
    const sources = (JSON.parse(list) as string[]).map(
      (name) => pathToFileURL(resolve(dirname(path), name)).href,
    );
    return `  "sources": ${JSON.stringify(sources)},`;
  });
}
