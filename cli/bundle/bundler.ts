// Bundles the app's own sources with esbuild's incremental build; packages are external.
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { withMoreMemory } from '../../framework/client-gen/go-memory.js';
import { compilerOptions } from '../config/tsconfig.js';
import { fingerprint } from '../files/file-stamps.js';
import { linkedSources } from './linked-sources.js';
import { sourceMapsOn, withSourceMap } from './source-map.js';
import { SourceMeta } from './source-metadata.js';
import { type BundledSources, type SourceModule, SourceModules, sourceOptions } from './source-modules.js';

/** Of esbuild's memory between two collections of garbage, in percent. */
const GROWTH = 400;

export interface Bundle {
  /** If there are `modules`, it is only a name: nothing was written. */
  file: string;
  /** Absolute paths of all source files in it. */
  inputs: string[];
  /** Folders of linked packages that are not bundled. */
  linked: string[];
  /** Packages that the bundle imports statically, in order of evaluation. */
  packages: string[];
  /** All modules of the app, if they were compiled one by one. */
  modules?: readonly SourceModule[];
}

/** The last build of all sources. */
interface WholeBuild extends BundledSources {
  readonly bundle: Bundle;
  /** Set when they are asked for. */
  modules?: Promise<SourceModules | undefined>;
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

export class Bundler {
  readonly #esbuild: typeof Esbuild;
  readonly #root: string;
  readonly #entry: () => string;
  readonly #outDir: string;
  readonly #meta: SourceMeta;
  readonly #linked = new Set<string>();
  readonly #generated = new Set<string>();
  #context: Esbuild.BuildContext | undefined;
  #inputs: readonly string[] = [];
  #count = 0;
  /** How many builds are running: esbuild would answer a further one with the result of the first. */
  #running = 0;
  #begun: BegunBuild | undefined;
  /** Undefined after a build that failed. */
  #whole: WholeBuild | undefined;
  #modules: SourceModules | undefined;
  /** The modules before the last whole build. */
  #former: SourceModules | undefined;
  /** Files changed since `SourceMeta` has read them. */
  readonly #unread = new Set<string>();
  /** The stamps of all sources when modules could not run. */
  #doubted: string | undefined;
  /** A bundle of these sources. */
  #doubtful: Bundle | undefined;
  #hasLinkedSources = false;
  /** The modules of this app cannot run where its bundle can. */
  #isUnfit = false;

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
   * @returns the result, unless no build has begun
   */
  async begin(file: string): Promise<BuildResult | undefined> {
    if (this.#begun || this.#running > 0 || !this.#inputs.includes(file)) return undefined;
    const sources = this.#inputs;
    const stamps = fingerprint(sources);
    this.#begun = { file, sources, stamps, result: this.#build([file]).catch(() => undefined) };
    return this.#begun.result;
  }

  /**
   * @param changed absolute paths of files written since the last build
   * @param generated sources that are generated, which may have been written for a build that was given up: from now
   *   on, they are looked at before each build
   */
  async build(changed: string[], generated: readonly string[] = []): Promise<BuildResult> {
    for (const file of generated) this.#generated.add(file);
    const all = [...new Set([...changed, ...(this.#modules?.written(this.#generated) ?? [])])];
    const begun = this.#begun && (await this.#endBegun(this.#begun, all));
    return begun ?? this.#build(all);
  }

  /**
   * Compiles the modules of the last build one by one, for which there is time while nothing changes. From then on,
   * a change of code costs the compilation of the changed files; other changes are built as a whole.
   * @returns all modules, as they were compiled last; undefined if they would not behave as in a bundle
   */
  async separate(): Promise<readonly SourceModule[] | undefined> {
    const whole = this.#whole;
    if (!whole || this.#isUnfit || this.#hasLinkedSources) return undefined;
    if (!this.#modules) {
      whole.modules ??= SourceModules.of(this.#esbuild, this.#root, whole, this.#former);
      const modules = await whole.modules;
      if (this.#whole === whole && !this.#isUnfit) this.#modules ??= modules;
    }
    return this.#modules?.all;
  }

  /** The modules of the last build could not run. If a bundle of the same sources can, no modules are made any more. */
  distrustModules(): void {
    this.#forgetModules();
    this.#doubted = fingerprint(this.#inputs);
  }

  /** The bundle runs. */
  started(bundle: Bundle): void {
    if (bundle !== this.#doubtful) return;
    this.#isUnfit = true;
    // A process that was prepared while the bundle started slowly has asked for them.
    this.#modules = undefined;
  }

  /** Forgets what was read from package.json and node_modules. */
  async reset(): Promise<void> {
    if (this.#begun) await this.#endBegun(this.#begun, []);
    this.#forgetModules();
    this.#former = undefined;
    this.#isUnfit = false;
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
    this.#modules?.forget(file);
    return undefined;
  }

  async #build(changed: string[]): Promise<BuildResult> {
    this.#running += 1;
    for (const file of changed) this.#unread.add(file);
    try {
      return (await this.#compile(changed)) ?? (await this.#buildWhole());
    } finally {
      this.#running -= 1;
    }
  }

  /** Undefined if the change needs a build of all sources. */
  async #compile(changed: string[]): Promise<BuildResult | undefined> {
    const whole = this.#whole;
    if (!whole || !this.#modules || changed.length === 0) return undefined;
    const result = await this.#modules.compile(changed);
    if (!result?.ok) return result;
    const { modules } = result;
    return { ok: true, bundle: { ...whole.bundle, file: this.#nextFile(), modules }, warnings: [] };
  }

  async #buildWhole(): Promise<BuildResult> {
    this.#forgetModules();
    const changed = [...this.#unread];
    this.#unread.clear();
    const doubted = this.#doubted;
    this.#doubted = undefined;
    if (this.#meta.scan(changed)) await this.#renew();
    for (;;) {
      this.#context ??= await this.#createContext();
      const began = performance.timeOrigin + performance.now();
      const result = await rebuild(this.#context);
      const { metafile, errors, warnings } = result;
      if (!metafile) return { ok: false, errors };
      const inputs = Object.keys(metafile.inputs).map((input) => resolve(this.#root, input));
      // A file that is new to the build and uses `import.meta` needs the rewrite: build again.
      if (this.#meta.scanNew(inputs)) {
        await this.#renew();
        continue;
      }
      const bundle = this.#write(result, inputs);
      this.#doubtful = doubted === fingerprint(inputs) ? bundle : undefined;
      this.#whole = { bundle, metafile, began, entry: this.#entry() };
      return { ok: true, bundle, warnings };
    }
  }

  /** Until the next whole build. */
  #forgetModules(): void {
    this.#whole = undefined;
    this.#former = this.#modules ?? this.#former;
    this.#modules = undefined;
  }

  async #renew(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
    this.#linked.clear();
  }

  #createContext(): Promise<Esbuild.BuildContext> {
    const from = this.#entry();
    const sources = linkedSources(this.#root, (folder) => this.#linked.add(folder));
    this.#hasLinkedSources = sources !== undefined;
    const options: Esbuild.BuildOptions = {
      ...sourceOptions(this.#root),
      entryPoints: [from],
      outfile: join(this.#outDir, 'app.mjs'),
      bundle: true,
      packages: sources ? 'bundle' : 'external',
      banner: {
        js: `import { createRequire as __fwCreateRequire } from 'node:module'; ${sourceMapsOn} const require = __fwCreateRequire(${JSON.stringify(pathToFileURL(from).href)});`,
      },
      plugins: [...(sources ? [sources] : []), ...this.#meta.plugins()],
    };
    return withMoreMemory(GROWTH, () => this.#esbuild.context(options));
  }

  #write(result: Esbuild.BuildResult, inputs: string[]): Bundle {
    const file = this.#nextFile();
    writeFileSync(file, withSourceMap(result.outputFiles, this.#root, file));
    this.#inputs = inputs;
    return { file, inputs, linked: [...this.#linked], packages: startPackages(result.metafile) };
  }

  #nextFile(): string {
    return join(this.#outDir, `app.${++this.#count}.mjs`);
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
