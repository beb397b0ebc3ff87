// Bundles the app's own sources with esbuild's incremental build; packages are external.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { compilerOptions } from '../config/tsconfig.js';
import { fingerprint } from '../files/file-stamps.js';
import { CliError } from '../terminal/errors.js';
import { withMoreMemory } from './esbuild-memory.js';
import { linkedSources } from './linked-sources.js';
import { separateMap, sourceMapsOn, withSourceMap } from './source-map.js';
import { SourceMeta } from './source-metadata.js';

export interface Bundle {
  file: string;
  /** Absolute paths of all source files in it. */
  inputs: string[];
  /** Folders of linked packages that are not bundled. */
  linked: string[];
  /** Packages that the bundle imports statically, in order of evaluation. */
  packages: string[];
}

export type BuildResult =
  | { ok: true; bundle: Bundle; warnings: Esbuild.Message[] }
  | { ok: false; errors: Esbuild.Message[] };

/** A build that began before the change was known to be complete. */
interface BegunBuild {
  readonly file: string;
  /** All sources of the build before, with their stamps right before: a generated one may be written too. */
  readonly sources: readonly string[];
  readonly stamps: string;
  /** Undefined if esbuild has thrown; it does so again when the change is complete. */
  readonly result: Promise<BuildResult | undefined>;
}

export async function loadEsbuild(root: string): Promise<typeof Esbuild> {
  try {
    const path = createRequire(join(root, 'package.json')).resolve('esbuild');
    const loaded = await import(pathToFileURL(path).href);
    return loaded.default ?? loaded;
  } catch {
    try {
      return await import('esbuild');
    } catch (cause) {
      throw new CliError(`esbuild is not installed in ${root}`, {
        help: namesEsbuild(root)
          ? 'install the packages: npm install'
          : 'install it: npm install --save-dev esbuild',
        cause,
      });
    }
  }
}

/** Whether package.json has it: then nothing was installed yet. */
function namesEsbuild(root: string): boolean {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return 'esbuild' in { ...dependencies, ...devDependencies };
  } catch {
    return false;
  }
}

export class Bundler {
  readonly #esbuild: typeof Esbuild;
  readonly #root: string;
  readonly #entry: () => string;
  readonly #outDir: string;
  readonly #meta: SourceMeta;
  readonly #linked = new Set<string>();
  #context: Esbuild.BuildContext | undefined;
  #inputs: readonly string[] = [];
  #count = 0;
  /** How many builds are running: esbuild would answer a further one with the result of the first. */
  #running = 0;
  #begun: BegunBuild | undefined;

  /** @param entry called again whenever the environment has changed */
  constructor(esbuild: typeof Esbuild, root: string, entry: () => string, outDir: string) {
    this.#esbuild = esbuild;
    this.#root = root;
    this.#entry = entry;
    this.#outDir = outDir;
    this.#meta = new SourceMeta(root, entry);
  }

  /**
   * Begins the build of a file at the first sign that it was saved. If nothing more is written until `build` is
   * called, that is the result of `build`, which then takes less time.
   */
  begin(file: string): void {
    if (this.#begun || this.#running > 0 || !this.#inputs.includes(file)) return;
    const sources = this.#inputs;
    const stamps = fingerprint(sources);
    this.#begun = { file, sources, stamps, result: this.#build([file]).catch(() => undefined) };
  }

  /** @param changed absolute paths of files written since the last build. */
  async build(changed: string[]): Promise<BuildResult> {
    const begun = this.#begun && (await this.#endBegun(this.#begun, changed));
    return begun ?? this.#build(changed);
  }

  /** Forgets what was read from package.json and node_modules. */
  async reset(): Promise<void> {
    if (this.#begun) await this.#endBegun(this.#begun, []);
    await this.#renew();
  }

  /** Removes a bundle that will not run again. */
  discard(bundle: Bundle): void {
    rmSync(bundle.file, { force: true });
  }

  dispose(): Promise<void> {
    return this.reset();
  }

  /** The result of the build that has begun, if this is the change that it was for, and the only one. */
  async #endBegun(begun: BegunBuild, changed: readonly string[]): Promise<BuildResult | undefined> {
    const result = await begun.result;
    this.#begun = undefined;
    const { file, sources, stamps } = begun;
    if (changed.length === 1 && changed[0] === file && stamps === fingerprint(sources)) return result;
    if (result?.ok) this.discard(result.bundle);
    return undefined;
  }

  async #build(changed: string[]): Promise<BuildResult> {
    this.#running += 1;
    try {
      if (this.#meta.scan(changed)) await this.#renew();
      for (;;) {
        this.#context ??= await this.#createContext();
        const result = await rebuild(this.#context);
        if (!result.metafile) return { ok: false, errors: result.errors };
        const inputs = Object.keys(result.metafile.inputs).map((input) => resolve(this.#root, input));
        // A file that is new to the build and uses `import.meta` needs the rewrite: build again.
        if (this.#meta.scanNew(inputs)) await this.#renew();
        else return { ok: true, bundle: this.#write(result, inputs), warnings: result.warnings };
      }
    } finally {
      this.#running -= 1;
    }
  }

  async #renew(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
    this.#linked.clear();
  }

  #createContext(): Promise<Esbuild.BuildContext> {
    const from = this.#entry();
    const sources = linkedSources(this.#root, (folder) => this.#linked.add(folder));
    const options: Esbuild.BuildOptions = {
      absWorkingDir: this.#root,
      entryPoints: [from],
      outfile: join(this.#outDir, 'app.mjs'),
      bundle: true,
      metafile: true,
      packages: sources ? 'bundle' : 'external',
      platform: 'node',
      format: 'esm',
      // With plain node20, esbuild would drop the import attributes of JSON imports.
      target: 'node20.19',
      keepNames: true,
      ...separateMap,
      logLevel: 'silent',
      banner: {
        js: `import { createRequire as __fwCreateRequire } from 'node:module'; ${sourceMapsOn} const require = __fwCreateRequire(${JSON.stringify(pathToFileURL(from).href)});`,
      },
      plugins: [...(sources ? [sources] : []), ...this.#meta.plugins()],
    };
    return withMoreMemory(() => this.#esbuild.context(options));
  }

  #write(result: Esbuild.BuildResult, inputs: string[]): Bundle {
    const file = join(this.#outDir, `app.${++this.#count}.mjs`);
    writeFileSync(file, withSourceMap(result.outputFiles, this.#root, file));
    this.#inputs = inputs;
    return { file, inputs, linked: [...this.#linked], packages: startPackages(result.metafile) };
  }
}

async function rebuild(context: Esbuild.BuildContext): Promise<Esbuild.BuildResult> {
  try {
    return await context.rebuild();
  } catch (error) {
    if (error instanceof Error && 'errors' in error) {
      return { errors: error.errors as Esbuild.Message[], warnings: [] } as never;
    }
    throw error;
  }
}

function startPackages(metafile: Esbuild.Metafile | undefined): string[] {
  const code = Object.values(metafile?.outputs ?? {}).find((output) => output.entryPoint !== undefined);
  const imports = code?.imports.filter((item) => item.external && item.kind === 'import-statement') ?? [];
  return [...new Set(imports.map((item) => item.path))].filter((path) => !path.startsWith('node:'));
}

/** A warning if tsconfig.json sets an option that esbuild does not support, or undefined. */
export function compilerGap(root: string): string | undefined {
  if (compilerOptions(join(root, 'tsconfig.json')).emitDecoratorMetadata !== true) return undefined;
  return 'tsconfig.json sets emitDecoratorMetadata, which fw dev does not support: give types to decorators explicitly';
}
