// Inference: keeps what was found in each file, so that after a change only what depends on it is asked for again.
import type { Sources } from '../compiler.js';
import type { NamedType, TypeNames } from '../defined-types.js';
import type { FoundTypes } from '../found-types.js';
import { foundIn, type Grouped, grouped } from './grouped.js';
import { KnownTypes } from './known-types.js';
import type { Statement } from './statements.js';

/**
 * How changes reach the types of a file: not at all, because neither it nor a file that it imports was changed; because
 * it was changed `itself`, and nothing that it imports; or by what it imports.
 */
export type Reach = (file: string) => 'not' | 'itself' | 'imports';

interface KeptFile {
  readonly statements: readonly Statement[];
  readonly found: FoundTypes;
}

/** What one inference has found. */
export interface Kept {
  readonly files: ReadonlyMap<string, KeptFile>;
  readonly names: { readonly input: NamedTypeMap; readonly output: NamedTypeMap };
  readonly sources: Sources;
}

export type NamedTypeMap = ReadonlyMap<string, NamedType>;

export class KeptTypes {
  #kept: Kept | undefined;

  /** What is still known. @param reach undefined if the changes may reach everything */
  after(reach: Reach | undefined): KnownTypes {
    return reach === undefined ? new KnownTypes() : new KnownTypes(this.#kept, reach);
  }

  keep(found: FoundTypes, names: TypeNames, known: KnownTypes, sources: Sources): void {
    const groups: Grouped = grouped(found);
    const files = new Map<string, KeptFile>();
    for (const file of sources.registering) {
      const statements = known.statements(file);
      if (statements !== undefined) files.set(file, { statements, found: foundIn(groups, file) });
    }
    const { input, output } = names;
    this.#kept = { files, names: { input: input.all(), output: output.all() }, sources };
  }

  /** The texts of the top-level statements of a file one after the other, if they are known. */
  statements(file: string): readonly string[] | undefined {
    return this.#kept?.files.get(file)?.statements.map(({ text }) => text);
  }

  forget(): void {
    this.#kept = undefined;
  }
}
