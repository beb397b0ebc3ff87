// Bundles the app's own sources with esbuild's incremental build; packages are external.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import type { Plugin } from 'esbuild';
import { exports as resolveExports } from 'resolve.exports';
import { withMoreMemory } from '../../framework/client-gen/typescript7/go-memory.js';
import type { AbsolutePath } from '../../framework/files/absolute-path.js';
import { NamedPaths } from '../../framework/files/named-paths.js';
import { retryBusySync } from '../../framework/files/retry-busy.js';
import { nodeConditions } from '../config/node-options.js';
import { compilerOptions, configFor, customConditions } from '../config/tsconfig.js';
import { stampOf } from '../files/file-stamps.js';
import { readJson } from '../files/read-text.js';
import { systemFault } from '../terminal/errors.js';
import { withNearestFile } from './build-error-files.js';
import { linkedSources } from './linked-sources.js';
import { mapFileOf, SOURCE_MAPS_ON, SourceMaps, separateMap } from './source-map.js';
import { SourceMeta } from './source-metadata.js';

/** Of esbuild's memory between two collections of garbage, in percent. */
const GROWTH = 400;

export interface Bundle {
  file: string;
  /** All source files in it. */
  inputs: AbsolutePath[];
  /** Folders of linked packages that are not bundled. */
  linked: AbsolutePath[];
  /** Packages that the bundle imports statically, in order of evaluation. */
  packages: string[];
}

export type BuildResult =
  | { ok: true; bundle: Bundle; warnings: Esbuild.Message[] }
  | { ok: false; errors: Esbuild.Message[] };

/** A build that began before the change was known to be complete. */
interface BegunBuild {
  readonly file: AbsolutePath;
  readonly stamp: string;
  /** Of the other sources of the build before, as they were before this one: a generated one may be written too. */
  readonly stamps: ReadonlyMap<AbsolutePath, string>;
  /** Undefined if esbuild has thrown; it does so again when the change is complete. */
  readonly result: Promise<BuildResult | undefined>;
}

export class Bundler {
  readonly #esbuild: typeof Esbuild;
  readonly #root: AbsolutePath;
  readonly #entry: () => AbsolutePath;
  readonly #outDir: string;
  readonly #env: () => NodeJS.ProcessEnv;
  readonly #meta: SourceMeta;
  readonly #linked = new Set<AbsolutePath>();
  readonly #paths = new NamedPaths();
  readonly #maps: SourceMaps;
  #context: Esbuild.BuildContext | undefined;
  #inputs: readonly AbsolutePath[] = [];
  #count = 0;
  /** How many builds are running: esbuild would answer a further one with the result of the first. */
  #running = 0;
  #begun: BegunBuild | undefined;
  /** Of the sources of the last build, if it was one that had begun: thousands take time that the next one has not. */
  #stamps: ReadonlyMap<AbsolutePath, string> = new Map();
  /** Files changed since `SourceMeta` has read them. */
  readonly #unread = new Set<AbsolutePath>();

  /**
   * @param entry called again whenever the environment has changed
   * @param env the variables of the app; called again as well
   */
  constructor(
    esbuild: typeof Esbuild,
    root: AbsolutePath,
    entry: () => AbsolutePath,
    outDir: string,
    env: () => NodeJS.ProcessEnv = () => process.env,
  ) {
    this.#esbuild = esbuild;
    this.#root = root;
    this.#entry = entry;
    this.#outDir = outDir;
    this.#env = env;
    this.#meta = new SourceMeta(root, entry);
    this.#maps = new SourceMaps(root);
  }

