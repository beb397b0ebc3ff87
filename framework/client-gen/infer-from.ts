// Inference: reads types with a compiler, and joins what was read with what is known from before.

import { nameProblem } from '../rpc/protocol/procedure-name.js';
import { canonicalText, order } from '../wire/canonical.js';
import type { ProcedureNotes, ProcedureTypes } from '../wire/wire-type.js';
import type { Compiler, Finding, Known, Place, Registrations, Sources } from './compiler/compiler.js';
import { comparePlaces } from './compiler/place-of.js';
import type { FoundPlace, FoundProcedure, FoundTypes } from './found-types.js';
import { joinRoutes, readRoutes } from './infer-routes.js';
import { joinSockets, readSockets } from './infer-sockets.js';
import { InferenceError, type InferredTypes } from './inferred-types.js';
import { TypeNames } from './walk/defined-types.js';
import { TypeWalk } from './walk/type-walk.js';
import type { Findings } from './walk/walk-findings.js';

/** What is known before an inference, and what becomes of what it finds. */
export interface Knowledge extends Known {
  /** Whether anything is known. */
  readonly isPartial: boolean;
  /** False if what is known is of another program. */
  isOf(sources: Sources): boolean;
  /** Adds what is known; undefined if that has other types with the same names. */
  with(read: FoundTypes, names: TypeNames, sources: Sources): FoundTypes | undefined;
  /** @param found undefined if nothing of it may be known the next time */
  keep(found: FoundTypes | undefined, names: TypeNames, sources: Sources): void;
  /** The same without anything that is known. */
  withoutAll(): Knowledge;
}

const nothing: Knowledge = {
  isPartial: false,
  hasFile: () => false,
  unknownIn: (_file, source) => [source],
  isOf: () => true,
  with: (read) => read,
  keep: () => {},
  withoutAll: () => nothing,
};

/** Called before each procedure whose types are read. */
export type OnProcedure = (done: number, all: number) => void;

/**
 * Infers everything if too little is known.
 *
 * @throws InferenceError if a type cannot be sent as JSON, or the code does not compile
 */
export function inferFrom<Type>(
  compiler: Compiler<Type>,
  known: Knowledge,
  onProcedure: OnProcedure = () => {},
): InferredTypes {
  if (compiler.settingsErrors.length > 0) throw new InferenceError(compiler.settingsErrors);
  const everything = () => inferFrom(compiler, known.withoutAll(), onProcedure);
  const registrations = compiler.registrations(known);
  const { sources } = compiler;
  if (!known.isOf(sources)) return everything();
  const errors: Finding[] = [];
  const warnings: Finding[] = [...registrations.findings];
  const names = new TypeNames();
  const read = readTypes(compiler, registrations, names, { errors, warnings }, onProcedure);
  const found = known.with(read, names, sources);
  if (found === undefined) return everything();
  const inferred = { ...joinProcedures(found, errors), ...joinOthers(found, { errors, warnings }) };
  const isClean = errors.length + warnings.length === 0;
  // What is wrong, and which names are taken, depends on all procedures.
  if (known.isPartial && (!isClean || names.dependOnOrder)) return everything();
  // Broken code results in `any`: type errors are only looked for in that case.
  const broken = isClean ? [] : compiler.errors();
  if (broken.length > 0) throw new InferenceError(broken);
  if (errors.length > 0) throw new InferenceError(errors);
  known.keep(isClean && !names.dependOnOrder ? found : undefined, names, sources);
  return { ...inferred, named: names.output.with(names.input), warnings };
}

function readTypes<Type>(
  compiler: Compiler<Type>,
  { found, places, notes, routes, sockets }: Registrations<Type>,
  names: TypeNames,
  { errors, warnings }: Findings,
  onProcedure: OnProcedure,
): FoundTypes {
  const procedures = sorted(found).map((one, done): FoundProcedure => {
    onProcedure(done, found.length);
    const { name, kind, place, hasSchema } = one;
    const subject = { who: `${kind} '${name}'`, name, place };
    const walk = new TypeWalk(compiler, names, subject, { errors, warnings });
    const types = { kind, input: walk.input(one), output: walk.output(one) };
    return { name, kind, place, hasSchema, types, uses: walk.uses };
  });
  return {
    procedures,
    places: places.map(([name, place]) => ({ name, place })),
    notes,
    // After the procedures, which have the first choice of names.
    sockets: readSockets(compiler, sockets, names, { errors, warnings }),
    routes: readRoutes(compiler, routes, names, warnings),
  };
}

function joinProcedures(
  { procedures, places, notes }: FoundTypes,
  errors: Finding[],
): Pick<InferredTypes, 'procedures' | 'places' | 'notes'> {
  const types: Record<string, ProcedureTypes> = Object.create(null);
  const seen = new Map<string, FoundProcedure>();
  for (const one of sorted(procedures)) {
    const { name, place } = one;
    const other = seen.get(name);
    if (other !== undefined && !isSame(one.types, other.types)) {
      const message = `procedure '${name}' is registered at ${other.place.file}:${other.place.line} too, with other types; rename one of them`;
      errors.push({ place, message });
    }
    if (other !== undefined) continue;
    seen.set(name, one);
    if (!one.hasSchema.input || !one.hasSchema.output) types[name] = one.types;
  }
  // Registration refuses them too, but only the first one.
  for (const { name, place } of places) {
    const message = nameProblem(name);
    if (message !== undefined) errors.push({ place, message });
  }
  return { procedures: types, places: byName(places), notes: firstNotes(notes) };
}

function joinOthers(
  { routes, sockets }: FoundTypes,
  { errors, warnings }: Findings,
): Pick<InferredTypes, 'routes' | 'sockets'> {
  return { sockets: joinSockets(sockets, errors), routes: joinRoutes(routes, warnings) };
}

/** Several registries may have the same procedure. */
function isSame(a: ProcedureTypes, b: ProcedureTypes): boolean {
  return (
    a.kind === b.kind &&
    canonicalText(a.input) === canonicalText(b.input) &&
    canonicalText(a.output) === canonicalText(b.output)
  );
}

function byName(places: readonly FoundPlace[]): Record<string, Place[]> {
  const grouped: Record<string, Place[]> = Object.create(null);
  for (const { name, place } of sorted(places)) {
    const group = grouped[name];
    if (group === undefined) grouped[name] = [place];
    else group.push(place);
  }
  return grouped;
}

/** The first in the order of files and lines, which is the same for every compiler. */
function firstNotes(notes: Registrations<never>['notes']): Record<string, ProcedureNotes> {
  const first: Record<string, ProcedureNotes> = Object.create(null);
  const inOrder = notes.toSorted(({ place: a }, { place: b }) => comparePlaces(a, b));
  for (const { name, notes: own } of inOrder) first[name] ??= own;
  return first;
}

/** By name, and then by the order of files and lines. */
function sorted<One extends FoundPlace>(found: readonly One[]): One[] {
  return found.toSorted((a, b) => order(a.name, b.name) || comparePlaces(a.place, b.place));
}

/** @throws InferenceError if a type cannot be sent as JSON, or the code does not compile */
export function inferTypes<Type>(compiler: Compiler<Type>): InferredTypes {
  return inferFrom(compiler, nothing);
}
