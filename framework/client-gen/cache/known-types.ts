// Inference: what is known after a change of the types that were found before, and what has to be asked for again.
import type { AbsolutePath } from '../../files/absolute-path.js';
import type { Place, Sources } from '../compiler/compiler.js';
import type { Syntax, SyntaxFile, SyntaxNode } from '../compiler/syntax.js';
import type { FoundTypes } from '../found-types.js';
import type { Knowledge } from '../infer-from.js';
import type { NamedType, TypeNames } from '../walk/defined-types.js';
import { compareStatements, type Section, type Statement } from './statements.js';

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

/**
 * Whether each statement of the new version is affected; undefined if any of them may be.
 *
 * A statement depends on the names in its text, and these on the names in their declarations. Words in comments and
 * names of properties count too, so that a statement too many may be affected, and never one too few.
 */
function affectedStatements(
  before: readonly Statement[],
  after: readonly Statement[],
  { start, rest }: Section,
): readonly boolean[] | undefined {
  const changed = [...before.slice(start, before.length - rest), ...after.slice(start, after.length - rest)];
  if (changed.some(({ kind }) => kind === 'other')) return undefined;
  const declared = namesOf([...before, ...after]);
  const variables = namesOf([...before, ...after].filter(({ isVariable }) => isVariable));
  const names = new Set([...namesOf(changed), ...changed.flatMap((one) => mentionedBy(one, variables))]);
  const isAffected = after.map((_, index) => index >= start && index < after.length - rest);
  let fresh = [...names];
  while (fresh.length > 0) {
    const found = new Set<string>();
    for (const [index, one] of after.entries()) {
      if (mentionedBy(one, fresh).length === 0) continue;
      isAffected[index] = true;
      // Other statements may narrow the types of all names in them.
      const others = one.kind === 'other' ? mentionedBy(one, declared) : one.declares;
      for (const name of others) found.add(name);
    }
    fresh = [...found].filter((name) => !names.has(name));
    for (const name of fresh) names.add(name);
  }
  return isAffected;
}

function namesOf(statements: readonly Statement[]): readonly string[] {
  return [...new Set(statements.flatMap(({ declares }) => declares))];
}

function mentionedBy(statement: Statement, names: readonly string[]): readonly string[] {
  const words = statement.words();
  return names.filter((name) => words.has(name));
}

type Found = { [Part in keyof FoundTypes]: FoundTypes[Part][number][] };

type Grouped = ReadonlyMap<AbsolutePath, FoundTypes>;

const none = (): Found => ({ procedures: [], routes: [], sockets: [], places: [], notes: [] });

function grouped(found: FoundTypes): Grouped {
  const groups = new Map<AbsolutePath, Found>();
  const groupOf = ({ place: { file } }: { readonly place: Place }) => {
    const group = groups.get(file) ?? none();
    groups.set(file, group);
    return group;
  };
  for (const one of found.procedures) groupOf(one).procedures.push(one);
  for (const one of found.routes) groupOf(one).routes.push(one);
  for (const one of found.sockets) groupOf(one).sockets.push(one);
  for (const one of found.places) groupOf(one).places.push(one);
  for (const one of found.notes) groupOf(one).notes.push(one);
  return groups;
}

function foundIn(groups: Grouped, file: AbsolutePath): FoundTypes {
  return groups.get(file) ?? none();
}

function together(parts: readonly FoundTypes[]): FoundTypes {
  return {
    procedures: parts.flatMap(({ procedures }) => procedures),
    routes: parts.flatMap(({ routes }) => routes),
    sockets: parts.flatMap(({ sockets }) => sockets),
    places: parts.flatMap(({ places }) => places),
    notes: parts.flatMap(({ notes }) => notes),
  };
}

/** @param move returns undefined for what is left out */
function mapPlaces(found: FoundTypes, move: (place: Place) => Place | undefined): FoundTypes {
  const moved = <One extends { readonly place: Place }>(list: readonly One[]): One[] =>
    list.flatMap((one) => {
      const place = move(one.place);
      return place === undefined ? [] : [{ ...one, place }];
    });
  const { procedures, routes, sockets, places, notes } = found;
  return {
    procedures: moved(procedures),
    routes: moved(routes),
    sockets: moved(sockets),
    places: moved(places),
    notes: moved(notes),
  };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns the place after a change of what was at a place before; undefined if its statement was changed, or is not kept.
 *
 * @param isKept whether a statement of the new version is
 */
function moveStatements(
  before: readonly Statement[],
  after: readonly Statement[],
  { start, rest }: Section,
  isKept: (index: number) => boolean,
): (place: Place) => Place | undefined {
  const [from, to] = [startsOf(before), startsOf(after)];
  return (place) => {
    const old = indexAt(from, place);
    if (old >= start && old < before.length - rest) return undefined;
    const index = old < start ? old : old + after.length - before.length;
    if (!isKept(index)) return undefined;
    const [began, begins] = [from[old], to[index]];
    if (began === undefined || begins === undefined) return undefined;
    const line = place.line + begins.line - began.line;
    if (place.line > began.line) return { ...place, line };
    return { ...place, line, column: place.column + begins.column - began.column };
  };
}

/** Where the text of each statement starts. */
function startsOf(statements: readonly Statement[]): readonly Position[] {
  let [line, column] = [1, 1];
  return statements.map(({ text }) => {
    const start = { line, column };
    const lines = text.split('\n');
    line += lines.length - 1;
    column = (lines.at(-1) ?? '').length + (lines.length === 1 ? column : 1);
    return start;
  });
}

/** The last statement that starts at the place or before it. */
function indexAt(starts: readonly Position[], { line, column }: Place): number {
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    const { line: startLine, column: startColumn } = starts[middle] as Position;
    if (startLine < line || (startLine === line && startColumn <= column)) low = middle;
    else high = middle;
  }
  return low;
}
