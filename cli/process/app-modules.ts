// Runs the app's modules one by one, as they were compiled, where a bundle would need all of them to be built again.
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import type { SourceModule } from '../bundle/source-modules.js';
import { compileWhole, importFrom, type Load } from './load-packages.js';

/** What a package exports, and the module in which the app's modules see it. */
interface Package {
  readonly namespace: Readonly<Record<string, unknown>>;
  readonly module: vm.SyntheticModule;
  /** The exports as the app's modules see them. */
  readonly values: Map<string, unknown>;
}

interface Made {
  readonly source: SourceModule;
  readonly module: vm.SourceTextModule;
}

/** Modules that fit together, and can be evaluated. */
interface Linked {
  readonly entry: string;
  readonly packages: readonly Package[];
}

/** The modules cannot run as they are; a bundle of them may be able to, or says what is wrong. */
export class UnlinkedError extends Error {}

export class AppModules {
  readonly #load: Load;
  readonly #made = new Map<string, Made>();
  /** The newest sources, by their paths, that were not compiled yet, or could not be. */
  readonly #uncompiled = new Map<string, SourceModule>();
  readonly #sources = new Map<vm.Module, SourceModule>();
  readonly #packages = new Map<string, Promise<Package>>();
  /** By the names of packages, what the app's modules import from them. */
  readonly #imported = new Map<string, Set<string> | 'all'>();
  #learning: Promise<void> = Promise.resolve();
  #linked: Linked | undefined;
  #running: Promise<unknown> = Promise.resolve();

  /** @param bundle the file as from which packages are resolved */
  constructor(bundle: string) {
    this.#load = importFrom(bundle);
  }

  /**
   * Compiles modules in advance.
   * @param loaded the packages that this process has loaded
   */
  learn(sources: readonly SourceModule[], loaded: readonly string[]): void {
    // What is wrong with them shows when they run, if they do.
    this.#learning = compileWhole(() => this.#learn(sources, loaded)).catch(() => {});
  }

