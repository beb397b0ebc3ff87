// Finds out which changes can affect the types of procedures, by the imports as the compiler resolves them. Other
// changes need no generation.
import { existsSync, readFileSync } from 'node:fs';
import type { Compiler } from '../../framework/client-gen/compiler.js';
import { mayRegister } from '../../framework/client-gen/registering-files.js';

const code = /\.[cm]?tsx?$/;
const declarations = /\.d\.[cm]?ts$/;

export class ReachedFiles {
  /** The app's files, and whether the declarations of each are global (apply without an import). */
  readonly #ambient = new Map<string, boolean>();
  readonly #imports = new Map<string, readonly string[]>();
  #withRoutes = false;
  #reached: ReadonlySet<string> | undefined;

  /** Records the files and imports that a compiler has just read. */
  learn(compiler: Pick<Compiler<never>, 'sources' | 'imports'>, changed: readonly string[]): void {
    // If a file was added or removed, an import in another file may now resolve to a different file.
    if (!changed.every((file) => this.#ambient.has(file) && existsSync(file))) this.#imports.clear();
    for (const file of changed) {
      this.#ambient.delete(file);
      this.#imports.delete(file);
    }
    const { own, registering, withRoutes } = compiler.sources;
    this.#withRoutes = withRoutes;
    for (const file of own) {
      if (!this.#ambient.has(file)) this.#ambient.set(file, isAmbient(readFileSync(file, 'utf8')));
    }
    const reached = new Set(registering);
    for (const file of reached) for (const other of this.#importsOf(file, compiler)) reached.add(other);
    this.#reached = reached;
  }

  /** False if changes of these files cannot change the type of a procedure. */
  isReachedBy(changed: readonly string[]): boolean {
    const reached = this.#reached;
    if (reached === undefined) return true;
    return changed.some((file) => {
      if (reached.has(file)) return true;
      if (!code.test(file)) return false;
      const wasAmbient = this.#ambient.get(file);
      if (wasAmbient !== false || declarations.test(file) || !existsSync(file)) return true;
      const text = readFileSync(file, 'utf8');
      return isAmbient(text) || mayRegister(text, this.#withRoutes);
    });
  }

  #importsOf(file: string, compiler: Pick<Compiler<never>, 'imports'>): readonly string[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const imports = compiler.imports(file).filter((other) => !/[\\/]node_modules[\\/]/.test(other));
    this.#imports.set(file, imports);
    return imports;
  }
}

/** True for a script, whose names are global, and for a module with global declarations. */
function isAmbient(text: string): boolean {
  return !/^\s*(?:import|export)\b/m.test(text) || /\bdeclare\s+(?:global|module)\b/.test(text);
}
