// The contract of procedures without a schema: inferred with the app's own TypeScript, written to a file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { KeptTypes } from '../../framework/client-gen/cache/kept-types.js';
import type { Reach } from '../../framework/client-gen/cache/known-types.js';
import type { Compiler } from '../../framework/client-gen/compiler/compiler.js';
import { placeOf } from '../../framework/client-gen/compiler/place-of.js';
import { isTestFile } from '../../framework/client-gen/find/own-files.js';
import { mayRegister } from '../../framework/client-gen/find/registering-files.js';
import type { OnProcedure } from '../../framework/client-gen/infer-from.js';
import { InferenceError, type InferredTypes } from '../../framework/client-gen/inferred-types.js';
import { type AbsolutePath, absolutePath } from '../../framework/files/absolute-path.js';
import { contractText, hasContract } from '../../framework/rpc/contract/contract-text.js';
import { circularConfig, configFor } from '../config/tsconfig.js';
import { readText } from '../files/read-text.js';
import { isOnlyGiven } from './stored/given-contract.js';
import type { StoredInference } from './stored/stored-inference.js';

export interface Inferred {
  /** The text of the contract file; undefined if the app has nothing that needs one. */
  readonly text: string | undefined;
  readonly types: InferredTypes;
}

/** Keeps the compiler between runs, which makes the next run several times faster. */
export class ContractSource {
  readonly #root: AbsolutePath;
  readonly #reached = new ReachedFiles();
  readonly #kept = new KeptTypes();
  readonly #contract: AbsolutePath;
  readonly #again: boolean;
  readonly #stored: StoredInference | undefined;
  #isRecalled = false;
  /** When the compiler began to read the program, in milliseconds since 1970. */
  #since = 0;
  #compiler: Compiler<never> | undefined;
  /** The settings that the compiler was started with. */
  #config: AbsolutePath | undefined;
  /** Whether the compiler was used, so that it is told of changes. */
  #isUsed = false;
  #last: Inferred | undefined;
  /** Changes that the compiler does not know yet, because no procedure depends on them. */
  #unheard: AbsolutePath[] = [];

  /**
   * @param contract the file that is generated
   * @param again whether `infer` may be called again, for which it learns what the types depend on
   * @param stored what was inferred by an earlier command, which is used if nothing has changed
   */
  constructor(root: AbsolutePath, contract: AbsolutePath, again = true, stored?: StoredInference) {
    this.#root = root;
    this.#contract = contract;
    this.#again = again;
    this.#stored = stored;
  }

