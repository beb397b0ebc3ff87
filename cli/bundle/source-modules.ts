// The app's modules, compiled one by one: a change costs the compilation of the changed file, however large the app is.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Esbuild from 'esbuild';
import { stampOf } from '../files/file-stamps.js';
import { absoluteSources, bundleFolder, separateMap } from './source-map.js';

/** One source file, compiled to an ES module that still has its own imports. It never changes: a change makes another. */
export interface SourceModule {
  /** The absolute path of the source file. */
  readonly path: string;
  /** The name of the script for V8, a URL. */
  readonly url: string;
  readonly code: string;
  /** JSON. */
  readonly map: string;
  /** What the specifiers of its imports stand for: the path of another module of the app, or the name of a package. */
  readonly imports: Readonly<Record<string, string>>;
  /** The packages, and modules of Node, that it imports statically. */
  readonly packages: readonly string[];
}

export type CompiledModules =
  | { ok: true; modules: readonly SourceModule[] }
  | { ok: false; errors: Esbuild.Message[] };

/** What a bundle was made from. */
export interface BundledSources {
  readonly entry: string;
  /** Says what the specifiers of imports stand for. */
  readonly metafile: Esbuild.Metafile;
  /** When it began to read the sources, in milliseconds since 1970. */
  readonly began: number;
}

interface Compiled {
  readonly module: SourceModule;
  /** What it imports, and how, in order. */
  readonly specifiers: string;
}

type Import = Esbuild.Metafile['inputs'][string]['imports'][number];

/** How esbuild compiles a source, in a bundle or alone. */
export function sourceOptions(root: string): Esbuild.BuildOptions {
  return {
    absWorkingDir: root,
    platform: 'node',
    format: 'esm',
    // With plain node20, esbuild would drop the import attributes of JSON imports.
    target: 'node20.19',
    keepNames: true,
    metafile: true,
    logLevel: 'silent',
    ...separateMap,
  };
}

export class SourceModules {
  readonly #esbuild: typeof Esbuild;
  readonly #root: string;
  readonly #entry: string;
  readonly #modules = new Map<string, SourceModule>();
  /** The specifiers that each file imports, in their order. */
  readonly #specifiers = new Map<string, string>();
  /** The stamps of the files when they were compiled. */
  readonly #stamps = new Map<string, string>();
  /** Files that have changed, and whose last compilation has failed or does not count. */
  readonly #outdated = new Set<string>();

  private constructor(esbuild: typeof Esbuild, root: string, entry: string) {
    this.#esbuild = esbuild;
    this.#root = root;
    this.#entry = entry;
  }

  /**
   * Compiles all files of a bundle one by one. Undefined if they would not behave as in the bundle, or cannot be
   * compiled.
   * @param former the modules of an earlier bundle: those that are the same again stay the same objects
   */
  static async of(
    esbuild: typeof Esbuild,
    root: string,
    { entry, metafile, began }: BundledSources,
    former?: SourceModules,
  ): Promise<SourceModules | undefined> {
    const imports = new Map<string, SourceModule['imports']>();
    for (const [name, input] of Object.entries(metafile.inputs)) {
      const path = resolve(root, name);
      if (input.format === 'cjs' || !isOwnSource(root, path) || !input.imports.every(isPlain))
        return undefined;
      imports.set(path, targets(root, input.imports));
    }
    const paths = [...imports.keys()];
    if (dropsModules(root, paths)) return undefined;
    const modules = new SourceModules(esbuild, root, entry);
    const stamps = stampsOf(paths);
    try {
      const compiled = modules.#read(await modules.#run(paths), (path) => imports.get(path));
      if (compiled?.length !== paths.length) return undefined;
      // The bundle says nothing of what files import that were written since.
      if (!paths.every((path) => statSync(path).mtimeMs <= began)) return undefined;
      for (const one of compiled) modules.#keep(one, stamps, former?.find(one.module.path));
      return modules;
    } catch {
      // The next build says why.
      return undefined;
    }
  }

