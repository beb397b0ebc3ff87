// Whether the app runs as a bundle, or each of its sources by itself: by fw.toml, or because it names files at run time.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type AbsolutePath, absolutePath, isInside } from '../../../framework/files/absolute-path.js';
import { packagedFile } from '../../process/package-root.js';
import { hooksUrl } from '../../process/sources/settings.js';

export interface RunModeOptions {
  readonly root: AbsolutePath;
  readonly outDir: string;
  entry(): string;
  /** The setting, as it is now. */
  isBundled(): boolean;
  /** Conditions of `exports` that tsconfig.json adds. */
  conditions(): readonly string[];
  /** The program with the hooks; that of the package by default. */
  readonly hooks?: string;
}

export class RunMode {
  readonly #options: RunModeOptions;
  /** Why the sources run by themselves; a file that is not there may be a mistake, which the next change corrects. */
  #found: 'file' | 'missing file' | undefined;
  #isLookedForInBoot = false;

  constructor(options: RunModeOptions) {
    this.#options = options;
  }

  get isBundled(): boolean {
    return this.#found === undefined && this.#options.isBundled();
  }

  /** Flags of Node for a process or a thread that runs sources. */
  get flags(): string[] {
    const {
      root,
      outDir,
      entry,
      conditions,
      hooks = packagedFile('process/sources/source-hooks'),
    } = this.#options;
    const url = hooksUrl(hooks, { root, entry: entry(), cache: join(outDir, 'sources') });
    return [...conditions().map((name) => `--conditions=${name}`), `--import=${url}`];
  }

  /**
   * The app names this file at run time.
   *
   * @param sources those of the bundle, of which one has named it
   * @param isBooting whether the app has not started yet
   * @returns the notice about the change of mode, unless it was changed before
   */
  switchToSources(file: string, sources: readonly string[], isBooting: boolean): string | undefined {
    if (this.#found !== undefined) return undefined;
    this.#found = this.#isThere(file, sources) ? 'file' : 'missing file';
    this.#isLookedForInBoot = isBooting;
    const { root, outDir } = this.#options;
    const path = absolutePath(file);
    const name = isInside(absolutePath(dirname(outDir)), path)
      ? asNamed(relative(outDir, path))
      : isInside(root, path)
        ? relative(root, path)
        : file;
    if (this.#found === 'missing file')
      return `${name} is named at run time, and was not found: until the next change, fw dev runs each source by itself`;
    return `${name} is named at run time, and so fw dev runs each source by itself from now on; bundle = false in [dev] of fw.toml does so from the start`;
  }

  /** Once it has started without the missing file, it looks for it on purpose. */
  appStarted(): void {
    if (this.#isLookedForInBoot && this.#found === 'missing file') this.#found = 'file';
  }

  /** After a change. @returns whether the mode is another one now */
  tryBundle(): boolean {
    if (this.#found !== 'missing file') return false;
    this.#found = undefined;
    return true;
  }

  #isThere(file: string, sources: readonly string[]): boolean {
    const { outDir } = this.#options;
    const isBesideBundle = isInside(absolutePath(dirname(outDir)), absolutePath(file));
    const name = isBesideBundle ? relative(outDir, absolutePath(file)) : file;
    const isRelative = isBesideBundle || /^\.{1,2}\//.test(file);
    const places = isRelative ? new Set(sources.map((source) => resolve(dirname(source), name))) : [name];
    // TypeScript names its sources as they are named when they are compiled.
    return [...places].some((path) => existsSync(path) || existsSync(path.replace(/js(x?)$/, 'ts$1')));
  }
}

/** A file that is named relatively to the one that names it: Node has looked for it beside the bundle. */
function asNamed(fromBundle: string): string {
  const path = fromBundle.replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}