  /** False if the app has no TypeScript: then every procedure must have a schema or a type string. */
  canInfer(): boolean {
    if (!existsSync(join(this.#root, 'tsconfig.json'))) return false;
    try {
      createRequire(join(this.#root, 'package.json')).resolve('typescript/package.json');
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Lets a compiler that has a process of its own read the program while this one does other things. Whether files
   * change meanwhile must not matter. There is no compiler if the types are stored.
   *
   * @throws Error if the compiler cannot be started
   */
  async begin(): Promise<void> {
    if (!this.canInfer()) return;
    this.#recall();
    if (this.#last !== undefined) return;
    const { readsBeside } = await import('../../framework/client-gen/load-compiler.js');
    if (readsBeside(this.#root) && circularConfig(this.#configNow()) === undefined)
      this.#compiler = await this.#load();
  }

  /** Whether what was inferred last is that of an earlier command. */
  get isStored(): boolean {
    return this.#last !== undefined && this.#stored !== undefined && this.#compiler === undefined;
  }

  /** False if changes of these files cannot change what was inferred last. */
  isReachedBy(changed: readonly AbsolutePath[]): boolean {
    return this.canInfer() && (this.#last === undefined || this.#reached.isReachedBy(changed));
  }

  /**
   * @param onFirst called, and awaited, when the compiler was loaded, before the first inference; `open` waits until it
   *   has read the program, and nothing else happens in this process meanwhile
   * @throws InferenceError for types that cannot be inferred; Error for an unsupported version of TypeScript
   */
  async infer(
    changed: readonly AbsolutePath[],
    onFirst: (open: () => void) => Promise<void> = async () => {},
    onProcedure?: OnProcedure,
  ): Promise<Inferred> {
    this.#recall();
    if (this.#last !== undefined && !changed.some((file) => this.isReachedBy([file]))) {
      if (this.isStored) await onFirst(() => {});
      this.#unheard.push(...changed);
      return this.#last;
    }
    const heard = [...new Set([...this.#unheard, ...changed])];
    // Until they are recorded, because the inference may fail.
    this.#unheard = heard;
    this.#last = undefined;
    let reach: Reach | undefined;
    const config = this.#configNow();
    demandEnd(config);
    if (this.#compiler !== undefined && this.#config !== config) this.close();
    this.#compiler ??= await this.#load();
    const compiler = this.#compiler;
    if (!this.#isUsed) await onFirst(() => compiler.open?.());
    else {
      if (heard.length > 0) compiler.update(heard);
      reach = this.#reached.reach(heard, this.#contract);
    }
    this.#isUsed = true;
    const types = this.#kept.infer(compiler, reach, onProcedure);
    if (this.#again) this.#reached.record(compiler, heard);
    this.#unheard = [];
    this.#last = { types, text: hasContract(types) ? contractText(types) : undefined };
    return this.#last;
  }

  /** Keeps what was inferred for the next command. Takes a few milliseconds, in which nothing should wait for it. */
  store(): void {
    if (this.#compiler === undefined || this.#last === undefined) return;
    this.#stored?.write(this.#last, this.#compiler.sources.all, this.#since);
  }

  /** Takes what an earlier command has inferred, before anything was inferred here. */
  #recall(): void {
    if (!this.#isRecalled) this.#last = this.#stored?.read();
    this.#isRecalled = true;
  }

  close(): void {
    this.#compiler?.close();
    this.#compiler = undefined;
    this.#isUsed = false;
  }

  /** The settings of the sources beside the contract, of which the program of the client is the first. */
  #configNow(): AbsolutePath {
    const folder = dirname(this.#contract);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const own = names.filter((name) => CODE.test(name) && !isTestFile(name, ''));
    return absolutePath(
      configFor(this.#root, ...['generate-client.ts', ...own].map((name) => join(folder, name))),
    );
  }

  async #load(): Promise<Compiler<never>> {
    this.#since = Date.now();
    const { loadCompiler } = await import('../../framework/client-gen/load-compiler.js');
    this.#config = this.#configNow();
    return loadCompiler(this.#root, { once: !this.#again, config: this.#config });
  }
}

/** @throws InferenceError if a file of the settings extends itself, by others or not */
function demandEnd(config: AbsolutePath): void {
  const file = circularConfig(config);
  if (file === undefined) return;
  const text = readText(file);
  const message =
    'the settings extend themselves: this "extends" leads back to a file that has led here; remove it, or name another file (TS18000)';
  throw new InferenceError([{ place: placeOf(file, text, Math.max(text.indexOf('"extends"'), 0)), message }]);
}

const CODE = /\.[cm]?tsx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const FOREIGN = /[\\/]node_modules[\\/]|^bundled:/;
/** Imports, exports, requires and directives, also in comments and texts: one too many costs only a generation. */
const NAMED =
  /(?:\bfrom|\bimport|\b(?:import|require)\s*\(|<reference\s+(?:path|types|lib)\s*=)\s*(['"`])(.*?)\1/gs;

type Reader = Pick<Compiler<never>, 'sources' | 'imports' | 'isAlwaysModule'>;

export class ReachedFiles {
  /** The app's files, and whether the declarations of each are global (apply without an import). */
  readonly #ambient = new Map<AbsolutePath, boolean>();
  /** Files without an import or an export that are modules nevertheless. */
  readonly #modules = new Set<AbsolutePath>();
  readonly #imports = new Map<AbsolutePath, readonly AbsolutePath[]>();
  readonly #known = new KnownImports();
  /** Changed files that were there when they were recorded. */
  readonly #present = new Set<AbsolutePath>();
  /** All files of the program. */
  #program: ReadonlySet<AbsolutePath> = new Set();
  #withRoutes = false;
  #reached: ReadonlySet<AbsolutePath> | undefined;

  /** Records the files and imports that a compiler has just read. */
  record(compiler: Reader, changed: readonly AbsolutePath[]): void {
    // If a file was added or removed, an import in another file may now resolve to a different file.
    if (!changed.every((file) => this.#isOld(file))) this.#forget();
    for (const file of changed) {
      if (existsSync(file)) this.#present.add(file);
      else this.#present.delete(file);
      this.#ambient.delete(file);
      this.#imports.delete(file);
    }
    const { own, registering, withRoutes } = compiler.sources;
    this.#withRoutes = withRoutes;
    this.#program = new Set(compiler.sources.all);
    const declared = compiler.sources.all.filter((file) => DECLARATIONS.test(file) && !FOREIGN.test(file));
    for (const file of [...own, ...declared]) if (!this.#ambient.has(file)) this.#read(file, compiler);
    const reached = new Set(registering);
    for (const file of reached) for (const other of this.#importsOf(file, compiler)) reached.add(other);
    this.#reached = reached;
  }

  /** False if changes of these files cannot change the type of a procedure. */
  isReachedBy(changed: readonly AbsolutePath[]): boolean {
    const reached = this.#reached;
    if (reached === undefined) return true;
    return changed.some((file) => {
      if (reached.has(file) || basename(file) === 'package.json') return true;
      if (!CODE.test(file)) return false;
      const wasAmbient = this.#ambient.get(file);
      if (wasAmbient !== false || DECLARATIONS.test(file) || !existsSync(file)) return true;
      const text = readFileSync(file, 'utf8');
      return (
        isAmbient(text, this.#modules.has(file)) ||
        mayRegister(text, this.#withRoutes) ||
        !this.#known.hasAllOf(file, text)
      );
    });
  }

  /**
   * How changes that a compiler has just read, and that are not recorded yet, reach the types of files; undefined if they
   * may reach everything. The program must still have the same files.
   *
   * @param contract the file that is generated from the types
   */
  reach(changed: readonly AbsolutePath[], contract: AbsolutePath): Reach | undefined {
    if (this.#reached === undefined) return undefined;
    const reaching = changed.filter((file) => {
      if (file === contract) return this.#program.has(file) && !this.#isOnlyGiven(file);
      // Another JSON file may be a part of the settings. A new file of code that matters becomes one of the program's.
      return this.#program.has(file) || file.endsWith('.json');
    });
    if (!reaching.every((file) => this.#isModule(file))) return undefined;
    // What a file imports since the change is used by statements that were changed, or depend on them.
    return (file) => {
      if (importsOneOf(file, reaching, this.#imports)) return 'imports';
      return reaching.includes(file) ? 'itself' : 'not';
    };
  }

  #isOnlyGiven(contract: AbsolutePath): boolean {
    const importing = [...this.#imports].filter(([, imports]) => imports.includes(contract));
    return importing.every(([file]) => isOnlyGiven(contract, readFileSync(file, 'utf8')));
  }

  /** Whether a file was and is a module whose declarations reach only what imports it. */
  #isModule(file: AbsolutePath): boolean {
    const isCode = CODE.test(file) && existsSync(file) && this.#ambient.get(file) === false;
    return isCode && !isAmbient(readFileSync(file, 'utf8'), this.#modules.has(file));
  }

  /** Whether a file was and is there, and decides about no other one; also of generated files that are not code. */
  #isOld(file: AbsolutePath): boolean {
    const wasThere = this.#ambient.has(file) || this.#present.has(file);
    return wasThere && existsSync(file) && basename(file) !== 'package.json';
  }

  /** Everything that depends on which files there are, and on what a package.json says. */
  #forget(): void {
    this.#imports.clear();
    this.#ambient.clear();
    this.#known.clear();
  }

  #read(file: AbsolutePath, compiler: Reader): void {
    const text = readFileSync(file, 'utf8');
    const isModule = !looksLikeModule(text) && compiler.isAlwaysModule(file);
    if (isModule) this.#modules.add(file);
    else this.#modules.delete(file);
    this.#ambient.set(file, isAmbient(text, isModule));
    this.#known.add(file, text);
  }

  #importsOf(file: AbsolutePath, compiler: Reader): readonly AbsolutePath[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const imports = compiler.imports(file).filter((other) => !FOREIGN.test(other));
    this.#imports.set(file, imports);
    return imports;
  }
}

/** What the app's files import: an import that may bring other global declarations must be noticed. */
class KnownImports {
  readonly #known = new Set<string>();

  add(file: string, text: string): void {
    for (const name of importedBy(file, text)) this.#known.add(name);
  }

  /** False if a file with this text imports something that no file has imported from there so far. */
  hasAllOf(file: string, text: string): boolean {
    return importedBy(file, text).every((name) => this.#known.has(name));
  }

  clear(): void {
    this.#known.clear();
  }
}

/** Names of packages, and absolute paths as they are written, with or without an extension. */
function importedBy(file: string, text: string): string[] {
  return [...text.matchAll(NAMED)].map(([found, , name = '']) =>
    name.startsWith('.') || found.startsWith('<reference') ? resolve(dirname(file), name) : name,
  );
}

/**
 * True for a script, whose names are global, and for a module with global declarations.
 *
 * @param isModule whether it is a module even without an import or an export
 */
function isAmbient(text: string, isModule: boolean): boolean {
  return (!isModule && !looksLikeModule(text)) || /\bdeclare\s+(?:global|module)\b/.test(text);
}

function looksLikeModule(text: string): boolean {
  return /^[ \t\ufeff]*(?:import|export)\b/m.test(text);
}

/** Whether a file imports one of these, directly or not. */
function importsOneOf(
  file: AbsolutePath,
  wanted: readonly AbsolutePath[],
  imports: ReadonlyMap<AbsolutePath, readonly AbsolutePath[]>,
): boolean {
  const importing = new Set([file]);
  for (const one of importing) {
    for (const imported of imports.get(one) ?? []) {
      if (wanted.includes(imported)) return true;
      importing.add(imported);
    }
  }
  return false;
}