  /** All modules, as they were compiled last. */
  get all(): readonly SourceModule[] {
    return [...this.#modules.values()];
  }

  find(path: string): SourceModule | undefined {
    return this.#modules.get(path);
  }

  /**
   * Undefined if more has changed than the code of modules: a file that is new or gone, or what a module imports. The
   * same if one of several files has an error, for it may not be imported any more.
   */
  async compile(changed: readonly string[]): Promise<CompiledModules | undefined> {
    for (const path of changed) this.#outdated.add(path);
    const paths = [...this.#outdated];
    if (!paths.every((path) => this.#modules.has(path) && existsSync(path))) return undefined;
    let results: Esbuild.BuildResult[];
    const stamps = stampsOf(paths);
    try {
      results = await this.#run(paths);
    } catch (error) {
      if (!(error instanceof Error && 'errors' in error)) throw error;
      const errors = error.errors as Esbuild.Message[];
      return paths.length > 1 || errors.some(isAwait) ? undefined : { ok: false, errors };
    }
    // In a bundle, some of these are errors.
    if (results.some(({ warnings }) => warnings.length > 0)) return undefined;
    const compiled = this.#read(results, (path) => this.#modules.get(path)?.imports);
    const isSame = ({ module, specifiers }: Compiled) => this.#specifiers.get(module.path) === specifiers;
    if (compiled?.length !== paths.length || !compiled.every(isSame)) return undefined;
    for (const one of compiled) this.#keep(one, stamps);
    return { ok: true, modules: this.all };
  }

  /** Those of these modules that were written since they were compiled. */
  written(paths: Iterable<string>): string[] {
    return [...paths].filter((path) => this.#modules.has(path) && this.#stamps.get(path) !== stampOf(path));
  }

  /** The last compilation of the file does not count. */
  forget(path: string): void {
    this.#outdated.add(path);
  }

  /** Compiles the entry on its own: top-level await in it does not change the order of the modules. */
  #run(paths: readonly string[]): Promise<Esbuild.BuildResult[]> {
    const parts = [
      paths.filter((path) => path !== this.#entry),
      paths.filter((path) => path === this.#entry),
    ];
    return Promise.all(parts.filter((part) => part.length > 0).map((part) => this.#build(part)));
  }

  #build(paths: readonly string[]): Promise<Esbuild.BuildResult> {
    return this.#esbuild.build({
      ...sourceOptions(this.#root),
      // Named by numbers: files that differ in their extension alone would have the same output.
      entryPoints: paths.map((path, index) => ({ in: path, out: String(index) })),
      outdir: join(this.#root, bundleFolder),
      bundle: false,
      treeShaking: true,
      // In a bundle, modules wait for each other where they do not otherwise.
      ...(paths[0] !== this.#entry && { supported: { 'top-level-await': false } }),
    });
  }

  /** Undefined if a module would not behave as in a bundle. */
  #read(
    results: readonly Esbuild.BuildResult[],
    importsOf: (path: string) => SourceModule['imports'] | undefined,
  ): Compiled[] | undefined {
    const compiled = results.map((result) => this.#readOne(result, importsOf));
    return compiled.every((one) => one !== undefined) ? compiled.flat() : undefined;
  }

  #readOne(
    { outputFiles = [], metafile }: Esbuild.BuildResult,
    importsOf: (path: string) => SourceModule['imports'] | undefined,
  ): Compiled[] | undefined {
    const files = new Map(outputFiles.map((file) => [file.path, file]));
    const compiled: Compiled[] = [];
    for (const [name, { entryPoint, imports: found }] of Object.entries(metafile?.outputs ?? {})) {
      if (entryPoint === undefined) continue;
      const output = resolve(this.#root, name);
      const path = resolve(this.#root, entryPoint);
      const code = files.get(output)?.text ?? '';
      const map = files.get(`${output}.map`);
      const imports = importsOf(path) ?? {};
      if (!map || asksForBundle(code) || !found.every((one) => Object.hasOwn(imports, one.path)))
        return undefined;
      const starred = [...code.matchAll(/^export \* from "([^"\n]+)"/gm)];
      // Two packages may export the same thing under one name: only a bundle knows that it is the same.
      if (starred.some(([, name = '']) => !isAbsolute(imports[name] ?? ''))) return undefined;
      const packages = found
        .filter(({ kind }) => kind === 'import-statement')
        .map((one) => imports[one.path] as string)
        .filter((target) => !isAbsolute(target));
      const url = pathToFileURL(join(this.#root, bundleFolder, relative(this.#root, path))).href;
      const attributes = [...code.matchAll(/ with \{[^}\n]*\}/g)].map(([text]) => text);
      const specifiers = [...found.map((one) => `${one.kind} ${one.path}`), ...attributes].join('\n');
      const module = { path, url, code, map: absoluteSources(map), imports, packages };
      compiled.push({ module, specifiers });
    }
    return compiled;
  }

  #keep({ module, specifiers }: Compiled, stamps: Stamps, former?: SourceModule): void {
    this.#stamps.set(module.path, stamps.get(module.path) ?? '');
    const isSame = former && JSON.stringify(former) === JSON.stringify(module);
    this.#modules.set(module.path, isSame ? former : module);
    this.#specifiers.set(module.path, specifiers);
    this.#outdated.delete(module.path);
  }
}

type Stamps = ReadonlyMap<string, string>;

/** Before they are read: what is written meanwhile has another stamp then. */
function stampsOf(paths: readonly string[]): Stamps {
  return new Map(paths.map((path) => [path, stampOf(path)]));
}

function targets(root: string, imports: readonly Import[]): Record<string, string> {
  return Object.fromEntries(
    imports.map(({ path, original, external }) => [original ?? path, external ? path : resolve(root, path)]),
  );
}

/** `require`, names that are put together, and attributes of what is not bundled are left to a bundle. */
function isPlain({ path, kind, external, with: attributes }: Import): boolean {
  // A pattern stands for all files that a dynamic import may mean.
  if (external && (attributes !== undefined || path.includes('*'))) return false;
  if (attributes !== undefined && attributes.type !== 'json') return false;
  return kind === 'import-statement' || kind === 'dynamic-import';
}

function isAwait({ text }: Esbuild.Message): boolean {
  return text.startsWith('Top-level await');
}

/** In a bundle, esbuild leaves out modules that this field of package.json says to have no effects. */
function dropsModules(root: string, paths: readonly string[]): boolean {
  const folders = new Set([root]);
  for (const path of paths) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return [...folders].some((folder) => {
    try {
      return 'sideEffects' in JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    } catch {
      return false;
    }
  });
}

function isOwnSource(root: string, path: string): boolean {
  if (!path.startsWith(root + sep) || path.includes(`${sep}node_modules${sep}`)) return false;
  return /^\.(?:[cm]?[jt]s|[jt]sx|json)$/.test(extname(path));
}

/** What is not the same in a module alone as in a bundle, see `SourceMeta`: all uses but the usual ones of `import.meta`. */
function asksForBundle(code: string): boolean {
  return (
    // Of a name that is put together, esbuild says nothing if it does not bundle.
    /\bimport\((?!"[^"\n]*"[,)])/.test(code) ||
    /\bmodule\.exports\b|\b__commonJS\b/.test(code) ||
    /\bimport\.meta\b(?!\.(?:url|dirname|filename)\b)/.test(code) ||
    /\b__(?:dirname|filename)\b/.test(code) ||
    /(?<![\w$.])require ?[.([\],;)}:?]|\btypeof require\b/.test(code)
  );
}
