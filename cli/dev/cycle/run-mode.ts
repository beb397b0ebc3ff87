// Whether the app runs as a bundle, or each of its sources by itself: by fw.toml, or because it names files at run time.
import { join, relative } from 'node:path';
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
  #needsSources = false;

  constructor(options: RunModeOptions) {
    this.#options = options;
  }

  get isBundled(): boolean {
    return !this.#needsSources && this.#options.isBundled();
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

  /** The app names this file at run time. @returns the notice about the change of mode, unless it was changed before */
  switchToSources(file: string): string | undefined {
    if (this.#needsSources) return undefined;
    this.#needsSources = true;
    const { root } = this.#options;
    const path = absolutePath(file);
    const name = isInside(root, path) ? relative(root, path) : file;
    return `${name} is named at run time, and so fw dev runs each source by itself from now on; bundle = false in [dev] of fw.toml does so from the start`;
  }
}
