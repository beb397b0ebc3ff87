// Remembers what the app's files import, so that an import that may bring other global declarations is noticed.
import { dirname, resolve } from 'node:path';

/** Imports, exports, requires and directives, also in comments and texts: one too many costs only a generation. */
const NAMED =
  /(?:\bfrom|\bimport|\b(?:import|require)\s*\(|<reference\s+(?:path|types|lib)\s*=)\s*(['"`])(.*?)\1/gs;

export class KnownImports {
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