  async #learn(sources: readonly SourceModule[], loaded: readonly string[]): Promise<void> {
    this.#makeAll(sources);
    const names = new Set(sources.flatMap(({ packages }) => packages));
    for (const name of names) {
      if (loaded.includes(name) || isLoadedByNode(name)) await this.#package(name);
    }
  }

  /**
   * Links in advance what `run` will probably be called with, unless that would load a package. Nothing is evaluated;
   * `run` links other modules instead if it is called with others.
   */
  link(entry: string, changed: readonly SourceModule[], packages: readonly string[]): void {
    this.#learning = this.#learning
      .then(() => this.#linkAll(entry, changed, packages, false))
      // What is wrong shows when they run.
      .catch(() => {});
  }

  /**
   * Runs the module of `entry` with all that it imports, and settles with it.
   * @param changed the modules that differ from those that were learned and linked
   * @param packages what the app imports statically, in order of evaluation
   * @throws UnlinkedError before any of them has run
   */
  async run(entry: string, changed: readonly SourceModule[], packages: readonly string[]): Promise<void> {
    await this.#learning;
    const isLinked = changed.length === 0 && this.#linked?.entry === entry;
    if (!isLinked) await this.#linkAll(entry, changed, packages, true);
    this.#running = this.#found(entry).module.evaluate();
    await this.#running;
  }

  /** @param loads whether packages are loaded; otherwise, nothing is linked if some would have to be */
  async #linkAll(
    entry: string,
    changed: readonly SourceModule[],
    packages: readonly string[],
    loads: boolean,
  ): Promise<void> {
    this.#linked = undefined;
    try {
      this.#makeAll(changed);
      // A module can be linked only once.
      for (const { source, module } of [...this.#made.values()]) {
        if (module.status !== 'unlinked') this.#make(source);
      }
    } catch (cause) {
      throw new UnlinkedError('a module cannot be compiled', { cause });
    }
    const reached = this.#reachedFrom(entry);
    // As in a bundle, packages are evaluated before the modules of the app.
    const names = new Set([...packages, ...reached.flatMap(({ source }) => source.packages)]);
    if (!loads && ![...names].every((name) => this.#packages.has(name))) return;
    const imported: Package[] = [];
    for (const name of names) imported.push(await this.#package(name));
    try {
      for (const { module } of reached) {
        if (module.status === 'unlinked') await module.link(this.#link);
      }
    } catch (cause) {
      throw new UnlinkedError('the modules do not fit together', { cause });
    }
    this.#linked = { entry, packages: imported };
  }

  /**
   * Whether a package has changed what it exports since the app has imported it. Modules that run already see the new
   * values from now on.
   */
  refresh(): boolean {
    let isChanged = false;
    for (const { namespace, module, values } of this.#linked?.packages ?? []) {
      const imported = this.#imported.get(module.identifier) ?? [];
      for (const name of imported === 'all' ? values.keys() : imported) {
        // It has no values before it is evaluated.
        if (!values.has(name) || Object.is(namespace[name], values.get(name))) continue;
        isChanged = true;
        values.set(name, namespace[name]);
        module.setExport(name, namespace[name]);
      }
    }
    return isChanged;
  }

  /** Without one of them, nothing may run: the module before it has other code. */
  #makeAll(sources: readonly SourceModule[]): void {
    for (const source of sources) this.#uncompiled.set(source.path, source);
    for (const [path, source] of this.#uncompiled) {
      this.#make(source);
      this.#uncompiled.delete(path);
    }
  }

  #make(source: SourceModule): void {
    const module = withoutWarnings(
      () =>
        new vm.SourceTextModule(source.code, {
          identifier: source.url,
          initializeImportMeta: (meta) => {
            const filename = source.path;
            Object.assign(meta, { url: pathToFileURL(filename).href, filename, dirname: dirname(filename) });
          },
          importModuleDynamically: ((specifier: string) => this.#import(specifier, source)) as never,
        }),
    );
    registerMap(source);
    for (const [specifier, names] of importedNames(source.code)) {
      this.#watch(source.imports[specifier] ?? specifier, names);
    }
    this.#made.set(source.path, { source, module });
    this.#sources.set(module, source);
  }

  #watch(name: string, names: readonly string[] | 'all'): void {
    const known = this.#imported.get(name) ?? [];
    if (known !== 'all') this.#imported.set(name, names === 'all' ? names : new Set([...known, ...names]));
  }

  /** The modules that the entry imports, directly or not, statically or later; the entry is the first. */
  #reachedFrom(entry: string): Made[] {
    const reached = new Map<string, Made>([[entry, this.#found(entry)]]);
    // A map's iterator visits what is added meanwhile.
    for (const { source } of reached.values()) {
      for (const target of Object.values(source.imports)) {
        const made = this.#made.get(target);
        if (made) reached.set(target, made);
      }
    }
    return [...reached.values()];
  }

  #found(path: string): Made {
    const made = this.#made.get(path);
    if (!made) throw new UnlinkedError(`there is no module ${path}`);
    return made;
  }

  readonly #link = async (specifier: string, from: vm.Module): Promise<vm.Module> => {
    const target = this.#sources.get(from)?.imports[specifier] ?? specifier;
    return this.#made.get(target)?.module ?? (await this.#package(target)).module;
  };

  async #import(specifier: string, from: SourceModule): Promise<unknown> {
    const target = from.imports[specifier] ?? specifier;
    const module = this.#made.get(target)?.module;
    if (!module) return this.#load(target);
    // The code that imports may itself run as a part of that module: wait until it has returned.
    await undefined;
    // A module that runs, and waits in its code for the import of itself: it is complete when the entry is.
    if (module.status === 'evaluating') await this.#running;
    else await module.evaluate();
    return module;
  }

  #package(name: string): Promise<Package> {
    const known = this.#packages.get(name);
    if (known) return known;
    const loading = this.#wrap(name);
    this.#packages.set(name, loading);
    return loading;
  }

  async #wrap(name: string): Promise<Package> {
    const namespace = (await this.#load(name)) as Record<string, unknown>;
    const values = new Map<string, unknown>();
    const module = withoutWarnings(
      () =>
        new vm.SyntheticModule(
          Object.keys(namespace),
          () => {
            for (const key of Object.keys(namespace)) {
              values.set(key, namespace[key]);
              module.setExport(key, namespace[key]);
            }
          },
          { identifier: name },
        ),
    );
    return { namespace, module, values };
  }
}

/** Loading it again prints nothing, such as that it is experimental. */
function isLoadedByNode(name: string): boolean {
  const { moduleLoadList = [] } = process as { moduleLoadList?: readonly string[] };
  return moduleLoadList.includes(`NativeModule ${name.replace(/^node:/, '')}`);
}

/** What a module imports from where, as esbuild prints it: for each specifier the names there, or all of them. */
function importedNames(code: string): [specifier: string, names: readonly string[] | 'all'][] {
  // The lists that are longer are not watched: the expression would not be linear without a limit.
  const found = code.matchAll(/^(?:import|export) ([^"';]{1,2000}?) from "([^"\n]+)"/gm);
  return [...found].map(([, clause = '', specifier = '']) => {
    if (clause.includes('*')) return [specifier, 'all'];
    const listed = /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? [];
    const names = listed.map((one) => one.trim().split(' ', 1)[0] ?? '');
    return [specifier, clause.startsWith('{') ? names : ['default', ...names]];
  });
}

/** Node reads the source map of code that is evaluated from a string, and ignores that of a module of `node:vm`. */
function registerMap({ map, url }: SourceModule): void {
  const data = Buffer.from(map).toString('base64');
  evaluate(`//# sourceMappingURL=data:application/json;base64,${data}\n//# sourceURL=${url}`);
}

// biome-ignore lint/security/noGlobalEval: the text has nothing but two comments
const evaluate = globalThis.eval;

/** Node warns once that modules of `node:vm` are experimental, which tells the developer of the app nothing. */
function withoutWarnings<Result>(make: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return make();
  } finally {
    process.emitWarning = emitWarning;
  }
}
