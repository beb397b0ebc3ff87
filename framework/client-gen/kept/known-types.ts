// Inference: what is known after a change of the types that were found before, and what has to be asked for again.
import type { Known, Sources } from '../compiler.js';
import type { NamedType, TypeNames } from '../defined-types.js';
import type { FoundTypes } from '../found-types.js';
import type { Syntax, SyntaxFile, SyntaxNode } from '../syntax.js';
import { affectedStatements } from './affected.js';
import { byFile, foundIn, grouped, mapPlaces, nothing } from './grouped.js';
import type { Kept, NamedTypeMap, Reach } from './kept-types.js';
import { moveStatements } from './move.js';
import { compareStatements, type Statement } from './statements.js';

export class KnownTypes implements Known {
  readonly #kept: Kept | undefined;
  readonly #reach: Reach;
  /** By file: its statements now, and what is known of it. */
  readonly #files = new Map<
    string,
    { readonly statements: readonly Statement[]; readonly found?: FoundTypes }
  >();

  /** Without parameters, nothing is known. */
  constructor(kept?: Kept, reach: Reach = () => 'imports') {
    this.#kept = kept;
    this.#reach = reach;
  }

  get isPartial(): boolean {
    return this.#kept !== undefined;
  }

  hasFile(file: string): boolean {
    return this.#kept?.files.has(file) === true && this.#reach(file) === 'not';
  }

  unknownIn(file: string, source: SyntaxFile, syntax: Syntax): readonly SyntaxNode[] {
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

  /** The top-level statements of a file. */
  statements(file: string): readonly Statement[] | undefined {
    return (this.#files.get(file) ?? this.#kept?.files.get(file))?.statements;
  }

  /** False if files were added to the program or removed: imports may lead elsewhere, and there may be other globals. */
  isOf({ all, withRoutes }: Sources): boolean {
    const before = this.#kept?.sources;
    if (before === undefined) return true;
    if (withRoutes !== before.withRoutes || all.length !== before.all.length) return false;
    const known = new Set(before.all);
    return all.every((file) => known.has(file));
  }

  /**
   * What was read now and what is known, by the order of files; undefined if that has other types with the same names.
   *
   * @param names gets the names of the types that are known
   */
  with(read: FoundTypes, names: TypeNames, { registering }: Sources): FoundTypes | undefined {
    const fresh = grouped(read);
    const known = registering.flatMap((file) => this.#knownIn(file) ?? []);
    if (this.#kept !== undefined && !addNames(names, this.#kept.names, known)) return undefined;
    return byFile(registering.map((file) => [this.#knownIn(file) ?? nothing, foundIn(fresh, file)]));
  }

  #knownIn(file: string): FoundTypes | undefined {
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