  /**
   * Begins the build of a file at the first sign that it was saved. If nothing more is written until `build` is
   * called, that is the result of `build`, which then takes less time.
   * @returns the result, unless no build has begun
   */
  async begin(file: AbsolutePath): Promise<BuildResult | undefined> {
    if (this.#begun || this.#running > 0 || !this.#inputs.includes(file)) return undefined;
    const others = this.#inputs.filter((input) => input !== file);
    const stamps = new Map(others.map((input) => [input, this.#stamps.get(input) ?? stampOf(input)]));
    this.#begun = {
      file,
      stamp: stampOf(file),
      stamps,
      result: this.#build([file]).catch(() => undefined),
    };
    return this.#begun.result;
  }

  /** @param changed files written since the last build */
  async build(changed: AbsolutePath[]): Promise<BuildResult> {
    const begun = this.#begun && (await this.#endBegun(this.#begun, changed));
    if (begun) return begun;
    this.#stamps = new Map();
    return this.#build(changed);
  }

  /** Forgets what was read from package.json and node_modules. */
  async reset(): Promise<void> {
    if (this.#begun) await this.#endBegun(this.#begun, []);
    await this.#renew();
  }

  /** Removes a bundle that will not run again. */
  discard(bundle: Bundle): void {
    for (const file of [bundle.file, mapFileOf(bundle.file)])
      retryBusySync(() => rmSync(file, { force: true }));
  }

  dispose(): Promise<void> {
    return this.reset();
  }

  /** The result of the build that has begun, if this is the change that it was for, and the only one. */
  async #endBegun(begun: BegunBuild, changed: readonly AbsolutePath[]): Promise<BuildResult | undefined> {
    const { file, stamp, stamps } = begun;
    const isMeant = changed.length === 1 && changed[0] === file && stamp === stampOf(file);
    // A large app would wait for a build of which nothing is used.
    if (!isMeant) await this.#context?.cancel();
    const result = await begun.result;
    this.#begun = undefined;
    if (isMeant && [...stamps].every(([input, before]) => stampOf(input) === before)) {
      this.#stamps = new Map(stamps).set(file, stamp);
      return result;
    }
    if (result?.ok) this.discard(result.bundle);
    return undefined;
  }

  async #build(changed: AbsolutePath[]): Promise<BuildResult> {
    this.#running += 1;
    for (const file of changed) this.#unread.add(file);
    try {
      return await this.#buildWhole();
    } finally {
      this.#running -= 1;
    }
  }

  async #buildWhole(): Promise<BuildResult> {
    const unread = [...this.#unread];
    this.#unread.clear();
    if (this.#meta.scan(unread)) await this.#renew();
    for (;;) {
      this.#context ??= await this.#createContext();
      const result = await rebuild(this.#context);
      const { metafile, errors } = result;
      if (!metafile) return { ok: false, errors: errors.map((error) => withNearestFile(error, this.#root)) };
      const inputs = Object.keys(metafile.inputs).map((input) => this.#paths.of(resolve(this.#root, input)));
      // A file that is new to the build and uses `import.meta` needs the rewrite: build again.
      if (this.#meta.scanNew(inputs)) {
        await this.#renew();
        continue;
      }
      return this.#written(result, inputs);
    }
  }

  async #renew(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
    this.#linked.clear();
  }

  #createContext(): Promise<Esbuild.BuildContext> {
    const from = this.#entry();
    const config = configFor(this.#root, from);
    const conditions = this.#conditions(config);
    const hasConditions = conditions.length > 0;
    const sources = linkedSources(this.#root, hasConditions, (folder) => this.#linked.add(folder));
    const own = ownName(this.#root, conditions);
    const options: Esbuild.BuildOptions = {
      absWorkingDir: this.#root,
      platform: 'node',
      format: 'esm',
      // With plain node20, esbuild would drop the import attributes of JSON imports.
      target: 'node20.19',
      keepNames: true,
      metafile: true,
      logLevel: 'silent',
      ...separateMap,
      // In an absolute path, an asterisk in the name of a folder above the app would make it a pattern.
      entryPoints: [relative(this.#root, from)],
      outfile: join(this.#outDir, 'app.mjs'),
      bundle: true,
      // With conditions of its own, esbuild takes no `module`, which Node does not know either.
      ...(hasConditions && { conditions }),
      // Otherwise esbuild finds the nearest one for each file.
      ...(config !== join(this.#root, 'tsconfig.json') && { tsconfig: config }),
      packages: sources ? 'bundle' : 'external',
      banner: {
        js: `import { createRequire as __fwCreateRequire } from 'node:module'; ${SOURCE_MAPS_ON} const require = __fwCreateRequire(${JSON.stringify(pathToFileURL(from).href)});`,
      },
      plugins: [...(own ? [own] : []), ...(sources ? [sources] : []), ...this.#meta.plugins()],
    };
    return withMoreMemory(GROWTH, () => this.#esbuild.context(options));
  }

  #conditions(config: string): string[] {
    const compiler = customConditions(config);
    return [...new Set([...compiler, ...nodeConditions(this.#env().NODE_OPTIONS)])];
  }

  /** Whether the last build was made from this file, too. */
  hasInput(file: AbsolutePath): boolean {
    return this.#inputs.includes(file);
  }

  /** A disk may be full, or a folder gone, until the next change: that must not end `fw dev`. */
  #written(result: Esbuild.BuildResult, inputs: AbsolutePath[]): BuildResult {
    const file = join(this.#outDir, `app.${++this.#count}.mjs`);
    const bundle = { file, inputs, linked: [...this.#linked], packages: startPackages(result.metafile) };
    try {
      const { code, map } = this.#maps.join(result.outputFiles, file);
      writeFileSync(file, code);
      writeFileSync(mapFileOf(file), map);
    } catch (error) {
      const fault = systemFault(error);
      if (fault === undefined) throw error;
      this.discard(bundle);
      const text = `cannot write to ${this.#outDir}: ${fault.reason}; ${fault.remedy}`;
      return {
        ok: false,
        errors: [{ id: '', pluginName: '', text, location: null, notes: [], detail: error }],
      };
    }
    this.#inputs = inputs;
    return { ok: true, bundle, warnings: result.warnings };
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
export function compilerGap(root: string, entry: string): string | undefined {
  if (compilerOptions(configFor(root, entry)).emitDecoratorMetadata !== true) return undefined;
  return 'tsconfig.json sets emitDecoratorMetadata, which fw dev does not support: give types to decorators explicitly';
}

/**
 * Undefined if the package at `root` cannot import itself, because it has no name or no `exports`, so that its builds
 * do not pay for the callback.
 * @param conditions of its `exports`, besides those of Node
 */
function ownName(root: string, conditions: readonly string[]): Plugin | undefined {
  const scope = scopeOf(root);
  const manifest = scope === undefined ? undefined : manifestOf(scope);
  if (scope === undefined || manifest === undefined) return undefined;
  const { name } = manifest;
  return {
    name: 'fw-own-name',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${escapeText(name)}(?:/|$)`) }, ({ path, kind, importer }) => {
        if (kind === 'entry-point' || scopeOf(dirname(importer)) !== scope) return undefined;
        const isRequire = kind === 'require-call' || kind === 'require-resolve';
        const target = targetOf(manifest, path, { conditions, require: isRequire });
        if (typeof target !== 'string') return { errors: [target] };
        return build.resolve(target, { kind, importer, resolveDir: scope });
      });
    },
  };
}

interface Manifest {
  readonly name: string;
  readonly exports: unknown;
}

/** The file as `exports` names it, or why there is none. */
function targetOf(
  manifest: Manifest,
  path: string,
  options: { conditions: readonly string[]; require: boolean },
): string | { text: string } {
  try {
    const [target] = resolveExports(manifest, path, options) ?? [];
    if (target !== undefined) return target;
  } catch {
    // The library throws if nothing matches.
  }
  return { text: `Could not resolve "${path}": the "exports" of the app's package.json do not have it` };
}

/** The nearest folder with a package.json, from `folder` up. */
function scopeOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return folder === dirname(folder) ? undefined : scopeOf(dirname(folder));
}

function manifestOf(scope: string): Manifest | undefined {
  try {
    const manifest = readJson(join(scope, 'package.json')) as Partial<Manifest> | null;
    const isNamed = typeof manifest?.name === 'string' && manifest.name !== '';
    return isNamed && manifest.exports != null ? (manifest as Manifest) : undefined;
  } catch {
    // What needs the file reports what is wrong with it.
    return undefined;
  }
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
