// The paths of a bundle and its sources for debuggers, which ignore source maps in node_modules.
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OutputFile } from 'esbuild';

/** The folder in the app under which debuggers see the bundle. It does not exist: the bundle is in node_modules. */
export const bundleFolder = '.fw';

/** Options of esbuild for the outputs that `withSourceMap` joins. */
export const separateMap = { write: false, sourcemap: 'external', sourcesContent: false } as const;

/**
 * The first statement of a bundle: `importBundle` switches source maps off while Node reads the bundle. From here on,
 * errors are mapped to the sources.
 */
export const sourceMapsOn = 'globalThis.process.setSourceMapsEnabled(true);';

/**
 * The code of a build with an inline source map, for `file` in the app at `root`. Debuggers would ignore a separate
 * map, because it would be in node_modules. V8 reports the name in the last comment as the script's URL.
 */
export function withSourceMap(outputs: readonly OutputFile[] = [], root: string, file: string): string {
  const code = outputs.find(({ path }) => !path.endsWith('.map'))?.text ?? '';
  const map = outputs.find(({ path }) => path.endsWith('.map'));
  const url = pathToFileURL(join(root, bundleFolder, basename(file))).href;
  const data = map ? Buffer.from(absoluteSources(map)).toString('base64') : '';
  return `${code}//# sourceMappingURL=data:application/json;base64,${data}\n//# sourceURL=${url}\n`;
}

/** A map with URLs of its sources. esbuild writes them on one line, so that the long mappings need not be parsed. */
function absoluteSources({ path, text }: OutputFile): string {
  return text.replace(/^ {2}"sources": (\[.*\]),$/m, (_, list: string) => {
    const sources = (JSON.parse(list) as string[]).map(
      (name) => pathToFileURL(resolve(dirname(path), name)).href,
    );
    return `  "sources": ${JSON.stringify(sources)},`;
  });
}
