// Inference: what is known after a change of the types that were found before, and what has to be asked for again.
import type { AbsolutePath } from '../../files/absolute-path.js';
import type { Sources } from '../compiler/compiler.js';
import type { Syntax, SyntaxFile, SyntaxNode } from '../compiler/syntax.js';
import type { FoundTypes } from '../found-types.js';
import type { Knowledge } from '../infer-from.js';
import type { NamedType, TypeNames } from '../walk/defined-types.js';
import { affectedStatements } from './affected.js';
import { foundIn, grouped, mapPlaces, together } from './grouped.js';
import { moveStatements } from './move.js';
import { compareStatements, type Statement } from './statements.js';

/**
 * How changes reach the types of a file: not at all, because neither it nor a file that it imports was changed; because
 * it was changed `itself`, and nothing that it imports; or by what it imports.
 */
export type Reach = (file: AbsolutePath) => 'not' | 'itself' | 'imports';

interface KeptFile {
  readonly statements: readonly Statement[];
  readonly found: FoundTypes;
}

/** What one inference has found. */
export interface Kept {
  readonly files: ReadonlyMap<AbsolutePath, KeptFile>;
  readonly names: { readonly input: NamedTypeMap; readonly output: NamedTypeMap };
  readonly sources: Sources;
}

type NamedTypeMap = ReadonlyMap<string, NamedType>;

/** What is known of one version of an app, before it is inferred. */
export class KnownTypes implements Knowledge {
  readonly #kept: Kept | undefined;
  readonly #reach: Reach;
  /** By file: its statements now, and what is known of it. */
  readonly #files = new Map<
    AbsolutePath,
    { readonly statements: readonly Statement[]; readonly found?: FoundTypes }
  >();

  readonly #keep: (kept: Kept | undefined) => void;

  /** @param keep is given what is known afterwards */
  constructor(keep: (kept: Kept | undefined) => void, kept?: Kept, reach: Reach = () => 'imports') {
    this.#keep = keep;
    this.#kept = kept;
    this.#reach = reach;
  }

  get isPartial(): boolean {
    return this.#kept !== undefined;
  }

  hasFile(file: AbsolutePath): boolean {
    return this.#kept?.files.has(file) === true && this.#reach(file) === 'not';
  }

  unknownIn(file: AbsolutePath, source: SyntaxFile, syntax: Syntax): readonly SyntaxNode[] {
    const before = this.#reach(file) === 'itself' ? this.#kept?.files.get(file) : undefined;
    const { after, section } = compareStatements(before?.statements ?? [], source, syntax);
    const affected = before && affectedStatements(before.statements, after, section);
    if (before === undefined || affected === undefined) {
      this.#files.set(file, { statements: after });
      return [source];
    }
    const move = moveStatements(before.statements, after, section, (index) => affected[index] !== true);
    this.#files.set(file, { statements: after, found: mapPlaces(before.found, move) });
    return [...source.statements].filter((_, index) => affected[index]);
  }

  /** False if files were added to the program or removed: imports may lead elsewhere, and there may be other globals. */
  isOf({ all, withRoutes }: Sources): boolean {
    const before = this.#kept?.sources;
    if (before === undefined) return true;
    if (withRoutes !== before.withRoutes || all.length !== before.all.length) return false;
    const known = new Set(before.all);
    return all.every((file) => known.has(file));
  }

  /** @param names gets the names of the types that are known */
  with(read: FoundTypes, names: TypeNames, { registering }: Sources): FoundTypes | undefined {
    if (this.#kept === undefined) return read;
    const known = registering.flatMap((file) => this.#knownIn(file) ?? []);
    return addNames(names, this.#kept.names, known) ? together([...known, read]) : undefined;
  }

  keep(found: FoundTypes | undefined, { input, output }: TypeNames, sources: Sources): void {
    const groups = grouped(found ?? together([]));
    const files = new Map<AbsolutePath, KeptFile>();
    for (const file of sources.registering) {
      const { statements } = this.#files.get(file) ?? this.#kept?.files.get(file) ?? {};
      if (statements !== undefined) files.set(file, { statements, found: foundIn(groups, file) });
    }
    const kept = { files, names: { input: input.all(), output: output.all() }, sources };
    this.#keep(found && kept);
  }

  withoutAll(): KnownTypes {
    return new KnownTypes(this.#keep);
  }

  #knownIn(file: AbsolutePath): FoundTypes | undefined {
    return this.hasFile(file) ? this.#kept?.files.get(file)?.found : this.#files.get(file)?.found;
  }
}

/** False if a name stands for something else by now. */
function addNames(names: TypeNames, kept: Kept['names'], known: readonly FoundTypes[]): boolean {
  const users = known.flatMap(({ procedures, routes, sockets }) => [...procedures, ...routes, ...sockets]);
  const used = (side: 'input' | 'output') =>
    withUsed(
      kept[side],
      users.flatMap(({ uses }) => [...uses[side]]),
    );
  const isSame = names.input.add(used('input')) && names.output.add(used('output'));
  return isSame && names.input.agreesWith(names.output);
}

/** The types that these names stand for, with the types in them. */
function withUsed(types: NamedTypeMap, names: readonly string[]): NamedTypeMap {
  const all = new Set(names);
  const found = new Map<string, NamedType>();
  for (const name of all) {
    const type = types.get(name);
    if (type === undefined) continue;
    found.set(name, type);
    for (const used of type.uses) all.add(used);
  }
  return found;
}
