// The paths of a bundle and its sources for debuggers, which ignore source maps in node_modules.
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OutputFile } from 'esbuild';

/** The folder in the app under which debuggers see the bundle. It does not exist: the bundle is in node_modules. */
export const BUNDLE_FOLDER = '.fw';

/** Options of esbuild for the outputs that `SourceMaps` joins. */
export const separateMap = { write: false, sourcemap: 'external', sourcesContent: false } as const;

/**
 * The first statement of a bundle: `importBundle` switches source maps off while Node reads the bundle. From here on,
 * errors are mapped to the sources.
 */
export const SOURCE_MAPS_ON = 'globalThis.process.setSourceMapsEnabled(true);';

/** The file beside a bundle that has its source map. */
export function mapFileOf(bundle: string): string {
  return `${bundle}.map`;
}

interface MappedCode {
  /** With an inline source map: debuggers would ignore the other one, because it is in node_modules. */
  readonly code: Uint8Array;
  /** The map again, which Node reads from a file in a fraction of the time. */
  readonly map: Uint8Array;
}

export class SourceMaps {
  readonly #root: string;
  readonly #urls = new Map<string, string>();

  /** @param root of the app */
  constructor(root: string) {
    this.#root = root;
  }

  /** The outputs of a build for `file`. V8 reports the name in the last comment as the script's URL. */
  join(outputs: readonly OutputFile[] = [], file: string): MappedCode {
    const code = outputs.find(({ path }) => !path.endsWith('.map'));
    const output = outputs.find(({ path }) => path.endsWith('.map'));
    const map = Buffer.from(output ? this.#withUrls(output) : '');
    const url = pathToFileURL(join(this.#root, BUNDLE_FOLDER, basename(file))).href;
    const comments = `//# sourceMappingURL=data:application/json;base64,${map.toString('base64')}\n//# sourceURL=${url}\n`;
    return { code: Buffer.concat([code?.contents ?? new Uint8Array(), Buffer.from(comments)]), map };
  }

  /** A map with URLs of its sources. esbuild writes them on one line, so that the long mappings need not be parsed. */
  #withUrls({ path, text }: OutputFile): string {
    return text.replace(/^ {2}"sources": (\[.*\]),$/m, (_, list: string) => {
      const names = JSON.parse(list) as string[];
      return `  "sources": ${JSON.stringify(names.map((name) => this.#urlOf(dirname(path), name)))},`;
    });
  }

  /** Each is made once: there may be thousands. */
  #urlOf(folder: string, name: string): string {
    const url = this.#urls.get(name) ?? pathToFileURL(resolve(folder, name)).href;
    this.#urls.set(name, url);
    return url;
  }
}
