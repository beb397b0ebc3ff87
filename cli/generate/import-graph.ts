// Tells from the text of sources alone whether a change can reach the types of procedures; where it cannot be
// told, it can. What is left out of a generation by this costs a save nothing.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import type { Sources } from '../../framework/client-gen/compiler.js';
import { mayRegister } from '../../framework/client-gen/find-registrations.js';

interface Facts {
  /** Files that it imports; undefined where one of them cannot be found by its text. */
  readonly imports: readonly string[] | undefined;
  /** Its declarations hold everywhere, imported or not. */
  readonly isAmbient: boolean;
  readonly mayRegister: boolean;
}

const code = /\.[cm]?tsx?$/;
const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])([^'"\n]+)\1/g;

export class ImportGraph {
  readonly #root: string;
  readonly #facts = new Map<string, Facts>();
  #reached: ReadonlySet<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Takes over what a compiler has just read. */
  learn({ own, registering }: Sources, changed: readonly string[]): void {
    for (const file of changed) this.#facts.delete(file);
    for (const file of own) this.#of(file);
    this.#reached = this.#reach(registering);
  }

  /** False where no type of a procedure can have changed with these files. */
  isReachedBy(changed: readonly string[]): boolean {
    const reached = this.#reached;
    if (reached === undefined) return true;
    return changed.some((file) => {
      if (reached.has(file)) return true;
      if (!code.test(file)) return false;
      const before = this.#facts.get(file);
      if (before === undefined || !existsSync(file) || /\.d\.[cm]?ts$/.test(file)) return true;
      const now = this.#read(file);
      return [before, now].some((facts) => facts.isAmbient || facts.mayRegister);
    });
  }

  /** Undefined where it may be anything. */
  #reach(roots: readonly string[]): ReadonlySet<string> | undefined {
    const reached = new Set(roots);
    for (const file of reached) {
      if (file.endsWith('.json')) continue;
      const { imports } = this.#of(file);
      if (imports === undefined) return undefined;
      for (const other of imports) reached.add(other);
    }
    return reached;
  }

  #of(file: string): Facts {
    const known = this.#facts.get(file);
    if (known !== undefined) return known;
    const facts = this.#read(file);
    this.#facts.set(file, facts);
    return facts;
  }

  #read(file: string): Facts {
    const text = readFileSync(file, 'utf8');
    const isModule = /^\s*(?:import|export)\b/m.test(text);
    return {
      imports: this.#imports(file, text),
      isAmbient: !isModule || /\bdeclare\s+(?:global|module)\b/.test(text),
      mayRegister: mayRegister(text),
    };
  }

  #imports(file: string, text: string): string[] | undefined {
    if (/^\s*\/\/\/\s*<reference\s+path/m.test(text)) return undefined;
    const found: string[] = [];
    for (const [, , specifier = ''] of text.matchAll(specifiers)) {
      const files = specifier.startsWith('.') ? filesOf(dirname(file), specifier) : [];
      if (files.length === 0 && !this.#isPackage(specifier)) return undefined;
      found.push(...files);
    }
    return found;
  }

  /** False for names that only the settings of the project can resolve. */
  #isPackage(specifier: string): boolean {
    if (specifier.startsWith('.')) return false;
    if (isBuiltin(specifier)) return true;
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    for (let folder = this.#root; ; folder = dirname(folder)) {
      if (existsSync(join(folder, 'node_modules', name))) return true;
      if (folder === dirname(folder)) return false;
    }
  }
}

/** Every file that a relative name may mean. */
function filesOf(folder: string, specifier: string): string[] {
  const path = resolve(folder, specifier);
  const bare = path.replace(/\.[cm]?jsx?$/, '');
  const endings = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.json', '/index.ts', '/index.tsx'];
  return [path, ...endings.flatMap((ending) => [`${path}${ending}`, `${bare}${ending}`])].filter(
    (file, index, all) => all.indexOf(file) === index && isFile(file),
  );
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
